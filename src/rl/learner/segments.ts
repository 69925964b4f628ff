/**
 * Segments: the tokens of a trajectory that attend to each other in a training row. A step whose prompt extends the
 * step before token for token joins its segment, so an appended conversation is computed once. Tokens are copied, never
 * re-encoded.
 */
import type { Action, Trajectory } from '../../agent/types';
import { assert } from '../../lib/assert';
import type { PlacedImage } from '../../text/image';
import type { Credit } from '../../algorithms/credit';
import { newPromptStart, type StepTokens } from '../../algorithms/episodes/prefix';

/** What segments are made of. */
export interface SampledStep extends StepTokens {
  readonly action: Pick<Action, 'tokens' | 'logProbs'>;
}

/** Columns of equal length, one entry a token. */
export interface Segment {
  readonly trajectory: number;
  readonly tokens: Uint32Array; // [n]
  /** Among the tokens. */
  readonly images?: readonly PlacedImage[];
  /** 1 where the token's prediction is trained on. Never the first token, which nothing predicts. */
  readonly inLoss: Uint8Array; // [n]
  /** 1 where the policy sampled the token; elsewhere there is no sampled log-probability. */
  readonly sampled: Uint8Array; // [n]
  /** Log-probability when sampled; 0 where not sampled. */
  readonly oldLogProb: Float64Array; // [n]
  /** 0 without credit. */
  readonly advantage: Float64Array; // [n]
  /** Log-probability under the reference; that of sampling if not given. */
  readonly reference?: Float64Array; // [n]
  /** What a critic is trained on: its estimate before the token by the weights that sampled, and its target. */
  readonly critic?: {
    readonly value: Float64Array; // [n]
    readonly target: Float64Array; // [n]
    /** 1 where it learns, if the token is in the loss. */
    readonly trained: Uint8Array; // [n]
  };
  /** Step the token belongs to: the one that wrote it, or the one whose prompt brought it. */
  readonly step: Uint32Array; // [n]
  /** Index among the step's action tokens if sampled, else among the prompt tokens that are new in the step. */
  readonly index: Uint32Array; // [n]
}

/**
 * The segments of one trajectory, in step order and without credit.
 * @param trajectory index by which its segments refer back to it
 * @param lossMask off: environment tokens after a segment's first action are trained on, too
 */
export function trajectorySegments(
  { steps }: { readonly steps: readonly SampledStep[] },
  trajectory: number,
  lossMask: boolean,
): Segment[] {
  const firsts = [...steps.keys()].filter((k) => newPromptStart(steps, k) === 0);
  return firsts.map((first, i) => segment(steps, first, firsts[i + 1] ?? steps.length, trajectory, lossMask));
}

/** The segments of a demonstration, with advantage 1: cross-entropy is that policy gradient. */
export function demonstrationSegments(source: Trajectory, trajectory: number): Segment[] {
  return trajectorySegments(source, trajectory, true).map((each) => ({
    ...each,
    advantage: Float64Array.from(each.sampled),
  }));
}

/** The segment with its trajectory's credit. @param lossMask on: only agent tokens are trained on */
export function withCredit(segment: Segment, credit: Credit, lossMask: boolean): Segment {
  const { trajectory, sampled, step, index } = segment;
  const n = sampled.length;
  const inLoss = lossMask ? sampled : segment.inLoss;
  const advantage = new Float64Array(n);
  const critic = { value: new Float64Array(n), target: new Float64Array(n), trained: new Uint8Array(n) };
  inLoss.forEach((flag, at) => {
    if (flag === 0) return;
    // What the environment wrote answers the step before the one whose prompt brought it.
    const k = step[at] - (1 - sampled[at]);
    assert(
      k < credit.actions.length,
      `trajectory ${trajectory} has credit for ${credit.actions.length} steps and none for step ${k}.`,
    );
    advantage[at] = (sampled[at] ? credit.actions : credit.environment)[k][index[at]];
    if (!credit.critic) return;
    const t = index[at] + (sampled[at] ? 0 : credit.actions[k].length);
    critic.value[at] = credit.critic.values[k][t];
    critic.target[at] = credit.critic.returns[k][t];
    critic.trained[at] = credit.critic.trained[k][t];
  });
  return { ...segment, inLoss, advantage, ...(credit.critic && { critic }) };
}

/** The segment of steps from `first` up to but not including `end`. */
function segment(
  steps: readonly SampledStep[],
  first: number,
  end: number,
  trajectory: number,
  lossMask: boolean,
): Segment {
  assert(
    steps[first].prompt.length > 0,
    `step ${first} of trajectory ${trajectory} has an empty prompt: its first token has nothing to be predicted from.`,
  );
  const all: { token: number; inLoss: boolean; sampled: boolean; logProb: number; step: number; index: number }[] = [];
  for (let step = first; step < end; step++) {
    const { prompt, action } = steps[step];
    assert(
      action.logProbs.length === action.tokens.length,
      `step ${step} of trajectory ${trajectory}: ${action.tokens.length} tokens, ${action.logProbs.length} log-probs.`,
    );
    const inLoss = step > first && !lossMask;
    prompt.slice(all.length).forEach((token, index) => {
      all.push({ token, inLoss, sampled: false, logProb: 0, step, index });
    });
    action.tokens.forEach((token, index) => {
      all.push({ token, inLoss: true, sampled: true, logProb: action.logProbs[index], step, index });
    });
  }
  const { images } = steps[end - 1];
  return {
    trajectory,
    ...(images && { images }),
    tokens: Uint32Array.from(all, ({ token }) => token),
    inLoss: Uint8Array.from(all, ({ inLoss }) => Number(inLoss)),
    sampled: Uint8Array.from(all, ({ sampled }) => Number(sampled)),
    oldLogProb: Float64Array.from(all, ({ logProb }) => logProb),
    advantage: new Float64Array(all.length),
    step: Uint32Array.from(all, ({ step }) => step),
    index: Uint32Array.from(all, ({ index }) => index),
  };
}
