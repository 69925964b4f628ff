/**
 * Scores sampled trajectories before the update, with a forward pass each: log-probabilities under the reference where
 * KL is wanted, those of the environment's tokens under the policy, and the critic's values.
 */
import type { Trajectory } from '../../agent/types';
import { exp } from '../../lib/portable-math';
import type { Algorithm } from '../../algorithms/algorithm';
import type { RunConfig } from '../../config/config';
import { klEstimate } from '../../algorithms/rewards/kl-penalty';
import type { TokenScores } from '../rollouts/estimator-input';
import type { Learner } from './learner';
import { eachSite, fillUnsampled, pack, type PackShape } from './packing';
import { trajectorySegments, type Segment } from './segments';

export interface TrajectoryScores {
  /** Of each trajectory, without credit: old and reference log-probabilities are filled in. */
  readonly segments: readonly (readonly Segment[])[];
  readonly scores: TokenScores;
  /** Mean k3 estimate of KL(policy that sampled ‖ reference) over the sampled tokens, nats; null if not compared. */
  readonly kl: number | null;
  /** The same as the config estimates KL. */
  readonly estimatedKl: number | null;
}

/** How segments of a run are packed. */
export function packShape({ capacity }: Learner, { algorithm, model }: RunConfig, { sequence }: Algorithm): PackShape {
  return { capacity, aggregation: algorithm.aggregation, lengthNorm: model.context, sequence };
}

/** @param compare off: no token is compared with the reference; its log-probabilities equal the old ones */
export async function scoreTrajectories(
  trajectories: readonly Trajectory[],
  learner: Learner,
  config: RunConfig,
  algorithm: Algorithm,
  compare: boolean,
): Promise<TrajectoryScores> {
  const agentOnly = config.algorithm.lossMask && config.algorithm.advantageMask;
  const sampled = trajectories.map((trajectory, i) => trajectorySegments(trajectory, i, agentOnly));
  const batch = pack(sampled.flat(), packShape(learner, config, algorithm));
  const logProbs = async (weights: 'current' | 'reference') =>
    (await learner.score(batch, config.rollout.temperature, weights)).map((score) => score.logProbs);
  if (!agentOnly) fillUnsampled(sampled.flat(), batch, await logProbs('current'));
  const nested = sampled.map((own) => own.map((each) => ({ ...each, reference: each.oldLogProb.slice() })));
  const segments = nested.flat();
  let [kl, estimatedKl, count] = [0, 0, 0];
  const note = (s: number, token: number, value: number) => {
    const { reference, oldLogProb, sampled } = segments[s];
    reference[token] = value;
    if (sampled[token] === 0) return;
    const z = value - oldLogProb[token];
    kl += exp(z) - z - 1;
    estimatedKl += klEstimate(config.algorithm.klEstimator, oldLogProb[token], value);
    count++;
  };
  if (compare) eachSite(batch, await logProbs('reference'), note);
  const values = segments.map(({ tokens }) => new Float64Array(tokens.length).fill(NaN));
  if (learner.critic) eachSite(batch, await learner.values(batch), (s, token, value) => (values[s][token] = value));
  const columns = (numbers: readonly Float64Array[], missing: number) =>
    tokenScores(trajectories, segments, numbers, missing);
  const oldLogProbs = segments.map(({ oldLogProb }) => oldLogProb);
  const references = segments.map(({ reference }) => reference);
  return {
    segments: nested,
    kl: count === 0 ? null : kl / count,
    estimatedKl: count === 0 ? null : estimatedKl / count,
    scores: {
      logProbs: columns(oldLogProbs, 0),
      referenceLogProbs: columns(references, 0),
      ...(learner.critic && { values: columns(values, NaN).map(carryOn) }),
    },
  };
}

/** Numbers of segments as columns of steps: action tokens, then the answer's; `missing` where not in the loss. */
function tokenScores(
  trajectories: readonly Trajectory[],
  segments: readonly Segment[],
  numbers: readonly Float64Array[],
  missing: number,
): Float64Array[][] {
  const scores = trajectories.map(({ steps }) =>
    steps.map(({ action }, k) =>
      new Float64Array(action.tokens.length + Math.max(1, steps[k + 1]?.prompt.length ?? 0)).fill(missing),
    ),
  );
  segments.forEach(({ trajectory, inLoss, sampled, step, index }, s) => {
    const { steps } = trajectories[trajectory];
    inLoss.forEach((flag, at) => {
      if (flag === 0) return;
      const k = step[at] - (1 - sampled[at]);
      const t = index[at] + (sampled[at] ? 0 : steps[k].action.tokens.length);
      scores[trajectory][k][t] = numbers[s][at];
    });
  });
  return scores;
}

/** Tokens that no row holds, such as the answer to a last call, take the value of the token before them. */
function carryOn(steps: readonly Float64Array[]): Float64Array[] {
  let last = 0;
  return steps.map((column) => column.map((value) => (last = Number.isNaN(value) ? last : value)));
}
