/**
 * The reference vectors on the CPU in float64: product code where the product computes it there (group advantages, packing
 * weights), else the float64 references that kernels are compared with. Kinds of the GPU are in vectors-gpu.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { groupAdvantages } from '../src/rl/algorithms/grpo';
import { pack } from '../src/rl/packing';
import type { RunConfig } from '../src/rl/config';
import type { Segment } from '../src/rl/segments';
import { entropy, logSoftmax, truncatedProbabilities } from './reference/distribution';
import { klEstimate } from './reference/kl';
import { aggregationWeights, maskedMean, maskedVariance, weightedSum, whiten, type Matrix } from './reference/masked';
import { clipLoss } from './reference/policy-loss';
import { valueLoss } from './reference/value-loss';
import { expectNear, vectorFiles, type VectorCase } from './helpers/vectors';

const float64 = 1e-9;
const float32 = 2e-5;

const later = {
  ppo: 'PPO and its critic are not part of this version',
  reinforce: 'REINFORCE++ is not part of this version',
  losses: 'only the clipped loss is part of this version',
  advantages: 'of the group estimators, only GRPO and Dr. GRPO are part of this version',
  gpu: 'runs on the GPU, in tests/vectors-gpu.test.ts',
} as const;

/** Kinds that nothing here computes, and why. */
const skippedKinds: Readonly<Record<string, string>> = {
  transformer: later.gpu,
  ops: later.gpu,
  gae_token: later.ppo,
  gae_bi_level: later.ppo,
  gae_step: later.ppo,
  gae_token_across_steps: later.ppo,
  kl_in_reward: 'a KL penalty in the reward is not part of this version',
  reinforce_pp: later.reinforce,
  reinforce_step: later.reinforce,
  process_reward: 'scaling of process rewards is not part of this version',
  rollout_filter: 'rollout filters are not part of this version',
  collapse: 'collapse diagnostics are not part of this version',
  overlong: 'the over-long penalty is not part of this version',
};

/** What a runner may say of a case instead of checking it. */
type Outcome = string | void;

