/**
 * `estimators <file>`: the advantages of one iteration under every estimator, a line a step. The file is the log of a
 * run, or holds another trainer's rollouts.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { AlgorithmSettings } from '../algorithms/algorithm';
import { compareDefaults, compareEstimators, type ComparedEstimator } from '../algorithms/compare';
import type { Overlong } from '../algorithms/rewards/overlong';
import { mistakeLabels, type Mistakes } from '../config/algorithm-schema';
import { rolloutEpisodes } from '../rl/rollouts/rollout-episodes';
import type { RolloutView } from '../rl/rollouts/view';
import { parseCommand, type Arguments, type CommandSpec } from './args';
import { comparisonTable, legend, tellingFirst } from './comparison-table';
import { requireShares, isImported, printImported } from './imported-estimators';
import { readLog } from './log-lines';
import { RunFolder } from './run-folder';
import { print, printJson, say } from './terminal';

const flags = {
  iteration: { kind: 'integer', help: 'iteration of the log (default: the last)', min: 1 },
  rollouts: {
    kind: 'integer',
    help: 'number of rollouts to print (default 16), groups with differing rewards first',
    min: 1,
  },
  gamma: { kind: 'number', help: `discount (default ${compareDefaults.gamma})`, min: 0 },
  lambda: { kind: 'number', help: `λ of GAE (default ${compareDefaults.lambda})`, min: 0 },
  longest: {
    kind: 'integer',
    help: 'agent tokens at which DAPO’s over-long penalty is 1 (default: no penalty)',
    min: 1,
  },
  buffer: { kind: 'integer', help: 'tokens over which the penalty grows (default: a quarter of --longest)', min: 1 },
  'no-advantage-mask': { kind: 'flag', help: 'treat the environment’s tokens as actions' },
  'credit-reset': { kind: 'flag', help: `mistake: ${mistakeLabels.creditReset.sentence}` },
  'reward-on-tool-token': { kind: 'flag', help: `mistake: ${mistakeLabels.rewardOnToolToken.sentence}` },
  'wrong-groups': { kind: 'flag', help: `mistake: ${mistakeLabels.wrongGroups.sentence}` },
  json: { kind: 'flag', help: 'print one JSON object instead of the table' },
} as const;
/** The used fields of a logged rollout. */
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const RolloutSchema = v.looseObject({
  iteration: count,
  index: count,
  group: count,
  reward: v.pipe(v.number(), v.finite()),
  steps: v.array(
    v.looseObject({
      tokens: v.pipe(v.array(count), v.nonEmpty('a step without tokens has nothing to credit')),
      promptTokens: v.array(count),
      messages: v.array(v.looseObject({ role: v.string(), content: v.string() })),
      toolCalls: v.array(v.unknown()),
      advantages: v.array(v.number()),
      rewards: v.record(v.string(), v.pipe(v.number(), v.finite())),
    }),
  ),
});

const spec: CommandSpec<typeof flags> = {
  name: 'estimators',
  positionals: '<trajectories.jsonl | run folder | rollouts of TRL, verl or UNIPO>',
  count: { min: 1, max: 1 },
  flags,
};

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const path = logPath(parsed.positionals[0]);
  if (isImported(path)) {
    printImported(path, parsed.flags);
    return 0;
  }
  const { iteration, rollouts } = readIteration(path, parsed.flags.iteration);
  const weights = rewardWeights(path);
  const mistakes: Mistakes = {
    creditReset: parsed.flags['credit-reset'],
    rewardOnToolToken: parsed.flags['reward-on-tool-token'],
    wrongGroups: parsed.flags['wrong-groups'],
  };
  const settings = readSettings(parsed.flags, mistakes);
  const advantageMask = !parsed.flags['no-advantage-mask'];
  const batch = rolloutEpisodes(rollouts, { weights: weights ?? {}, advantageMask, mistakes });
  const startMs = performance.now();
  const estimators = compareEstimators(batch, settings);
  const tookMs = performance.now() - startMs;
  if (parsed.flags.json) {
    printJson(summary(iteration, rollouts, estimators, settings));
    return 0;
  }
  const shown = tellingFirst(rollouts, parsed.flags.rollouts);
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
  print(`${comparisonTable(rollouts, shown, estimators, width)}\n\n`);
  const switched = (Object.keys(mistakes) as (keyof Mistakes)[]).filter((key) => mistakes[key]);
  print(`${notes(estimators, settings, weights === null, switched).join('\n')}\n`);
  const groups = new Set(rollouts.map(({ group }) => group)).size;
  say(
    `Iteration ${iteration}: ${shown.length} of ${rollouts.length} rollouts shown, in ${groups} groups; ` +
      `all estimators took ${tookMs.toFixed(1)} ms.\n`,
  );
  return 0;
}

