/** The fused policy loss on the GPU against the reference vectors: values, gradients, clip fractions, KL and entropy. */
import { describe, expect, test } from 'vitest';
import { policyLoss, policySettings, writePolicySettings, type PolicyLossSettings } from '../../src/ops/policy-loss';
import { testDevice } from '../helpers/gpu';
import { runLoss, type LossResult } from '../helpers/loss-harness';
import { siteWeights } from '../helpers/site-weights';
import { expectNear, vectorsOf, type VectorCase } from '../helpers/vectors';

const neutral: PolicyLossSettings = { temperature: 1, clipLow: 0.2, clipHigh: 0.2, dualClip: 3, klCoefficient: 0, entropyCoefficient: 0 };

async function run(
  logits: number[][],
  targets: number[],
  sites: [number, number, number, number][],
  change: Partial<PolicyLossSettings>,
): Promise<LossResult> {
  const device = await testDevice();
  const settings = policySettings(device);
  writePolicySettings(device, settings, { ...neutral, ...change });
  return runLoss(logits, targets, sites, (tape, tensor, inputs) => policyLoss(tape, tensor, inputs, settings, () => logits.length));
}

/** Two logits whose log-softmax at 0 is a given log-prob. */
const logitsOf = (logProb: number): number[] => [logProb, Math.log(-Math.expm1(logProb))];
/** d loss / d log-prob from the gradient at such a pair: logits move the log-prob by 1 − p. */
const slopeOf = (gradient: Float32Array, n: number, logProb: number): number => gradient[2 * n] / -Math.expm1(logProb);

/** Masked-in positions as [b, t]. */
const sitesOf = (mask: number[][]): [number, number][] =>
  mask.flatMap((row, b) => row.flatMap((m, t) => (m ? [[b, t] as [number, number]] : [])));

async function checkClip({ inputs, params, expected, tolerance = 2e-5 }: VectorCase): Promise<void> {
  const { old_log_prob, log_prob, advantages, mask } = inputs;
  const places = sitesOf(mask);
  if (places.length === 0) {
    expect(expected.loss, 'an empty mask gives loss 0, and no site reaches the kernel').toBe(0);
    return;
  }
  const weights = siteWeights(mask, params.agg, params.horizon);
  // The clipped loss depends on the difference alone; a log-prob near or above 0, which no logits give, is moved down with its old one.
  const shift = (b: number, t: number) => Math.max(0, log_prob[b][t] + 0.01);
  const { stats, gradient } = await run(
    places.map(([b, t]) => logitsOf(log_prob[b][t] - shift(b, t))),
    places.map(() => 0),
    places.map(([b, t]) => [old_log_prob[b][t] - shift(b, t), 0, advantages[b][t], weights[b][t]]),
    { clipLow: params.clip_low, clipHigh: params.clip_high, dualClip: params.dual_clip },
  );
  const column = (k: number) => places.map((_, n) => stats[n * 8 + k]);
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  expectNear(
    column(2).reduce((sum, loss, n) => sum + loss * weights[places[n][0]][places[n][1]], 0),
    expected.loss,
    tolerance,
    'loss',
  );
  places.forEach(([b, t], n) =>
    expectNear(slopeOf(gradient, n, log_prob[b][t] - shift(b, t)), expected.grad_log_prob[b][t], tolerance, `grad_log_prob[${b}][${t}]`),
  );
  expectNear(mean(column(5)), expected.clip_fraction, 1e-6, 'clip fraction');
  expectNear(mean(column(6)), expected.dual_clip_fraction, 1e-6, 'dual clip fraction');
  expectNear(mean(column(7).map((kl) => Math.min(20, Math.max(-20, kl)))), expected.approx_kl, tolerance, 'approximate KL');
}

describe('policy loss', () => {
  for (const file of vectorsOf('policy_loss')) {
    for (const item of file.cases) {
      if (item.params.kind === 'clip') test(`${file.path}: ${item.name}`, () => checkClip(item));
      else test(`${file.path}: ${item.name}`, ({ skip }) => skip(`the ${item.params.kind} loss is not part of this version`));
    }
  }
});

