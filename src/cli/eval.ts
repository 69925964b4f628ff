/** `eval <checkpoint>`: success of a saved agent and of the environment's scripted policies on held-out tasks. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Split } from '../agent/environment-client';
import type { Trajectory } from '../agent/types';
import { didYouMean } from '../lib/nearest';
import { escaped } from '../lib/plain-text';
import { readCheckpointHead, restoreCheckpoint } from '../rl/checkpoint';
import { zeroCredit } from '../algorithms/credit';
import { Evaluation, solvedByCalls, solvedOnceRate, successRate, type Attempts } from '../rl/rollouts/evaluation';
import { byTag } from '../rl/rollouts/metrics';
import { rolloutView } from '../rl/rollouts/view';
import { Trainer } from '../rl/trainer';
import { parseCommand, type CommandSpec } from './args';
import { deviceChoice, deviceFlag, openDevice, openSandbox } from './engine';
import { quietHooks } from './recorded-start';
import { openHostTools, toolsFlag } from './host-tools/tools';
import { modelFlag, modelHooks, modelOfRun } from './model-folder';
import { percent } from './progress';
import { readCheckpointFile, requireCheckpointPath } from './read-file';
import { rowsFlag, withGivenRows } from './rows-file';
import { printJson, say } from './terminal';

const flags = {
  tasks: { kind: 'integer', help: 'tasks of each split (default: the run’s)', min: 1 },
  split: { kind: 'text', help: 'train, validation or out-of-distribution (default: the last two)', value: 'NAME' },
  samples: { kind: 'integer', help: 'attempts at each task, for pass@n (default 1)', min: 1 },
  temperature: { kind: 'number', help: '0 is greedy (default: 0 for one attempt, the run’s for several)', min: 0 },
  out: {
    kind: 'text',
    help: 'write every episode to a new file, one JSON object a line, in the format of trajectories.jsonl',
    value: 'FILE',
  },
  device: deviceFlag,
  rows: rowsFlag,
  tools: toolsFlag,
  model: modelFlag,
  json: { kind: 'flag', help: 'print one JSON object last' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'eval',
  positionals: '<checkpoint.safetensors | run folder>',
  count: { min: 1, max: 1 },
  flags,
};

const splits: readonly Split[] = ['train', 'validation', 'out-of-distribution'];

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { out, json } = parsed.flags;
  const path = requireCheckpointPath(parsed.positionals[0]);
  const file = readCheckpointFile(path);
  const { config: saved, source, progress } = readCheckpointHead(file);
  const config = await withGivenRows(saved, parsed.flags.rows);
  const model = await modelOfRun(config, parsed.flags.model);
  const tasks = parsed.flags.tasks ?? config.evaluation.tasks;
  const split = parsed.flags.split === undefined ? null : splitOf(parsed.flags.split);
  const attempts = attemptsOf(parsed.flags, config.rollout.temperature);
  if (out !== undefined && existsSync(out)) throw new Error(`${out} exists already: name another file with --out.`);
  const device = await openDevice(deviceChoice(parsed.flags.device ?? config.device));
  const trainer = await Trainer.create(
    device,
    await openSandbox(await openHostTools(parsed.flags.tools, dirname(path))),
    { ...config, evaluation: { ...config.evaluation, tasks } },
    source,
    { ...quietHooks, ...modelHooks(model) },
  );
  restoreCheckpoint(trainer, file);
  const { description } = trainer.setup;
  const outside = description.outOfDistribution;
  if (split === 'out-of-distribution' && outside === undefined)
    throw new Error(`${escaped(description.title)} has no split out-of-distribution; it has train and validation.`);
  const evaluation = new Evaluation(trainer.setup);
  const played: Played[] = [];
  for (const each of split ? [split] : outside === undefined ? splits.slice(1, 2) : splits.slice(1)) {
    trainer.sampler.clearCache();
    const trajectories = await evaluation.run(trainer.sampler, quietHooks, each, attempts);
    played.push({ split: each, trajectories });
    say(`${resultText(trajectories, attempts, tasks, named(each, outside))} after iteration ${progress.iteration}.\n`);
    say(callsLine(trajectories) + tagLine(trajectories));
  }
  const scripts = await playScripts(evaluation, description.policies ?? [], played[0].split);
  if (out !== undefined) {
    writeFileSync(out, episodeLines(played, progress.iteration, config.algorithm.lossMask), { flag: 'wx' });
    say(`Wrote ${out}.\n`);
  }
  if (json) {
    const [first, second] = played.map(({ trajectories }) => trajectories);
    printJson({
      environment: config.environment.name,
      iteration: progress.iteration,
      tasks,
      split: played[0].split,
      ...attempts,
      success: successRate(first),
      solvedOnce: solvedOnceRate(first),
      ...byTag('successByTag', first),
      solvedByCalls: solvedByCalls(first),
      outOfDistribution: second ? successRate(second) : null,
      outOfDistributionSolvedByCalls: second ? solvedByCalls(second) : null,
      scripts,
    });
  }
  device.destroy();
  return 0;
}

/** Success of the environment's scripts, by name. */
async function playScripts(evaluation: Evaluation, names: readonly string[], split: Split) {
  const rates: [string, number][] = [];
  for (const name of names) rates.push([name, successRate(await evaluation.runScript(name, split))]);
  for (const [name, rate] of rates) say(`${percent(rate)} by the script ${escaped(name)}.\n`);
  return Object.fromEntries(rates);
}

