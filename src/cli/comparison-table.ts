/** Prints advantages: a line a step, a column an estimator, in blocks if the terminal is too narrow. */
import type { ComparedEstimator } from '../algorithms/compare';
import { groupsWithSignal } from '../rl/rollouts/filter';
import { meanCredit } from '../rl/diagnostics/comparison';

const CELL = 9;

/** What is printed of a rollout. */
interface Printed {
  readonly index: number;
  readonly group: number;
  readonly reward: number;
  readonly steps: readonly {
    /** None where their number is not known; then an estimator has one advantage for all. */
    readonly tokens: { readonly length: number };
    readonly advantages: ArrayLike<number>;
  }[];
}

interface PrintedColumn {
  readonly head: string;
  /** Advantages of a step's agent tokens; null if there are none to show. */
  readonly tokens: (i: number, k: number) => ArrayLike<number> | null;
}

/**
 * The first column is what the run trained with.
 * @param rollouts that were compared, all of them
 * @param shown indices of those to print
 * @param width characters of a line, Infinity for one block
 */
export function comparisonTable(
  rollouts: readonly Printed[],
  shown: readonly number[],
  estimators: readonly ComparedEstimator[],
  width: number,
): string {
  const columns: PrintedColumn[] = [
    { head: 'trained', tokens: (i, k) => rollouts[i].steps[k].advantages },
    ...estimators.map(({ short, advantages }) => ({
      head: short,
      tokens: (i: number, k: number) =>
        advantages && advantages[i][k].subarray(0, rollouts[i].steps[k].tokens.length || 1),
    })),
  ];
  const left = leftColumns(shown.map((i) => rollouts[i]));
  const perBlock = width === Infinity ? columns.length : Math.max(1, Math.floor((width - left[0].length) / CELL));
  const blocks: string[] = [];
  for (let at = 0; at < columns.length; at += perBlock)
    blocks.push(block(rollouts, shown, columns.slice(at, at + perBlock), left));
  return blocks.join('\n\n');
}

/** A line an estimator: what it computes, and why it is left out. */
export function legend(estimators: readonly ComparedEstimator[]): string[] {
  const width = Math.max(...estimators.map(({ short }) => short.length));
  return estimators.map(({ short, name, formula, missing }) =>
    [
      short.padEnd(width + 1),
      name === short ? formula : `${name}: ${formula}`,
      ...(missing ? [`(left out: ${missing})`] : []),
    ].join(' '),
  );
}

/** Indices of the rollouts to print, groups with a signal first. */
export function tellingFirst(rollouts: readonly Pick<Printed, 'group' | 'reward'>[], count = 16): number[] {
  const telling = new Set(groupsWithSignal(rollouts));
  const silence = (i: number) => (telling.has(rollouts[i].group) ? 0 : 1);
  return [...rollouts.keys()].sort((a, b) => silence(a) - silence(b) || a - b).slice(0, count);
}

function block(
  rollouts: readonly Printed[],
  shown: readonly number[],
  columns: readonly PrintedColumn[],
  left: readonly string[],
): string {
  const lines = [left[0] + columns.map(({ head }) => ` ${head}`.padStart(CELL)).join('')];
  shown.forEach((i) =>
    rollouts[i].steps.forEach((_, k) =>
      lines.push(left[lines.length] + columns.map(({ tokens }) => cell(tokens(i, k)).padStart(CELL)).join('')),
    ),
  );
  return lines.join('\n');
}

/** Rollout, step and agent tokens; group and reward at the first step. */
function leftColumns(rollouts: readonly Printed[]): string[] {
  const row = (cells: readonly string[]): string => cells.map((text, c) => text.padStart([7, 6, 8, 5, 7][c])).join('');
  const lines = rollouts.flatMap(({ index, group, reward, steps }) =>
    steps.map(({ tokens }, k) =>
      row([
        ...(k === 0 ? [String(index), String(group), reward.toFixed(3)] : ['', '', '']),
        String(k + 1),
        tokens.length === 0 ? '-' : String(tokens.length),
      ]),
    ),
  );
  return [row(['rollout', 'group', 'reward', 'step', 'tokens']), ...lines];
}

/** The mean over a step's tokens, and `~` if they differ, else a space, so that digits line up. */
function cell(tokens: ArrayLike<number> | null): string {
  const credit = tokens && meanCredit(tokens);
  return credit ? `${number(credit.mean)}${credit.even ? ' ' : '~'}` : '- ';
}

/** At most seven characters: a cell holds one more, and a space. */
const number = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) < 100 ? value.toFixed(3) : value.toExponential(0);