function logPath(given: string): string {
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, 'trajectories.jsonl') : given;
  if (!existsSync(path)) throw new Error(`There is no log of rollouts at ${path}.`);
  return path;
}

/** The rollouts of one iteration, in their order. */
function readIteration(path: string, wanted: number | undefined): { iteration: number; rollouts: RolloutView[] } {
  const known = new Set<number>();
  let iteration = wanted;
  let rollouts: RolloutView[] = [];
  for (const { value } of readLog(path, RolloutSchema)) {
    if (wanted === undefined && !known.has(value.iteration)) {
      iteration = value.iteration;
      rollouts = [];
    }
    known.add(value.iteration);
    if (value.iteration === iteration) rollouts.push(value as unknown as RolloutView);
  }
  if (iteration === undefined || known.size === 0) throw new Error(`${path} holds no rollouts yet.`);
  if (rollouts.length === 0)
    throw new Error(
      `${path} holds no rollouts of iteration ${iteration}; it has iterations ${[...known].slice(0, 12).join(', ')}.`,
    );
  return { iteration, rollouts };
}

/** Reward weights of the log's run; null without a run.json beside the log. */
function rewardWeights(path: string): Record<string, number> | null {
  const folder = dirname(path);
  return existsSync(join(folder, 'run.json')) ? new RunFolder(folder).readRecord().config.rewards : null;
}

function readSettings(given: Arguments<typeof flags>['flags'], { creditReset }: Mistakes): AlgorithmSettings {
  const { gamma = compareDefaults.gamma, lambda = compareDefaults.lambda, longest, buffer } = given;
  requireShares({ gamma, lambda });
  if (buffer !== undefined && longest === undefined)
    throw new Error('--buffer says where a penalty grows, so it needs --longest.');
  const overlong: Overlong | null =
    longest === undefined ? null : { longest, buffer: buffer ?? Math.max(1, Math.ceil(longest / 4)), factor: 1 };
  return { ...compareDefaults, gamma, lambda, overlong, creditReset };
}

function notes(
  estimators: readonly ComparedEstimator[],
  { gamma, lambda, turnGamma, overlong }: AlgorithmSettings,
  withoutWeights: boolean,
  mistakes: readonly (keyof Mistakes)[],
): string[] {
  return [
    ...legend(estimators),
    '',
    'A number is the mean over the agent tokens of a step; ~ marks those whose tokens differ.',
    `γ ${gamma}, λ ${lambda}, γ of turns ${turnGamma}. ` +
      'The log holds no critic’s values, so in GAE V is the mean reward of the rollout’s group.',
    overlong
      ? `DAPO takes off up to 1 at ${overlong.longest} agent tokens, beginning ${overlong.buffer} tokens before.`
      : 'DAPO is without its over-long penalty: give --longest.',
    ...(withoutWeights ? ['No run.json stands beside the log, so a rollout’s whole reward counts at its end.'] : []),
    ...mistakes.map((key) => `Mistake on: ${mistakeLabels[key].title}. ${mistakeLabels[key].sentence}`),
  ];
}

/** The output of `--json`: the advantage of every agent token under every estimator. */
function summary(
  iteration: number,
  rollouts: readonly RolloutView[],
  estimators: readonly ComparedEstimator[],
  settings: AlgorithmSettings,
): object {
  const agentTokens = (steps: readonly Float64Array[], i: number) =>
    steps.map((step, k) => Array.from(step.subarray(0, rollouts[i].steps[k].tokens.length)));
  return {
    iteration,
    settings,
    rollouts: rollouts.map(({ index, group, taskId, reward }) => ({ index, group, taskId, reward })),
    estimators: estimators.map(({ advantages, ...about }) => ({
      ...about,
      advantages: advantages?.map(agentTokens) ?? null,
    })),
  };
}