describe('entropy and log-prob', () => {
  for (const file of vectorsOf('entropy')) {
    for (const { name, inputs, expected } of file.cases) {
      test(`${file.path}: ${name}`, async () => {
        const { logits, mask, token } = inputs;
        const places = (mask as number[][]).flatMap((row, b) => row.map((_, t) => [b, t]));
        for (const key of Object.keys(expected).filter((each) => each.startsWith('log_prob_at_temperature_'))) {
          const temperature = Number(key.slice('log_prob_at_temperature_'.length));
          const result = await run(
            places.map(([b, t]) => logits[b][t]),
            places.map(([b, t]) => token[b][t]),
            places.map(() => [0, 0, 0, 1]),
            { temperature },
          );
          places.forEach(([b, t], n) => {
            if (mask[b][t] || expected[key][b][t] !== 0) expectNear(result.stats[n * 8], expected[key][b][t], 2e-5, `${key}[${b}][${t}]`);
            if (temperature === 1) expectNear(result.stats[n * 8 + 1], expected.entropy[b][t], 2e-5, `entropy[${b}][${t}]`);
          });
        }
      });
    }
  }

  test('the entropy bonus has the gradient of −coefficient · H', async () => {
    const logits = [0.3, -1.2, 2, 0.1, -0.4];
    const entropy = (z: number[]) => {
      const total = Math.log(z.reduce((sum, v) => sum + Math.exp(v), 0));
      return -z.reduce((sum, v) => sum + Math.exp(v - total) * (v - total), 0);
    };
    const { gradient } = await run([logits], [2], [[0, 0, 0, 1]], { entropyCoefficient: 0.5 });
    logits.forEach((_, v) => {
      const moved = (h: number) => entropy(logits.map((z, u) => (u === v ? z + h : z)));
      expectNear(gradient[v], (-0.5 * (moved(1e-5) - moved(-1e-5))) / 2e-5, 1e-5, `logit ${v}`);
    });
  });
});

describe('KL to the reference', () => {
  for (const file of vectorsOf('kl')) {
    for (const { name, inputs, params, expected } of file.cases) {
      if (params.estimator !== 'k3') {
        test(`${file.path}: ${name}`, ({ skip }) => skip(`the loss uses k3; ${params.estimator} is checked on the CPU`));
        continue;
      }
      test(`${file.path}: ${name}`, async () => {
        const places = (inputs.log_prob as number[][])
          .flatMap((row, b) => row.map((_, t) => [b, t]))
          .filter(([b, t]) => inputs.log_prob[b][t] < 0);
        const { stats, gradient } = await run(
          places.map(([b, t]) => logitsOf(inputs.log_prob[b][t])),
          places.map(() => 0),
          places.map(([b, t]) => [inputs.log_prob[b][t], inputs.ref_log_prob[b][t], 0, 1]),
          { klCoefficient: 1 },
        );
        places.forEach(([b, t], n) => {
          expectNear(stats[n * 8 + 3], expected.kl[b][t], 2e-5, `kl[${b}][${t}]`);
          expectNear(slopeOf(gradient, n, inputs.log_prob[b][t]), expected.grad_of_sum[b][t], 5e-5, `gradient[${b}][${t}]`);
        });
      });
    }
  }
});

test('large vocabularies (a workgroup a site) and small ones (a thread a site) give the same numbers', async () => {
  const wide = Array.from({ length: 5 }, (_, n) => Array.from({ length: 300 }, (_, v) => (v < 40 ? Math.sin(n + v) : -1e4)));
  const narrow = wide.map((row) => row.slice(0, 40));
  const labels = wide.map((_, n): [number, number, number, number] => [-3 + n / 10, -3.2, n - 2, 0.2]);
  const change = { klCoefficient: 0.1, entropyCoefficient: 0.01 };
  const targets = [0, 1, 2, 3, 39];
  const [a, b] = [await run(wide, targets, labels, change), await run(narrow, targets, labels, change)];
  expectNear(Array.from(a.stats), Array.from(b.stats), 1e-5, 'statistics');
  narrow.forEach((row, n) =>
    expectNear(
      Array.from(a.gradient.slice(n * 300, n * 300 + 40)),
      Array.from(b.gradient.slice(n * 40, n * 40 + row.length)),
      1e-5,
      `gradient of site ${n}`,
    ),
  );
});
