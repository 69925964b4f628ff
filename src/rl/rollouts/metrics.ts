/** Metrics of rollouts: rewards, success, turns, tool calls, lengths. */
import type { KillReason } from '../../agent/sandbox';
import type { Step, Trajectory } from '../../agent/types';
import { groupMembers, meanAndStd } from '../episodes/groups';

export interface RolloutMetrics {
  /** Success of the sampled rollouts, 0 … 1. */
  readonly success: number;
  readonly rewardMean: number;
  /** Mean over groups of the unbiased standard deviation of rewards. */
  readonly rewardStd: number;
  /** Share of groups whose rewards are all equal: they teach nothing. */
  readonly zeroSignalGroups: number;
  /** Of the distributions that the actions were sampled from, nats a token. */
  readonly entropy: number;
  /** Mean steps a trajectory. */
  readonly turns: number;
  /** Share of tool calls that ran without an error; null if no call was made. */
  readonly toolCallSuccess: number | null;
  /** Mean agent tokens a trajectory. */
  readonly responseLength: number;
  /** Share of actions cut by the token budget. */
  readonly truncated: number;
  /** Tool calls and rewards that were stopped, by the limit they ran into. */
  readonly killed: Readonly<Record<KillReason, number>>;
  /** Share of rollouts that ended because the environment failed. */
  readonly environmentFailures: number;
  /** Mean of each named reward term, unweighted. */
  readonly rewardTerms: Readonly<Record<string, number>>;
  readonly sampledTokens: number;
}

/** Metrics of a batch of at least one trajectory. */
export function rolloutMetrics(trajectories: readonly Trajectory[]): RolloutMetrics {
  const steps = trajectories.flatMap((trajectory) => trajectory.steps);
  const calls = steps.flatMap((step) => step.toolCalls);
  const members = [...groupMembers(trajectories.map((trajectory) => trajectory.group)).values()];
  const groups = members.map((group) => group.map((i) => trajectories[i].reward));
  const sampledTokens = sum(steps.map((step) => step.action.tokens.length));
  return {
    success: share(trajectories, (trajectory) => trajectory.success),
    rewardMean: mean(trajectories.map((trajectory) => trajectory.reward)),
    rewardStd: mean(groups.map((rewards) => meanAndStd(rewards).std)),
    zeroSignalGroups: share(groups, isSilent),
    entropy: sampledTokens === 0 ? 0 : sum(steps.map((step) => sum(step.action.entropies))) / sampledTokens,
    turns: steps.length / trajectories.length,
    toolCallSuccess: calls.length === 0 ? null : share(calls, (call) => call.error === undefined),
    responseLength: sampledTokens / trajectories.length,
    truncated: share(steps, (step) => step.action.stop === 'length'),
    killed: countKilled(steps),
    environmentFailures: share(trajectories, (trajectory) => trajectory.end === 'environment-failed'),
    rewardTerms: rewardTerms(trajectories),
    sampledTokens,
  };
}

/** Mean over trajectories of each term's sum, 0 where a trajectory lacks it; alphabetical. */
function rewardTerms(trajectories: readonly Trajectory[]): Record<string, number> {
  const totals = new Map<string, number>();
  for (const { steps } of trajectories) {
    for (const step of steps)
      for (const [name, value] of Object.entries(step.rewards)) totals.set(name, (totals.get(name) ?? 0) + value);
  }
  const names = [...totals.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, (totals.get(name) ?? 0) / trajectories.length]));
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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;