/** Results of an agent on a split. */
interface Played {
  readonly split: Split;
  readonly trajectories: readonly Trajectory[];
}

function splitOf(given: string): Split {
  const split = splits.find((each) => each === given);
  if (split === undefined)
    throw new Error(`--split is "${given}", but there is ${splits.join(', ')}.${didYouMean(given, splits)}`);
  return split;
}

function attemptsOf({ samples = 1, temperature }: { samples?: number; temperature?: number }, usual: number): Attempts {
  if (samples > 1 && temperature === 0)
    throw new Error('--temperature 0 makes all attempts the same: leave --samples out, or give a temperature above 0.');
  return { samples, temperature: temperature ?? (samples > 1 ? usual : 0) };
}

function named(split: Split, outside: string | undefined): string {
  if (split === 'validation') return 'held-out tasks';
  return split === 'train'
    ? 'training tasks'
    : `tasks out of distribution (${escaped(outside ?? '').replace(/\.$/, '')})`;
}

function resultText(
  trajectories: readonly Trajectory[],
  { samples, temperature }: Attempts,
  tasks: number,
  what: string,
): string {
  const success = percent(successRate(trajectories));
  if (samples === 1) return `${success} of ${tasks} ${what} solved`;
  const any = percent(solvedOnceRate(trajectories));
  return `${success} of attempts at temperature ${temperature} and ${any} of ${tasks} ${what} (pass@${samples}) solved`;
}

function callsLine(trajectories: readonly Trajectory[]): string {
  const solved = solvedByCalls(trajectories);
  return solved.length === 0
    ? ''
    : `  Solved with ${solved.map((_, calls) => calls).join('/')} tool calls: ${solved.join(', ')}.\n`;
}

function tagLine(trajectories: readonly Trajectory[]): string {
  const tags = Object.entries(byTag('success', trajectories).success ?? {});
  return tags.length === 0 ? '' : `  By kind: ${tags.map(([tag, rate]) => `${tag} ${percent(rate)}`).join(', ')}.\n`;
}

/** Rollouts in the format of `train`, with their split. A group has the attempts at one task. */
function episodeLines(played: readonly Played[], iteration: number, lossMask: boolean): string {
  const lines: string[] = [];
  let firstGroup = 0;
  for (const { split, trajectories } of played) {
    for (const trajectory of trajectories) {
      const view = rolloutView(trajectory, { iteration, index: lines.length }, zeroCredit(trajectory), lossMask);
      lines.push(JSON.stringify({ split, ...view, group: firstGroup + view.group }));
    }
    firstGroup += 1 + Math.max(...trajectories.map(({ group }) => group));
  }
  return lines.map((line) => `${line}\n`).join('');
}
