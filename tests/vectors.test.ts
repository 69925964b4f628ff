/**
 * The reference vectors on the CPU in float64. Advantages, rewards and packing weights are the product's own
 * (helpers/advantage-vectors.ts). What the product computes in kernels alone is computed here by tests/reference; the
 * test that compares the kernel with the same vectors stands in the name.
 */
import { describe, test } from 'vitest';
import { episodeReward } from '../src/algorithms/episodes/episode';
import { groupAdvantages } from '../src/algorithms/grpo';
import { tokenGae } from '../src/algorithms/token-gae';
import { whitenTokens } from '../src/algorithms/episodes/whiten';
import { penaliseKl } from '../src/algorithms/rewards/kl-penalty';
import { eachSite, pack } from '../src/rl/learner/packing';
import type { RunConfig } from '../src/config/config';
import type { Segment } from '../src/rl/learner/segments';
import { entropy, logSoftmax, truncatedProbabilities } from './reference/distribution';
import { klEstimate } from './reference/kl';
import { aggregationWeights, maskedMean, maskedVariance, weightedSum, whiten, type Matrix } from './reference/masked';
import { rowLosses, type TokenLoss } from './reference/policy-loss';
import { valueLoss } from './reference/value-loss';
import { advantageRunners, arrays, firstSteps, oneStep, rowEpisodes, stepRows } from './helpers/advantage-vectors';
import { estimateOf } from './helpers/estimates';
import { expectNear, vectorFiles, type VectorCase } from './helpers/vectors';

const float64 = 1e-9;
const float32 = 2e-5;

/** Kinds that other tests run on the GPU. */
const elsewhere = ['transformer', 'ops'];

/** Kinds that tests/reference computes here, and the test that compares the product's kernel with the same vectors. */
const kernelTests: Readonly<Record<string, string>> = {
  kl: 'tests/ops/policy-loss.test.ts',
  entropy: 'tests/ops/policy-loss.test.ts',
  policy_loss: 'tests/ops/policy-loss.test.ts',
  sampling: 'tests/model/sampler.test.ts',
  value_loss: 'tests/ops/value-loss.test.ts',
};

const runners: Readonly<Record<string, (vector: VectorCase, tolerance: number) => void>> = {
  ...advantageRunners,

  whiten({ inputs, params, expected }, tolerance) {
    expectNear(maskedMean(inputs.x, inputs.mask), expected.mean, tolerance, 'mean');
    expectNear(maskedVariance(inputs.x, inputs.mask), expected.variance, tolerance, 'variance');
    expectNear(
      whiten(inputs.x, inputs.mask, { shiftMean: params.shift_mean, eps: params.eps }),
      expected.whitened,
      tolerance,
      'whitened',
    );
    if (!params.shift_mean) return;
    const product = whitenTokens(
      rowEpisodes(inputs.x, inputs.mask),
      oneStep(inputs.x).map(([row]) => [Float64Array.from(row)]),
    );
    expectNear(arrays(firstSteps(product)), expected.whitened, tolerance, 'whitened by the product');
  },

  kl({ inputs, params, expected }, tolerance) {
    const estimate = map(inputs.log_prob as Matrix, (logProb, b, t) =>
      klEstimate(params.estimator, logProb, inputs.ref_log_prob[b][t]),
    );
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
    for (const [key, want] of Object.entries(expected).filter(([name]) =>
      name.startsWith('log_prob_at_temperature_'),
    )) {
      const temperature = Number(key.slice('log_prob_at_temperature_'.length));
      const got = map(rows, (z, b, t) => logSoftmax(z.map((x) => x / temperature))[token[b][t]]);
      expectNear(masked(got, mask), masked(want as Matrix, mask), tolerance, key);
    }
  },

  sampling({ inputs, params, expected }, tolerance) {
    expectNear(
      truncatedProbabilities(inputs.logits, {
        temperature: params.temperature,
        topK: params.top_k,
        topP: params.top_p,
      }),
      expected.probs,
      tolerance,
      'probs',
    );
  },

  value_loss({ inputs, params, expected }, tolerance) {
    expectNear(
      expectValueLoss(
        { inputs, params, expected: { value_loss: expected.loss, grad_value: expected.grad_value } },
        tolerance,
      ),
      expected.clip_fraction,
      tolerance,
      'clip_fraction',
    );
  },

  policy_loss({ inputs, params, expected }, tolerance) {
    const { tokens, losses, weights, gradient } = policyLosses(inputs, params, inputs.advantages);
    expectNear(weightedSum(losses, weights), expected.loss, tolerance, 'loss');
    expectNear(gradient, expected.grad_log_prob, tolerance, 'grad_log_prob');
    const means = { clip_fraction: 'clipped', dual_clip_fraction: 'dualClipped', approx_kl: 'kl' } as const;
    for (const [key, column] of Object.entries(means)) {
      if (expected[key] === undefined) continue;
      const values = map(tokens, (token) => token[column]);
      expectNear(maskedMean(values, inputs.mask), expected[key], tolerance, key);
    }
    if (isProductAggregation(params.agg))
      expectNear(
        packedSum(losses, inputs.mask, params.agg, params.horizon),
        expected.loss,
        Math.max(tolerance, float32),
        'loss of packed rows',
      );
  },

  pipeline(vector, tolerance) {
    if (vector.name?.startsWith('GRPO')) grpoPipeline(vector, tolerance);
    else if (vector.name?.startsWith('PPO')) ppoPipeline(vector, tolerance);
    else if (vector.name?.startsWith('PSPO')) pspoPipeline(vector, tolerance);
    else throw new Error(`No test knows the pipeline “${vector.name}”.`);
  },
};

