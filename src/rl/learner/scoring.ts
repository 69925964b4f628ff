/**
 * Scores sampled trajectories before the update, with a forward pass each: log-probabilities under the reference, those
 * of the environment's tokens under the policy, and the critic's values.
 */
import type { Trajectory } from '../../agent/types';
import type { Algorithm } from '../algorithms/algorithm';
import type { TokenScores } from '../rollouts/estimator-input';
import type { Learner } from './learner';
import { eachSite, fillUnsampled, pack, type PackedBatch, type PackShape } from './packing';
import type { RunConfig } from '../config/config';
import { trajectorySegments, type Segment } from './segments';

export interface TrajectoryScores {
  /** Of each trajectory, without credit: old and reference log-probabilities are filled in. */
  readonly segments: readonly (readonly Segment[])[];
  readonly scores: TokenScores;
  /** Mean k3 estimate of KL(policy that sampled ‖ reference) over the sampled tokens that were compared, nats. */
  readonly kl: number;
}

/** When KL is only logged, it is measured on every 4th trajectory. */
const compareEvery = 4;

/** How segments of a run are packed. */
export function packShape(
  { rows, length }: Learner,
  { algorithm, model }: RunConfig,
  { sequence }: Algorithm,
): PackShape {
  return { rows, length, aggregation: algorithm.aggregation, lengthNorm: model.context, sequence };
}

/** @param compareAll off: an even share of the tokens is compared with the reference, and the rest equals it */
export async function scoreTrajectories(
  trajectories: readonly Trajectory[],
  learner: Learner,
  {
    config,
    algorithm,
    compareAll,
  }: { readonly config: RunConfig; readonly algorithm: Algorithm; readonly compareAll: boolean },
): Promise<TrajectoryScores> {
  const { lossMask, advantageMask } = config.algorithm;
  const { temperature } = config.rollout;
  const agentOnly = lossMask && advantageMask;
  const nested = trajectories.map((trajectory, i) => trajectorySegments(trajectory, i, agentOnly));
  const segments = nested.flat();
  const shape = packShape(learner, config, algorithm);
  const batch = pack(segments, shape);
  const logProbs = async (of: PackedBatch, weights: 'current' | 'reference') =>
    (await learner.score(of, temperature, weights)).map((score) => score.logProbs);
  if (!agentOnly) fillUnsampled(segments, batch, await logProbs(batch, 'current'));
  const references = segments.map(({ oldLogProb }) => oldLogProb.slice());
  const compared = segments.flatMap(({ trajectory }, s) => (compareAll || trajectory % compareEvery === 0 ? [s] : []));
  const comparedBatch = compareAll
    ? batch
    : pack(
        compared.map((s) => segments[s]),
        shape,
      );
  const kl = new Mean();
  eachSite(comparedBatch, await logProbs(comparedBatch, 'reference'), (at, token, value, sampled) => {
    references[compared[at]][token] = value;
    if (!sampled) return;
    const z = value - segments[compared[at]].oldLogProb[token];
    kl.add(Math.exp(z) - z - 1);
  });
  const values = segments.map(({ tokens }) => new Float64Array(tokens.length).fill(NaN));
  if (learner.critic)
    eachSite(batch, await learner.values(batch), (segment, token, value) => (values[segment][token] = value));
  const columns = (column: (segment: Segment, s: number) => Float64Array) =>
    tokenScores(trajectories, segments, column);
  let at = 0;
  return {
    segments: nested.map((own) => own.map((segment) => ({ ...segment, reference: references[at++] }))),
    kl: kl.value,
    scores: {
      logProbs: columns(({ oldLogProb }) => oldLogProb).map(zeroUnknown),
      referenceLogProbs: columns((_, s) => references[s]).map(zeroUnknown),
      ...(learner.critic && { values: columns((_, s) => values[s]).map(carryOn) }),
    },
  };
}

/**
 * Numbers of segments as columns of steps: action tokens, then the answer's. NaN at tokens that are not in the loss.
 */
function tokenScores(
  trajectories: readonly Trajectory[],
  segments: readonly Segment[],
  column: (segment: Segment, s: number) => Float64Array,
): Float64Array[][] {
  const scores = trajectories.map(({ steps }) =>
    steps.map(({ action }, k) =>
      new Float64Array(action.tokens.length + Math.max(1, steps[k + 1]?.prompt.length ?? 0)).fill(NaN),
    ),
  );
  segments.forEach((segment, s) => {
    const numbers = column(segment, s);
    const { steps } = trajectories[segment.trajectory];
    segment.inLoss.forEach((flag, at) => {
      if (flag === 0) return;
      const k = segment.step[at];
      const index = segment.index[at];
      if (segment.sampled[at] === 1) scores[segment.trajectory][k][index] = numbers[at];
      else scores[segment.trajectory][k - 1][steps[k - 1].action.tokens.length + index] = numbers[at];
    });
  });
  return scores;
}

const zeroUnknown = (steps: Float64Array[]): Float64Array[] =>
  steps.map((column) => column.map((value) => (Number.isNaN(value) ? 0 : value)));

/** Tokens that no row holds, such as the answer to a last call, take the value of the token before them. */
function carryOn(steps: Float64Array[]): Float64Array[] {
  let last = 0;
  return steps.map((column) =>
    column.map((value) => {
      if (!Number.isNaN(value)) last = value;
      return last;
    }),
  );
}

class Mean {
  private sum = 0;
  private count = 0;

  add(value: number): void {
    this.sum += value;
    this.count++;
  }

  get value(): number {
    return this.count === 0 ? 0 : this.sum / this.count;
  }
}
