/**
 * DAPO's parts on the CPU: GRPO's advantages of scores that include a penalty for being too long, and which groups are
 * worth keeping.
 *
 *   penalty(n) = min(−factor · (n − (longest − buffer)) / buffer, 0)        n = agent tokens
 *   keep a group unless all its scores are equal
 *
 * Yu et al. 2025 (arXiv 2503.14476), sections 3.2 (dynamic sampling) and 3.4 (soft over-long punishment).
 * Keeps: the penalty's slope beyond `longest`, as implementations do; the paper stops it at −factor. Not here:
 * clip-higher and the token mean, which are constants of the loss, and sampling anew until enough groups are kept.
 */
import { groupMembers } from '../episodes/groups';
import { groupAdvantages } from './grpo';

export interface OverlongSettings {
  /** Tokens an episode may have at most. */
  readonly longest: number;
  /** Tokens before `longest` in which the penalty grows. */
  readonly buffer: number;
  /** Penalty at `longest`. */
  readonly factor: number;
}

/** 0 or less. */
export function overlongPenalty(length: number, { longest, buffer, factor }: OverlongSettings): number {
  const over = length - (longest - buffer);
  return over <= 0 ? 0 : (-over / buffer) * factor;
}

/** @param lengths agent tokens of each episode */
export function dapoAdvantages(
  scores: readonly number[],
  lengths: readonly number[],
  groups: readonly unknown[],
  overlong: OverlongSettings,
): Float64Array {
  const penalised = scores.map((score, i) => score + overlongPenalty(lengths[i], overlong));
  return groupAdvantages(penalised, groups, true);
}

/** Dynamic sampling: labels of the groups whose scores are not all equal, in order of first appearance. */
export function groupsWithSignal<Label>(scores: readonly number[], groups: readonly Label[]): Label[] {
  const members = [...groupMembers(groups)];
  return members.filter(([, group]) => group.some((i) => scores[i] !== scores[group[0]])).map(([label]) => label);
}
