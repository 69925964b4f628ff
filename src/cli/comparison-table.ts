/** Prints advantages: a line a step, a column an estimator, in blocks if the terminal is too narrow. */
import type { ComparedEstimator } from '../rl/algorithms/compare';
import { meanCredit } from '../rl/diagnostics/comparison';
import type { RolloutView } from '../rl/rollouts/view';

const CELL = 9;

interface Column {
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
  rollouts: readonly RolloutView[],
  shown: readonly number[],
  estimators: readonly ComparedEstimator[],
  width: number,
): string {
  const columns: Column[] = [
    { head: 'trained', tokens: (i, k) => rollouts[i].steps[k].advantages },
    ...estimators.map(({ short, advantages }) => ({
      head: short,
      tokens: (i: number, k: number) => advantages && advantages[i][k].subarray(0, rollouts[i].steps[k].tokens.length),
    })),
  ];
  const left = leftColumns(shown.map((i) => rollouts[i]));
  const perBlock = width === Infinity ? columns.length : Math.max(1, Math.floor((width - left[0].length) / CELL));
  const blocks: string[] = [];
  for (let at = 0; at < columns.length; at += perBlock)
    blocks.push(block(rollouts, shown, columns.slice(at, at + perBlock), left));
  return blocks.join('\n\n');
}

function block(
  rollouts: readonly RolloutView[],
  shown: readonly number[],
  columns: readonly Column[],
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
function leftColumns(rollouts: readonly RolloutView[]): string[] {
  const row = (cells: readonly string[]): string => cells.map((text, c) => text.padStart([7, 6, 8, 5, 7][c])).join('');
  const lines = rollouts.flatMap(({ index, group, reward, steps }) =>
    steps.map(({ tokens }, k) =>
      row([
        ...(k === 0 ? [String(index), String(group), reward.toFixed(3)] : ['', '', '']),
        String(k + 1),
        String(tokens.length),
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
