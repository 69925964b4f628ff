/**
 * The alarm for an echo trap: rollouts of a task become alike before the task is solved, and the policy repeats itself.
 *
 *   alarm: for 10 iterations in a row, the in-group deviation of rewards is below a tenth and entropy below a half of
 *   their means over the first 10 iterations, while less than 9 in 10 rollouts succeed
 *
 * RAGEN (arXiv 2504.20073), which looks at the deviation alone; a solved task would raise that alarm, too.
 */
import { mean } from '../../lib/mean';
const firstIterations = 10;
const patience = 10;
const minSpread = 0.1;
const minEntropy = 0.5;
const solved = 0.9;

/** State between iterations. */
export interface EchoMemory {
  /** Of the first iterations: deviation of rewards, entropy. */
  readonly first: readonly (readonly [number, number])[];
  /** Iterations in a row that looked trapped. */
  readonly low: number;
}

export const noEcho: EchoMemory = { first: [], low: 0 };

export function echoTrap(
  { first, low }: EchoMemory,
  { rewardStd, entropy, success }: { readonly rewardStd: number; readonly entropy: number; readonly success: number },
): { readonly alarm: boolean; readonly memory: EchoMemory } {
  if (first.length < firstIterations)
    return { alarm: false, memory: { first: [...first, [rewardStd, entropy]], low: 0 } };
  const usual = (column: 0 | 1) => mean(first.map((each) => each[column]));
  const trapped = rewardStd < minSpread * usual(0) && entropy < minEntropy * usual(1) && success < solved;
  const memory = { first, low: trapped ? low + 1 : 0 };
  return { alarm: memory.low >= patience, memory };
}