const runners: Readonly<Record<string, (vector: VectorCase, tolerance: number) => Outcome>> = {
  whiten({ inputs, params, expected }, tolerance) {
    expectNear(maskedMean(inputs.x, inputs.mask), expected.mean, tolerance, 'mean');
    expectNear(maskedVariance(inputs.x, inputs.mask), expected.variance, tolerance, 'variance');
    expectNear(whiten(inputs.x, inputs.mask, { shiftMean: params.shift_mean, eps: params.eps }), expected.whitened, tolerance, 'whitened');
  },

  group_advantage({ inputs, params, expected }, tolerance) {
    const scores = rowScores(inputs.rewards, inputs.mask);
    expect(params.eps).toBe(1e-6);
    const { grpo, grpo_no_std: noStd } = expected.row_advantage;
    expectNear(byMask(groupAdvantages(scores, inputs.group, true), inputs.mask), grpo, tolerance, 'grpo');
    expectNear(byMask(groupAdvantages(scores, inputs.group, false), inputs.mask), noStd, tolerance, 'grpo_no_std');
    expectExactZeros(groupAdvantages(scores, inputs.group, true), scores, inputs.group);
  },

  group_advantage_step({ inputs, expected }, tolerance) {
    const rowScore = rowScores(inputs.rewards, inputs.mask);
    const trajectories: string[] = [...new Set<string>(inputs.trajectory)];
    const rowOf = (name: string): number => inputs.trajectory.indexOf(name);
    const scores = trajectories.map((name) => rowScore.reduce((sum, score, b) => (inputs.trajectory[b] === name ? sum + score : sum), 0));
    const groups = trajectories.map((name) => inputs.group[rowOf(name)]);
    for (const [key, normalize] of [
      ['grpo', true],
      ['grpo_no_std', false],
    ] as const) {
      const advantages = groupAdvantages(scores, groups, normalize);
      const rows = inputs.trajectory.map((name: string) => advantages[trajectories.indexOf(name)]);
      expectNear(byMask(rows, inputs.mask), expected.row_advantage[key], tolerance, key);
    }
  },

  kl({ inputs, params, expected }, tolerance) {
    const estimate = map(inputs.log_prob as Matrix, (logProb, b, t) => klEstimate(params.estimator, logProb, inputs.ref_log_prob[b][t]));
    expectNear(
      map(estimate, ({ value }) => value),
      expected.kl,
      tolerance,
      'kl',
    );
    expectNear(
      map(estimate, ({ gradient }) => gradient),
      expected.grad_of_sum,
      tolerance,
      'grad_of_sum',
    );
  },

  entropy({ inputs, expected }, tolerance) {
    const { logits, mask, token } = inputs;
    const rows: readonly (readonly number[][])[] = logits;
    const all = map(rows, (z) => entropy(z));
    const values = map(all, ({ value }) => value);
    expectNear(masked(values, mask), masked(expected.entropy, mask), tolerance, 'entropy');
    for (const aggregation of ['token-mean', 'seq-mean-token-mean'] as const) {
      const weights = aggregationWeights(mask, aggregation);
      expectNear(weightedSum(values, weights), expected[aggregation].mean, tolerance, aggregation);
      expectNear(
        map(all, ({ gradient }, b, t) => gradient.map((g) => g * weights[b][t])),
        expected[aggregation].grad_logits,
        tolerance,
        `${aggregation} gradient`,
      );
    }
    for (const [key, want] of Object.entries(expected).filter(([name]) => name.startsWith('log_prob_at_temperature_'))) {
      const temperature = Number(key.slice('log_prob_at_temperature_'.length));
      const got = map(rows, (z, b, t) => logSoftmax(z.map((x) => x / temperature))[token[b][t]]);
      expectNear(masked(got, mask), masked(want as Matrix, mask), tolerance, key);
    }
  },

  sampling({ inputs, params, expected }, tolerance) {
    expectNear(
      truncatedProbabilities(inputs.logits, { temperature: params.temperature, topK: params.top_k, topP: params.top_p }),
      expected.probs,
      tolerance,
      'probs',
    );
  },

  value_loss({ inputs, params, expected }, tolerance) {
    const { value, old_value: old, returns, mask } = inputs;
    const tokens = map(value as Matrix, (v, b, t) => valueLoss(v, old[b][t], returns[b][t], params.clip));
    const weights = aggregationWeights(mask, params.agg);
    expectNear(
      0.5 *
        weightedSum(
          map(tokens, ({ loss }) => loss),
          weights,
        ),
      expected.loss,
      tolerance,
      'loss',
    );
    expectNear(
      maskedMean(
        map(tokens, ({ clipped }) => clipped),
        mask,
      ),
      expected.clip_fraction,
      tolerance,
      'clip_fraction',
    );
    expectNear(
      map(tokens, ({ gradient }, b, t) => (weights[b][t] === 0 ? 0 : 0.5 * gradient * weights[b][t])),
      expected.grad_value,
      tolerance,
      'grad_value',
    );
  },

  policy_loss(vector, tolerance) {
    if (vector.params.kind !== 'clip') return later.losses;
    const { inputs, params, expected } = vector;
    const { tokens, losses, weights, gradient } = clipped(inputs, params, inputs.advantages);
    expectNear(weightedSum(losses, weights), expected.loss, tolerance, 'loss');
    expectNear(gradient, expected.grad_log_prob, tolerance, 'grad_log_prob');
    if (expected.clip_fraction !== undefined) {
      expectNear(
        maskedMean(
          map(tokens, (token) => token.clipped),
          inputs.mask,
        ),
        expected.clip_fraction,
        tolerance,
        'clip_fraction',
      );
      expectNear(
        maskedMean(
          map(tokens, (token) => token.dualClipped),
          inputs.mask,
        ),
        expected.dual_clip_fraction,
        tolerance,
        'dual_clip_fraction',
      );
      expectNear(
        maskedMean(
          map(tokens, (token) => token.kl),
          inputs.mask,
        ),
        expected.approx_kl,
        tolerance,
        'approx_kl',
      );
    }
    if (isProductAggregation(params.agg))
      expectNear(
        packedSum(losses, inputs.mask, params.agg, params.horizon),
        expected.loss,
        Math.max(tolerance, float32),
        'loss of packed rows',
      );
  },

  pipeline({ name, inputs, params, expected }, tolerance) {
    if (!name?.startsWith('GRPO')) return later.ppo;
    const advantages = groupAdvantages(rowScores(inputs.scores, inputs.mask), inputs.group, true);
    const matrix = map(inputs.mask as Matrix, (m, b) => (m === 1 ? advantages[b] : 0));
    expectNear(matrix, expected.advantages, tolerance, 'advantages');
    const { losses, weights, gradient } = clipped(inputs, params, matrix);
    const kl = map(inputs.log_prob as Matrix, (logProb, b, t) => klEstimate(params.estimator, logProb, inputs.ref_log_prob[b][t]));
    const policyLoss = weightedSum(losses, weights);
    const klLoss = weightedSum(
      map(kl, ({ value }) => value),
      weights,
    );
    expectNear(policyLoss, expected.policy_loss, tolerance, 'policy_loss');
    expectNear(klLoss, expected.kl, tolerance, 'kl');
    expectNear(policyLoss + params.kl_coef * klLoss, expected.loss, tolerance, 'loss');
    expectNear(
      map(gradient, (g, b, t) => g + params.kl_coef * kl[b][t].gradient * weights[b][t]),
      expected.grad_log_prob,
      tolerance,
      'grad_log_prob',
    );
  },
};

