/** Metrics of rollouts: rewards, success, turns, tool calls, lengths. */
import type { KillReason } from '../../agent/sandbox';
import type { Step, Trajectory } from '../../agent/types';
import { mean, sum } from '../../lib/mean';
import { groupMembers, meanAndStd } from '../../algorithms/episodes/groups';

export type RolloutMetrics = Readonly<ReturnType<typeof rolloutMetrics>>;

/** Metrics of a batch of at least one trajectory. */
export function rolloutMetrics(trajectories: readonly Trajectory[]) {
  const steps = trajectories.flatMap((trajectory) => trajectory.steps);
  const calls = steps.flatMap((step) => step.toolCalls);
  const members = [...groupMembers(trajectories.map((trajectory) => trajectory.group)).values()];
  const groups = members.map((group) => group.map((i) => trajectories[i].reward));
  const sampledTokens = sum(steps.map((step) => step.action.tokens.length));
  return {
    /** Success of the sampled rollouts, 0 … 1. */
    success: share(trajectories, (trajectory) => trajectory.success),
    rewardMean: mean(trajectories.map((trajectory) => trajectory.reward)),
    /** Mean over groups of the unbiased standard deviation of rewards. */
    rewardStd: mean(groups.map((rewards) => meanAndStd(rewards).std)),
    /** Share of groups whose rewards are all equal: they teach nothing. */
    zeroSignalGroups: share(groups, isSilent),
    /** Of the distributions that the actions were sampled from, nats a token. */
    entropy: sampledTokens === 0 ? 0 : sum(steps.map((step) => sum(step.action.entropies))) / sampledTokens,
    /** Mean steps a trajectory. */
    turns: steps.length / trajectories.length,
    /** Share of tool calls that ran without an error; null if no call was made. */
    toolCallSuccess: calls.length === 0 ? null : share(calls, (call) => call.error === undefined),
    /** Mean agent tokens a trajectory. */
    responseLength: sampledTokens / trajectories.length,
    /** Share of actions cut by the token budget. */
    truncated: share(steps, (step) => step.action.stop === 'length'),
    /** Tool calls and rewards that were stopped, by the limit they ran into. */
    killed: countKilled(steps),
    /** Share of rollouts that ended because the environment failed. */
    environmentFailures: share(trajectories, (trajectory) => trajectory.end === 'environment-failed'),
    /** Success of the sampled rollouts by tag of their tasks; absent where tasks have none. */
    ...byTag('successByTag', trajectories),
    /** Mean of each named reward term, unweighted. */
    rewardTerms: meanRewardTerms(trajectories),
    sampledTokens,
  };
}

/** Success of the trajectories of each tag, alphabetical; nothing if no task has a tag. */
export function byTag<Name extends string>(
  name: Name,
  trajectories: readonly Trajectory[],
): Partial<Record<Name, Readonly<Record<string, number>>>> {
  const tags = [...new Set(trajectories.flatMap(({ task }) => task.tags ?? []))].sort();
  if (tags.length === 0) return {};
  const success = tags.map((tag) => {
    const tagged = trajectories.filter(({ task }) => task.tags?.includes(tag));
    return [tag, share(tagged, (trajectory) => trajectory.success)];
  });
  return { [name]: Object.fromEntries(success) } as Record<Name, Readonly<Record<string, number>>>;
}

/** Mean over trajectories of each term's sum, 0 where a trajectory lacks it; alphabetical. */
export function meanRewardTerms(trajectories: readonly Trajectory[]): Record<string, number> {
  const totals = new Map<string, number>();
  for (const { rewards } of trajectories.flatMap(({ steps }) => steps))
    for (const [name, value] of Object.entries(rewards)) totals.set(name, (totals.get(name) ?? 0) + value);
  const names = [...totals.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, totals.get(name)! / trajectories.length]));
}

function countKilled(steps: readonly Step[]): Record<KillReason, number> {
  const counts = { fuel: 0, depth: 0, memory: 0, stack: 0, trap: 0 };
  for (const { toolCalls, killed } of steps) {
    for (const call of toolCalls) if (call.killed) counts[call.killed]++;
    if (killed) counts[killed]++;
  }
  return counts;
}

/** Whether all advantages of a group are 0. The advantage of a group of one is its reward. */
function isSilent(rewards: readonly number[]): boolean {
  return rewards.length === 1 ? rewards[0] === 0 : rewards.every((reward) => reward === rewards[0]);
}

const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;
