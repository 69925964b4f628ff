/**
 * Which rollouts belong together: the rollouts of one task in one iteration are a group. How far the rewards of a group
 * differ, and at which tasks most rollouts fail.
 */
import { mean } from '../lib/mean';

/** Where a rollout belongs. */
export interface Placed {
  readonly iteration: number;
  /** In its iteration. */
  readonly index: number;
  readonly group: number;
  readonly taskId: string;
}

export interface Scored extends Placed {
  readonly reward: number;
  readonly success: boolean;
}

/** A task at which most rollouts of an iteration fail. */
export interface FailingTask<Rollout extends Scored> {
  /** The first that failed. */
  readonly rollout: Rollout;
  readonly failed: number;
  readonly count: number;
}

export const keyOf = (rollout: Placed): string => `${rollout.iteration}/${rollout.index}`;
export const groupKeyOf = (rollout: Placed): string => `${rollout.iteration}/group ${rollout.group}/${rollout.taskId}`;
export const sameGroup = (a: Placed, b: Placed): boolean =>
  a.iteration === b.iteration && a.group === b.group && a.taskId === b.taskId;

/** Iterations with rollouts, ascending. */
export const iterationsOf = (rollouts: readonly Placed[]): number[] =>
  [...new Set(rollouts.map(({ iteration }) => iteration))].sort((a, b) => a - b);

/** Groups by their keys, in the order of their first rollouts. */
export function groupsOf<Rollout extends Placed>(rollouts: readonly Rollout[]): ReadonlyMap<string, Rollout[]> {
  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    const key = groupKeyOf(rollout);
    const members = groups.get(key);
    if (members) members.push(rollout);
    else groups.set(key, [rollout]);
  }
  return groups;
}

/** The tasks at which more than half of the rollouts fail, those that fail most often first. */
export function failingTasks<Rollout extends Scored>(rollouts: readonly Rollout[]): FailingTask<Rollout>[] {
  return [...groupsOf(rollouts).values()]
    .map((group) => ({ failures: group.filter(({ success }) => !success), count: group.length }))
    .filter(({ failures, count }) => 2 * failures.length > count)
    .sort((a, b) => b.failures.length / b.count - a.failures.length / a.count)
    .map(({ failures, count }) => ({ rollout: failures[0], failed: failures.length, count }));
}

/** Standard deviation of the rewards of each group, by its key. */
export function rewardSpreads(rollouts: readonly Scored[]): ReadonlyMap<string, number> {
  return new Map(
    [...groupsOf(rollouts)].map(([key, members]) => [key, deviation(members.map(({ reward }) => reward))]),
  );
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}