for (const file of vectorFiles()) {
  describe(file.path, () => {
    const runner = runners[file.kind];
    if (!runner) {
      const reason = skippedKinds[file.kind] ?? `kind "${file.kind}" is not known to this version`;
      test(file.kind, ({ skip }) => skip(reason));
      return;
    }
    for (const vector of file.cases) {
      test(vector.name ?? file.kind, ({ skip }) => {
        const reason = runner(vector, vector.tolerance ?? float64);
        if (reason) skip(reason);
      });
    }
    if (file.kind.startsWith('group_advantage')) test('other estimators', ({ skip }) => skip(later.advantages));
  });
}

function map<A, B>(matrix: readonly (readonly A[])[], f: (value: A, b: number, t: number) => B): B[][] {
  return matrix.map((row, b) => row.map((value, t) => f(value, b, t)));
}

function masked(matrix: Matrix, mask: Matrix): number[][] {
  return map(matrix, (value, b, t) => (mask[b][t] === 1 ? value : 0));
}

/** Sum of masked-in rewards of each row. */
function rowScores(rewards: Matrix, mask: Matrix): number[] {
  return rewards.map((row, b) => row.reduce((sum, reward, t) => (mask[b][t] === 1 ? sum + reward : sum), 0));
}

/** A row's value at its action tokens: 0 for a row without any. */
function byMask(values: ArrayLike<number>, mask: Matrix): number[] {
  return mask.map((row, b) => (row.includes(1) ? values[b] : 0));
}

/** Groups with equal rewards give exactly 0, not a small number. */
function expectExactZeros(advantages: Float64Array, scores: readonly number[], groups: readonly string[]): void {
  for (const name of new Set(groups)) {
    const members = groups.flatMap((group, i) => (group === name ? [i] : []));
    const isEqual = members.length > 1 && members.every((i) => scores[i] === scores[members[0]]);
    if (isEqual) expect(members.map((i) => advantages[i])).toEqual(members.map(() => 0));
  }
}

function clipped(inputs: VectorCase['inputs'], params: VectorCase['params'], advantages: Matrix) {
  const constants = { clipLow: params.clip_low, clipHigh: params.clip_high, dualClip: params.dual_clip };
  const tokens = map(inputs.log_prob as Matrix, (logProb, b, t) =>
    clipLoss(logProb, inputs.old_log_prob[b][t], advantages[b][t], constants),
  );
  const weights = aggregationWeights(inputs.mask, params.agg, params.horizon);
  return {
    tokens,
    weights,
    losses: map(tokens, ({ loss }) => loss),
    gradient: map(tokens, ({ gradient }, b, t) => (weights[b][t] === 0 ? 0 : gradient * weights[b][t])),
  };
}

type ProductAggregation = RunConfig['algorithm']['aggregation'];

function isProductAggregation(name: string): name is ProductAggregation {
  return ['token-mean', 'seq-mean-token-mean', 'seq-mean-token-sum', 'seq-mean-token-sum-norm'].includes(name);
}

/** The same loss through the product's packing into small micro-batches: a row becomes a segment behind one prompt token. */
function packedSum(losses: Matrix, mask: Matrix, aggregation: ProductAggregation, horizon = losses[0].length): number {
  const T = losses[0].length;
  const segments: Segment[] = mask.map((row, trajectory) => ({
    trajectory,
    tokens: new Uint32Array(T + 1),
    inLoss: Uint8Array.from([0, ...row]),
    sampled: Uint8Array.from([0, ...row]),
    oldLogProb: new Float64Array(T + 1),
    advantage: new Float64Array(T + 1),
    step: new Uint32Array(T + 1),
    index: Uint32Array.from({ length: T + 1 }, (_, i) => i),
  }));
  const { microBatches } = pack(segments, { rows: 1, length: T, aggregation, horizon });
  let sum = 0;
  for (const { weight, trajectory, index } of microBatches) weight.forEach((w, n) => (sum += w * losses[trajectory[n]][index[n] - 1]));
  return sum;
}