for (const { path, kind, cases } of vectorFiles().filter((file) => !elsewhere.includes(file.kind))) {
  describe(kernelTests[kind] ? `${path}: tests/reference (the kernel: ${kernelTests[kind]})` : path, () => {
    const runner = runners[kind];
    if (!runner)
      return test(kind, () => {
        throw new Error(`No test knows vectors of the kind “${kind}”.`);
      });
    for (const vector of cases) test(vector.name ?? kind, () => runner(vector, vector.tolerance ?? float64));
  });
}

function grpoPipeline({ inputs, params, expected }: VectorCase, tolerance: number): void {
  const scores = rowEpisodes(inputs.scores, inputs.mask).map(episodeReward);
  const advantages = groupAdvantages(scores, inputs.group, true);
  const matrix = map(inputs.mask as Matrix, (m, b) => (m === 1 ? advantages[b] : 0));
  expectNear(matrix, expected.advantages, tolerance, 'advantages');
  const { losses, weights, gradient } = policyLosses(inputs, params, matrix);
  const kl = map(inputs.log_prob as Matrix, (logProb, b, t) =>
    klEstimate(params.estimator, logProb, inputs.ref_log_prob[b][t]),
  );
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
}

function ppoPipeline({ inputs, params, expected }: VectorCase, tolerance: number): void {
  const { estimator, beta, gamma, lam: lambda } = params;
  const unpenalised = rowEpisodes(inputs.scores, inputs.mask);
  const episodes = penaliseKl(unpenalised, oneStep(inputs.old_log_prob), oneStep(inputs.ref_log_prob), {
    estimator,
    beta,
  });
  const rewards = episodes.map(({ steps }) => Array.from(steps[0].rewards));
  expectNear(rewards, expected.rewards, tolerance, 'rewards');
  const gae = tokenGae(episodes, oneStep(inputs.old_value), { gamma, lambda, gaeAcross: 'episode' });
  const advantages = arrays(firstSteps(whitenTokens(episodes, gae.advantages)));
  const returns = arrays(firstSteps(gae.returns));
  expectNear(advantages, expected.advantages, tolerance, 'advantages');
  expectNear(returns, expected.returns, tolerance, 'returns');
  const { losses, weights, gradient } = policyLosses(inputs, params, advantages);
  expectNear(weightedSum(losses, weights), expected.policy_loss, tolerance, 'policy_loss');
  expectNear(gradient, expected.grad_log_prob, tolerance, 'grad_log_prob');
  expectValueLoss(
    { inputs: { ...inputs, returns }, params: { clip: params.value_clip, agg: params.agg }, expected },
    tolerance,
  );
}

