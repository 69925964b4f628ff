/**
 * Files of rollouts that other trainers wrote. A file is recognised by its fields, not by its name. Its rollouts of one
 * step with equal prompts are a group.
 */
import { mean, sum } from '../../lib/mean';
import { nameOf, type Contents, type Format, type ImportedRollout, type FileRow } from './format';
import { readRows } from './rows';
import { requireRollouts, requireSteps } from './step-limits';

/** 20 MB. */
export const maxRolloutFileBytes = 20_000_000;
const formats = Object.values(import.meta.glob<Format>('./formats/*.ts', { eager: true, import: 'format' }));

export interface RolloutFile extends Contents {
  readonly name: string;
  /** Title of its format. */
  readonly format: string;
  /** Steps of training, in their order. */
  readonly steps: readonly number[];
}

/** A rollout of one step. */
export interface GroupedRollout extends ImportedRollout {
  /** In its step, from 0. */
  readonly index: number;
  /** Equal for equal prompts; groups count from 0. */
  readonly group: number;
  /** Weighted sum of its terms. */
  readonly reward: number;
}

/** @throws a sentence if a file of that size is not read */
export function requireSize(bytes: number, name: string): void {
  if (bytes > maxRolloutFileBytes)
    throw new Error(
      `${name} has ${(bytes / 1e6).toFixed(1)} MB, and ${maxRolloutFileBytes / 1e6} MB is the most. ` +
        'Keep the rows of fewer steps.',
    );
}

/** @param name of the file, for messages @throws a sentence: which line, which field, what to do */
export function readRolloutFile(bytes: Uint8Array, name: string): RolloutFile {
  requireSize(bytes.length, name);
  const rows = readRows(decode(bytes, name), name);
  if (rows.length === 0) throw new Error(`${name} holds no rows. Choose a file that holds rollouts.`);
  requireRollouts(rows.length, name);
  const format = formats.find((each) => each.recognises(rows[0].fields)) ?? refuseFields(rows[0], name);
  const contents = format.read(rows);
  requireRollouts(contents.rollouts.length, name);
  requireSteps(contents.rollouts, name);
  const steps = [...new Set(contents.rollouts.map(({ step }) => step))].sort((a, b) => a - b);
  return { ...contents, name, format: format.title, steps };
}

function refuseFields({ fields }: FileRow, name: string): never {
  const found = Object.keys(fields).slice(0, 8).map(nameOf).join(', ');
  const known = formats.map((format) => `${format.title} has ${format.fields}`).join('; ');
  throw new Error(
    `${name} is of no known format: ${found === '' ? 'its first row is empty' : `it has ${found}`}. ` +
      `A file of ${known}.`,
  );
}

function decode(bytes: Uint8Array, name: string): string {
  if (String.fromCharCode(...bytes.subarray(0, 4)) === 'PAR1')
    throw new Error(
      `${name} is a Parquet file. Write it as JSON lines first: ` +
        'pandas.read_parquet(file).to_json("rollouts.jsonl", orient="records", lines=True).',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${name} is not text in UTF-8. Choose a file of JSON or JSON lines.`);
  }
}

/** @param weights of the file's terms [terms] */
export function rolloutsOf(file: RolloutFile, step: number, weights: readonly number[]): GroupedRollout[] {
  const groups = new Map<string, number>();
  return file.rollouts
    .filter((rollout) => rollout.step === step)
    .map((rollout, index) => {
      const group = groups.get(rollout.prompt) ?? groups.size;
      groups.set(rollout.prompt, group);
      const reward = rollout.rewards.reduce((sum: number, value, t) => sum + (value ?? 0) * weights[t], 0);
      return { ...rollout, index, group, reward };
    });
}

/**
 * Whether the trainer's advantages are those of these rewards: in each group they grow in proportion to the reward, as
 * with every baseline and scale that a group shares. True where the file has no advantages to compare with.
 */
export function advantagesFollow(rollouts: readonly GroupedRollout[]): boolean {
  const groups = new Map<number, (readonly [advantage: number, reward: number])[]>();
  for (const { group, advantages, reward } of rollouts)
    if (advantages?.length === 1) {
      const pairs = groups.get(group) ?? [];
      groups.set(group, pairs);
      pairs.push([advantages[0], reward]);
    }
  return [...groups.values()].every(isProportional);
}

/** Whether the first numbers of pairs are their mean plus a factor, not below 0, times the second about theirs. */
function isProportional(pairs: readonly (readonly [number, number])[]): boolean {
  const means = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, r]) => r))];
  const centred = pairs.map(([a, r]) => [a - means[0], r - means[1]] as const);
  const squares = sum(centred.map(([, r]) => r * r));
  const factor = squares === 0 ? 0 : sum(centred.map(([a, r]) => a * r)) / squares;
  return factor >= 0 && centred.every(([a, r]) => Math.abs(a - factor * r) < 0.01);
}
