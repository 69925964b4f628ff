/** `estimators` on a file of another trainer's rollouts: TRL, verl or UNIPO. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { compareImportedEstimators, importedDefaults } from '../rl/diagnostics/imported-comparison';
import { requireSize, readRolloutFile, rolloutsOf } from '../share/rollout-files/rollout-file';
import { comparisonTable, legend, tellingFirst } from './comparison-table';
import { print, printJson, say } from './terminal';

/** Flags of the command; the others are about the log of a run. */
interface Flags {
  readonly iteration?: number;
  readonly rollouts?: number;
  readonly gamma?: number;
  readonly lambda?: number;
  readonly json: boolean;
}
const taken: readonly string[] = ['iteration', 'rollouts', 'gamma', 'lambda', 'json'] satisfies (keyof Flags)[];

/** Whether a file is no log of a run, whose lines begin with the iteration. */
export function isImported(path: string): boolean {
  const head = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    const text = head.toString('utf8', 0, readSync(file, head)).trimStart();
    return text !== '' && !/^(\{\s*"iteration"|[^[{P])/.test(text);
  } finally {
    closeSync(file);
  }
}

/** @throws a sentence if a discount is not from 0 to 1 */
export function requireShares(shares: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(shares))
    if (value > 1) throw new Error(`--${name} is ${value}, but must be at most 1.`);
}

/** @throws a sentence about the file or a flag */
export function printImported(path: string, flags: Flags): void {
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined && value !== false && !taken.includes(name))
      throw new Error(`--${name} is for the log of a run, and ${path} is from another trainer.`);
  requireSize(statSync(path).size, path);
  const file = readRolloutFile(readFileSync(path), basename(path));
  const step = flags.iteration ?? file.steps.at(-1)!;
  if (!file.steps.includes(step))
    throw new Error(`${path} holds no step ${step}; it has steps ${file.steps.slice(0, 12).join(', ')}.`);
  const rollouts = rolloutsOf(
    file,
    step,
    file.terms.map(({ weight }) => weight),
  );
  const { gamma = 1, lambda = 1 } = flags;
  requireShares({ gamma, lambda });
  const settings = { ...importedDefaults, gamma, lambda };
  const estimators = compareImportedEstimators(rollouts, settings);
  if (flags.json) {
    const numbers = estimators.map(({ advantages, ...about }) => ({
      ...about,
      advantages: advantages?.map((steps) => steps.map((each) => Array.from(each))) ?? null,
    }));
    const about = rollouts.map(({ index, group, reward, prompt }) => ({ index, group, reward, prompt }));
    printJson({ format: file.format, step, terms: file.terms, settings, rollouts: about, estimators: numbers });
    return;
  }
  const shown = tellingFirst(rollouts, flags.rollouts);
  const rows = rollouts.map(({ tokens = 0, advantages = [], ...each }) => ({
    ...each,
    steps: [{ tokens: { length: tokens }, advantages }],
  }));
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
  const reward = file.terms.filter(({ weight }) => weight !== 0).map(({ name, weight }) => `${weight} · ${name}`);
  const notes = [
    ...legend(estimators),
    '',
    'A number is the mean over the tokens of a response; ~ marks those whose tokens differ.',
    `The reward is ${reward.join(' + ')}. γ ${gamma}, λ ${lambda}.`,
    'Rollouts of one step with equal prompts are a group.',
    ...(file.hasLogProbs ? [] : ['The file has no log-probabilities, so losses cannot be compared.']),
  ];
  print(`${comparisonTable(rows, shown, estimators, width)}\n\n${notes.join('\n')}\n`);
  const groups = new Set(rollouts.map(({ group }) => group)).size;
  const where = `in ${groups} ${groups === 1 ? 'group' : 'groups'}`;
  say(`${file.format}, step ${step}: ${shown.length} of ${rollouts.length} rollouts shown, ${where}.\n`);
}