function pspoPipeline({ inputs, params, expected }: VectorCase, tolerance: number): void {
  const { gamma, lam: lambda } = params;
  const rows = stepRows(inputs);
  const gae = estimateOf('step-ppo', rows.episodes, { gamma, lambda }, { values: rows.split(inputs.old_value) });
  const advantages = arrays(rows.join(gae.advantages));
  const returns = arrays(rows.join(gae.returns!));
  expectNear(advantages, expected.advantages, tolerance, 'advantages');
  expectNear(returns, expected.returns, tolerance, 'returns');
  const mask: Matrix = inputs.mask;
  const { losses, weights, gradient } = policyLosses(
    inputs,
    { ...params, kind: 'gspo', agg: 'seq-mean-token-mean' },
    advantages,
  );
  expectNear(weightedSum(losses, weights), expected.policy_loss, tolerance, 'policy_loss');
  expectNear(gradient, expected.grad_log_prob, tolerance, 'grad_log_prob');
  const first = mask.map((row) => row.map((_, t) => (t === 0 ? 1 : 0)));
  expectValueLoss(
    {
      inputs: { ...inputs, returns, mask: first },
      params: { clip: params.value_clip, agg: 'token-mean' },
      expected: { ...expected },
    },
    tolerance,
  );
}

function map<A, B>(matrix: readonly (readonly A[])[], f: (value: A, b: number, t: number) => B): B[][] {
  return matrix.map((row, b) => row.map((value, t) => f(value, b, t)));
}

function masked(matrix: Matrix, mask: Matrix): number[][] {
  return map(matrix, (value, b, t) => (mask[b][t] === 1 ? value : 0));
}

/** Returns the clip fraction. */
function expectValueLoss({ inputs, params, expected }: VectorCase, tolerance: number): number {
  const { value, old_value: old, returns, mask } = inputs;
  const tokens = map(value as Matrix, (v, b, t) => valueLoss(v, old[b][t], returns[b][t], params.clip));
  const weights = aggregationWeights(mask, params.agg);
  const loss = weightedSum(
    map(tokens, (token) => token.loss),
    weights,
  );
  expectNear(0.5 * loss, expected.value_loss, tolerance, 'value loss');
  const gradient = map(tokens, (token, b, t) => (weights[b][t] === 0 ? 0 : 0.5 * token.gradient * weights[b][t]));
  expectNear(gradient, expected.grad_value, tolerance, 'grad_value');
  return maskedMean(
    map(tokens, (token) => token.clipped),
    mask,
  );
}

function policyLosses(inputs: VectorCase['inputs'], params: VectorCase['params'], advantages: Matrix) {
  const constants = {
    clipLow: params.clip_low,
    clipHigh: params.clip_high,
    dualClip: params.dual_clip,
    tauPositive: params.tau_pos,
    tauNegative: params.tau_neg,
  };
  const lossOf = rowLosses[(params.kind ?? 'clip') as keyof typeof rowLosses];
  const tokens: TokenLoss[][] = (inputs.mask as number[][]).map((mask, b) =>
    lossOf(
      { logProb: inputs.log_prob[b], oldLogProb: inputs.old_log_prob[b], advantage: advantages[b], mask },
      constants,
    ),
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

/**
 * The same loss through the product's packing into small micro-batches: a row becomes a segment behind one prompt
 * token.
 */
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
  const batch = pack(segments, { capacity: T, aggregation, lengthNorm: horizon });
  const weights = batch.microBatches.map(({ weight }) => weight);
  let sum = 0;
  eachSite(batch, weights, (segment, token, weight) => (sum += weight * losses[segment][token - 1]));
  return sum;
}
