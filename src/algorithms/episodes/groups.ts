/** Members of groups of rollouts, and the mean and standard deviation of their rewards. */
import { assert } from '../../lib/assert';
import { mean, sum } from '../../lib/mean';

/** Indices of each label's members, in order of first appearance. */
export function groupMembers<Label>(labels: readonly Label[]): Map<Label, number[]> {
  const members = new Map<Label, number[]>();
  labels.forEach((label, i) => {
    const group = members.get(label);
    if (group) group.push(i);
    else members.set(label, [i]);
  });
  return members;
}

/** A number for each score: what `of` gives for the scores of its group, in their order. */
export function perGroup(
  scores: readonly number[],
  groups: readonly unknown[],
  of: (own: readonly number[], members: readonly number[]) => ArrayLike<number>,
): Float64Array {
  assert(scores.length === groups.length, `expected ${scores.length} group labels, got ${groups.length}.`);
  const result = new Float64Array(scores.length);
  for (const members of groupMembers(groups).values()) {
    const numbers = of(
      members.map((i) => scores[i]),
      members,
    );
    members.forEach((i, at) => (result[i] = numbers[at]));
  }
  return result;
}

/**
 * Mean and unbiased standard deviation of at least one value; the deviation of one value is 0.
 * Equality is tested before anything is summed: a rounded mean of equal values would leave a deviation.
 */
export function meanAndStd(values: readonly number[]): { mean: number; std: number } {
  const first = values[0];
  if (values.every((value) => value === first)) return { mean: first, std: 0 };
  const centre = mean(values);
  const squares = sum(values.map((value) => (value - centre) * (value - centre)));
  return { mean: centre, std: Math.sqrt(squares / (values.length - 1)) };
}
