/**
 * Rewards as the config shapes them before the estimate: process rewards scaled, penalties, clipping, in this order. A
 * penalty is taken off the last token of an action.
 */
import type { Step } from '../../agent/types';
import { walkBack, withRewards, type Episode } from '../episodes/episode';
import { cappedOverlongPenalty } from './overlong';

const processEpsilon = 1e-6;

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

/** What penalties depend on. */
interface PenalisedRollout {
  readonly steps: readonly (Pick<Step, 'error' | 'toolCalls'> & { readonly tokens: readonly number[] })[];
}

/** Whether the config leaves rewards as the environment gave them. */
export function leavesRewards({ process, clip, invalidCall, overlong }: Shaping): boolean {
  return process !== 'scaled' && clip === 0 && invalidCall === 0 && overlong === 0;
}

/** @param episodes of the rollouts, in their order */
export function shapeRewards(
  rollouts: readonly PenalisedRollout[],
  episodes: readonly Episode[],
  shaping: Shaping,
): Episode[] {
  const isOutcome = (i: number, k: number) => k === episodes[i].steps.length - 1;
  let shaped = shaping.process === 'scaled' ? scaleProcessRewards(episodes, isOutcome) : [...episodes];
  if (shaping.invalidCall > 0 || shaping.overlong > 0) shaped = penalise(rollouts, shaped, shaping);
  return shaping.clip > 0 ? clipRewards(shaped, shaping.clip) : shaped;
}

/**
 * Process rewards brought to one scale beside the outcome's; no reward at all stays 0.
 *
 *   p_t / (M + 1e-6)        M = largest |Σ_{t' ≥ t} p_t'| of the batch
 *
 * Cui et al. 2025, PRIME (arXiv 2502.01456), whose estimator is in algorithms/rloo.ts.
 * @param isOutcome whether step k of episode i has no process reward, and keeps what it has
 */
export function scaleProcessRewards(
  episodes: readonly Episode[],
  isOutcome: (i: number, k: number) => boolean = () => false,
): Episode[] {
  let largest = 0;
  episodes.forEach((episode, i) => {
    let sum = 0;
    walkBack(episode, (k, t) => {
      if (!isOutcome(i, k)) sum += episode.steps[k].rewards[t];
      largest = Math.max(largest, Math.abs(sum));
    });
  });
  return withRewards(
    episodes,
    (i, k, t) => episodes[i].steps[k].rewards[t] / (isOutcome(i, k) ? 1 : largest + processEpsilon),
  );
}

/** Clips each token's reward to ±`bound`, so that a rare event cannot outweigh a batch. Masked tokens get 0. */
export function clipRewards(episodes: readonly Episode[], bound: number): Episode[] {
  return withRewards(episodes, (i, k, t) => Math.min(bound, Math.max(-bound, episodes[i].steps[k].rewards[t])));
}

function penalise(rollouts: readonly PenalisedRollout[], episodes: readonly Episode[], shaping: Shaping): Episode[] {
  const { invalidCall, overlong: factor, overlongFrom, overlongBuffer: buffer } = shaping;
  const penalties = rollouts.map(({ steps }) => {
    const written = steps.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const tooLong = factor > 0 ? cappedOverlongPenalty(written, { longest: overlongFrom + buffer, buffer, factor }) : 0;
    return steps.map((step, k) => (k === steps.length - 1 ? tooLong : 0) - (isInvalid(step) ? invalidCall : 0));
  });
  const isLast = (i: number, k: number, t: number) => t === rollouts[i].steps[k].tokens.length - 1;
  return withRewards(episodes, (i, k, t) => episodes[i].steps[k].rewards[t] + (isLast(i, k, t) ? penalties[i][k] : 0));
}

/** Whether the agent wrote an invalid call. */
function isInvalid({ error, toolCalls }: Pick<Step, 'error' | 'toolCalls'>): boolean {
  const invalid = ['malformed', 'unknown-tool', 'invalid-arguments'];
  return [error, ...toolCalls.map((call) => call.error)].some((kind) => kind !== undefined && invalid.includes(kind));
}
