/**
 * Rewards as the config shapes them before the estimate: process rewards scaled, penalties, clipping, in this order. A
 * penalty is taken off the last token of an action.
 */
import type { Step, Trajectory } from '../../agent/types';
import { withRewards, type Episode } from '../episodes/episode';
import { clipRewards } from './clip';
import { overlongPenalty } from './overlong';
import { scaleProcessRewards } from './process-reward';

/** Settings of a run. Penalties and the clip are 0 where there is none. */
export interface Shaping {
  readonly process: 'as-given' | 'scaled' | 'per-source';
  /** Largest size of a step's reward. */
  readonly clip: number;
  /** Taken off a step whose call is invalid. */
  readonly invalidCall: number;
  /** Taken off an episode `overlongBuffer` tokens beyond `overlongFrom`. */
  readonly overlong: number;
  readonly overlongFrom: number;
  readonly overlongBuffer: number;
}

/** Whether the config leaves rewards as the environment gave them. */
export function leavesRewards({ process, clip, invalidCall, overlong }: Shaping): boolean {
  return process !== 'scaled' && clip === 0 && invalidCall === 0 && overlong === 0;
}

/** @param episodes of the trajectories, in their order */
export function shapeRewards(
  trajectories: readonly Trajectory[],
  episodes: readonly Episode[],
  shaping: Shaping,
): Episode[] {
  let shaped = shaping.process === 'scaled' ? scaleProcess(episodes) : [...episodes];
  if (shaping.invalidCall > 0 || shaping.overlong > 0) shaped = penalise(trajectories, shaped, shaping);
  return shaping.clip > 0 ? clipRewards(shaped, { low: -shaping.clip, high: shaping.clip }) : shaped;
}

/** Scales the rewards of steps before the last; the last step's is the outcome and stays. */
function scaleProcess(episodes: readonly Episode[]): Episode[] {
  const isOutcome = (i: number, k: number) => k === episodes[i].steps.length - 1;
  const scaled = scaleProcessRewards(
    withRewards(episodes, (i, k, t) => (isOutcome(i, k) ? 0 : episodes[i].steps[k].rewards[t])),
  );
  return withRewards(episodes, (i, k, t) => (isOutcome(i, k) ? episodes : scaled)[i].steps[k].rewards[t]);
}

function penalise(trajectories: readonly Trajectory[], episodes: readonly Episode[], shaping: Shaping): Episode[] {
  const penalties = trajectories.map((trajectory) => stepPenalties(trajectory, shaping));
  const isLast = (i: number, k: number, t: number) => t === trajectories[i].steps[k].action.tokens.length - 1;
  return withRewards(episodes, (i, k, t) => episodes[i].steps[k].rewards[t] + (isLast(i, k, t) ? penalties[i][k] : 0));
}

/** Added to each step's reward, 0 or less. */
function stepPenalties(
  { steps }: Trajectory,
  { invalidCall, overlong: factor, overlongFrom, overlongBuffer: buffer }: Shaping,
): number[] {
  const tokens = steps.reduce((sum, { action }) => sum + action.tokens.length, 0);
  const tooLong = factor > 0 ? overlongPenalty(tokens, { longest: overlongFrom + buffer, buffer, factor }) : 0;
  return steps.map((step, k) => (k === steps.length - 1 ? tooLong : 0) - (isInvalid(step) ? invalidCall : 0));
}

/** Whether the agent wrote an invalid call. */
function isInvalid({ error, toolCalls }: Step): boolean {
  const invalid = (kind: string | undefined) =>
    kind === 'malformed' || kind === 'unknown-tool' || kind === 'invalid-arguments';
  return invalid(error) || toolCalls.some((call) => invalid(call.error));
}
