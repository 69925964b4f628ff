/** What the figures of lessons show: curves, advantages, tokens at the clip, and contexts. Pure. */
import type { Metrics } from '../../../../rl/report';
import type { Point } from '../../../../share/line-svg';
import type { Comparison } from '../../../../rl/diagnostics/comparison';
import type { RolloutView } from '../../../../rl/rollouts/view';
import { sameGroup } from '../../../../share/rollout-groups';
import type { LossToken } from '../../../../algorithms/policy-term';

export interface Curve {
  readonly label: string;
  readonly points: readonly Point[];
}

/** The axis of turns reaches at least this far. */
export const highestTurns = 3;

export const curveOf = (metrics: readonly Metrics[], curve: 'success' | 'turns'): Point[] =>
  metrics.map((each) => ({ x: each.iteration, y: each[curve] }));

/** The steps of a run, as its link has them. */
export const stepsOf = (link: string): number => Number(new URLSearchParams(link).get('steps'));

/** Columns of the comparison by their heads. */
export const shownEstimators = ['GRPO', 'Dr.GRPO', 'RLOO'] as const;

/** The first group of a recorded run. */
export function firstGroup(rollouts: readonly RolloutView[]): RolloutView[] {
  return rollouts.filter((each) => sameGroup(each, rollouts[0])).sort((a, b) => a.index - b.index);
}

/** The rollouts with other rewards. */
export const withRewards = (group: readonly RolloutView[], rewards: readonly number[]): RolloutView[] =>
  group.map((each, i) => ({ ...each, reward: rewards[i] }));

/** [rollouts][estimators] */
export function advantagesOf({ columns }: Comparison, rollouts: number): number[][] {
  const shown = shownEstimators.map((name) => columns.find(({ short }) => short === name)?.credits);
  return Array.from({ length: rollouts }, (_, i) => shown.map((credits) => credits?.[i].whole?.mean ?? 0));
}

/** Of the x axis. */
export const ratios: readonly number[] = Array.from({ length: 80 }, (_, i) => (i + 1) / 40);

/** How likely the token was when it was sampled; the loss depends on the ratio alone. */
const sampled = 0.25;

export const tokenOf = (ratio: number, advantage: number): LossToken => ({
  logProb: Math.log(sampled * ratio),
  oldLogProb: Math.log(sampled),
  advantage,
});

export function longestAttempt(rollouts: readonly RolloutView[]): RolloutView {
  return rollouts.reduce((best, each) => (each.steps.length > best.steps.length ? each : best));
}

/** Tokens of the prompt of each turn, and of what the agent wrote behind it. */
export function readAtTurns({ steps }: RolloutView): { readonly read: number; readonly wrote: number }[] {
  let before = 0;
  return steps.map(({ promptTokens, tokens, continues }) => {
    const read = (continues ? before : 0) + promptTokens.length;
    before = read + tokens.length;
    return { read, wrote: tokens.length };
  });
}
