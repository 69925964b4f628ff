/**
 * The fused policy loss on the GPU against the reference vectors: values, gradients, clip fractions, KL and entropy,
 * for every kind.
 */
import { describe, expect, test } from 'vitest';
import {
  policyLoss,
  policySettings,
  writePolicySettings,
  type KlEstimator,
  type LossTerms,
  type PolicyLossKind,
  type PolicyLossSettings,
} from '../../src/ops/policy-loss';
import { Rows } from '../../src/ops/rows';
import { testDevice, onBothDevices } from '../helpers/devices';
import { runLoss, type LossResult } from '../helpers/loss-harness';
import { siteWeights } from '../helpers/site-weights';
import { expectNear, vectorsOf, type VectorCase } from '../helpers/vectors';
import { rowLosses, type LossRow } from '../reference/policy-loss';

onBothDevices(() => {
  type Sites = [old: number, reference: number, advantage: number, weight: number][];

  const neutral: PolicyLossSettings = {
    temperature: 1,
    clipLow: 0.2,
    clipHigh: 0.2,
    dualClip: 3,
    klCoefficient: 0,
    entropyCoefficient: 0,
  };
  const kinds = Object.keys(rowLosses) as PolicyLossKind[];

  async function run(
    logits: number[][],
    targets: number[],
    sites: Sites,
    change: Partial<PolicyLossSettings>,
    terms: Partial<LossTerms> = {},
    sequenceOf?: number[],
  ): Promise<LossResult> {
    const device = await testDevice();
    const settings = policySettings(device);
    writePolicySettings(device, settings, { ...neutral, ...change });
    const both: LossTerms = { kind: 'clip', kl: 'k3', ...terms };
    return runLoss(
      logits,
      targets,
      sites,
      (tape, tensor, inputs) => policyLoss(tape, tensor, inputs, settings, new Rows(tape, logits.length), both),
      sequenceOf,
    );
  }

  /** Two logits whose log-softmax at 0 is a given log-prob. */
  const logitsOf = (logProb: number): number[] => [logProb, Math.log(-Math.expm1(logProb))];
  /** d loss / d log-prob from the gradient at such a pair: the other logit moves the log-prob by p − 1. */
  const slopeOf = (gradient: Float32Array, n: number, logProb: number): number =>
    gradient[2 * n + 1] / Math.expm1(logProb);

  /** Masked-in positions as [b, t]. */
  const sitesOf = (mask: number[][]): [number, number][] =>
    mask.flatMap((row, b) => row.flatMap((m, t) => (m ? [[b, t] as [number, number]] : [])));

  const settingsOf = (params: VectorCase['params']): Partial<PolicyLossSettings> => ({
    clipLow: params.clip_low,
    clipHigh: params.clip_high,
    dualClip: params.dual_clip ?? neutral.dualClip,
    klCoefficient: params.kl_coef ?? 0,
  });

  /** Loss, KL and statistics of a vector's rows, each a sequence; checks the gradient on the way. */
  async function lossOfRows({ inputs, params, expected }: VectorCase, advantages: number[][], tolerance: number) {
    const { old_log_prob, log_prob, ref_log_prob, mask } = inputs;
    const places = sitesOf(mask);
    const weights = siteWeights(mask, params.agg, params.horizon);
    // The clipped loss depends on the difference alone; a log-prob of 0 or above, which no logits give, is moved down
    // with its old one.
    const shift = (b: number, t: number) => (log_prob[b][t] < 0 ? 0 : log_prob[b][t] + 0.01);
    const { stats, gradient } = await run(
      places.map(([b, t]) => logitsOf(log_prob[b][t] - shift(b, t))),
      places.map(() => 0),
      places.map(([b, t]) => [
        old_log_prob[b][t] - shift(b, t),
        ref_log_prob?.[b][t] ?? 0,
        advantages[b][t],
        weights[b][t],
      ]),
      settingsOf(params),
      { kind: params.kind ?? 'clip', kl: params.estimator ?? 'k3' },
      places.map(([b]) => b),
    );
    places.forEach(([b, t], n) =>
      expectNear(
        slopeOf(gradient, n, log_prob[b][t] - shift(b, t)),
        expected.grad_log_prob[b][t],
        tolerance,
        `grad_log_prob[${b}][${t}]`,
      ),
    );
    const column = (k: number) => places.map((_, n) => stats[n * 8 + k]);
    const sum = (values: number[]) =>
      values.reduce((total, value, n) => total + value * weights[places[n][0]][places[n][1]], 0);
    return { loss: sum(column(2)), kl: sum(column(3)), column };
  }

  async function checkKind(vector: VectorCase): Promise<void> {
    const { inputs, expected, tolerance = 2e-5 } = vector;
    if (sitesOf(inputs.mask).length === 0) {
      expect(expected.loss, 'an empty mask gives loss 0, and no site reaches the kernel').toBe(0);
      return;
    }
    const { loss, column } = await lossOfRows(vector, inputs.advantages, tolerance);
    expectNear(loss, expected.loss, tolerance, 'loss');
    if (expected.clip_fraction === undefined) return;
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    expectNear(mean(column(5)), expected.clip_fraction, 1e-6, 'clip fraction');
    expectNear(mean(column(6)), expected.dual_clip_fraction, 1e-6, 'dual clip fraction');
    expectNear(
      mean(column(7).map((kl) => Math.min(20, Math.max(-20, kl)))),
      expected.approx_kl,
      tolerance,
      'approximate KL',
    );
  }

  describe('policy loss', () => {
    for (const file of vectorsOf('policy_loss'))
      for (const item of file.cases) test(`${file.path}: ${item.name}`, () => checkKind(item));
  });

  describe('policy loss of whole recipes, from their advantages', () => {
    const sequenceRatio = { kind: 'gspo', agg: 'seq-mean-token-mean' };
    for (const file of vectorsOf('pipeline'))
      for (const { name, inputs, params, expected, tolerance = 2e-5 } of file.cases)
        test(`${file.path}: ${name}`, async () => {
          // The first recipe has its KL in the reward, the last a ratio a sequence.
          const ofLoss = name?.startsWith('PSPO') ? { ...params, ...sequenceRatio } : params;
          const { loss, kl } = await lossOfRows({ inputs, params: ofLoss, expected }, expected.advantages, tolerance);
          expectNear(loss, expected.policy_loss, tolerance, 'policy loss');
          if (expected.kl !== undefined) expectNear(kl, expected.kl, tolerance, 'KL');
        });
  });

  describe('the float64 references', () => {
    const constants = { clipLow: 0.2, clipHigh: 0.3, dualClip: 3, tauPositive: 1, tauNegative: 1.05 };
    const row: LossRow = {
      logProb: [-0.5, -1.2, -0.9, -2, -0.3, -1.1],
      oldLogProb: [-0.55, -0.8, -1.5, -1.95, -0.31, -1.1],
      advantage: [0.7, 0.7, 0.7, 0.7, 0.7, 0.7],
      mask: [1, 1, 0, 1, 1, 1],
    };
    const rows = [row, { ...row, advantage: row.advantage.map((a) => -a) }];
    const mean = (kind: PolicyLossKind, of: LossRow) =>
      rowLosses[kind](of, constants).reduce((sum, { loss }) => sum + loss / 5, 0);

    test.each(kinds)('of %s have the gradients of their losses', (kind) => {
      for (const each of rows)
        rowLosses[kind](each, constants).forEach(({ gradient }, t) => {
          const moved = (h: number) => each.logProb.map((value, u) => (u === t ? value + h : value));
          // A ratio that is a constant to the gradient is kept: the old log-prob moves along.
          const old = (h: number) =>
            kind === 'cispo' ? each.oldLogProb.map((value, u) => (u === t ? value + h : value)) : each.oldLogProb;
          const at = (h: number) => mean(kind, { ...each, logProb: moved(h), oldLogProb: old(h) });
          expectNear((at(1e-6) - at(-1e-6)) / 2e-6, gradient / 5, 1e-7, `token ${t}`);
        });
    });
  });

  describe('extreme ratios and mixed advantages agree with the float64 references', () => {
    const constants = { clipLow: 0.2, clipHigh: 0.3, dualClip: 3, tauPositive: 1, tauNegative: 1.05 };
    const ratios = [
      [0.1, -0.3, 0.5, 0, -0.1, 0.25],
      [25, -25, 21, -21, 3, -3],
      [22, 14, 30, 6, 12, 9],
    ];
    const rows: LossRow[] = ratios.map((row) => ({
      logProb: row.map((x) => Math.min(-0.5, -0.5 + x)),
      oldLogProb: row.map((x) => Math.min(-0.5, -0.5 - x)),
      advantage: [0.5, -1, 0, 2, -0.25, 1.5],
      mask: row.map(() => 1),
    }));

    test.each(kinds)('%s', async (kind) => {
      const column = (pick: (row: LossRow) => readonly number[]) => rows.flatMap((row) => [...pick(row)]);
      const logProbs = column((row) => row.logProb);
      const [old, advantages] = [column((row) => row.oldLogProb), column((row) => row.advantage)];
      const { stats, gradient } = await run(
        logProbs.map(logitsOf),
        logProbs.map(() => 0),
        logProbs.map((_, n) => [old[n], 0, advantages[n], 1]),
        constants,
        { kind },
        ratios.flatMap((row, b) => row.map(() => b)),
      );
      const expected = rows.flatMap((row) => rowLosses[kind](row, constants));
      expected.forEach((token, n) => {
        expectNear(stats[n * 8 + 2], token.loss, 5e-5, `loss of token ${n}`);
        expectNear(slopeOf(gradient, n, logProbs[n]), token.gradient, 5e-5, `gradient of token ${n}`);
        expect([stats[n * 8 + 5], stats[n * 8 + 6]], `what is clipped at token ${n}`).toEqual([
          token.clipped,
          token.dualClipped,
        ]);
      });
    });
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
              if (mask[b][t] || expected[key][b][t] !== 0)
                expectNear(result.stats[n * 8], expected[key][b][t], 2e-5, `${key}[${b}][${t}]`);
              if (temperature === 1)
                expectNear(result.stats[n * 8 + 1], expected.entropy[b][t], 2e-5, `entropy[${b}][${t}]`);
            });
          }
          for (const aggregation of ['token-mean', 'seq-mean-token-mean']) {
            const weights = siteWeights(mask, aggregation);
            const trained = sitesOf(mask);
            const result = await run(
              trained.map(([b, t]) => logits[b][t]),
              trained.map(([b, t]) => token[b][t]),
              trained.map(([b, t]) => [0, 0, 0, weights[b][t]]),
              { entropyCoefficient: -1 },
            );
            const mean = trained.reduce((sum, [b, t], n) => sum + weights[b][t] * result.stats[n * 8 + 1], 0);
            expectNear(mean, expected[aggregation].mean, 2e-5, aggregation);
            const V = logits[0][0].length;
            trained.forEach(([b, t], n) =>
              expectNear(
                Array.from(result.gradient.slice(n * V, (n + 1) * V)),
                expected[aggregation].grad_logits[b][t],
                2e-5,
                `gradient of ${aggregation} at [${b}][${t}]`,
              ),
            );
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
    for (const file of vectorsOf('kl'))
      for (const { name, inputs, params, expected } of file.cases)
        test(`${file.path}: ${name}`, async () => {
          const places = (inputs.log_prob as number[][]).flatMap((row, b) => row.map((_, t) => [b, t]));
          const { stats, gradient } = await run(
            places.map(([b, t]) => logitsOf(inputs.log_prob[b][t])),
            places.map(() => 0),
            places.map(([b, t]) => [inputs.log_prob[b][t], inputs.ref_log_prob[b][t], 0, 1]),
            { klCoefficient: 1 },
            { kl: params.estimator as KlEstimator },
          );
          places.forEach(([b, t], n) => {
            expectNear(stats[n * 8 + 3], expected.kl[b][t], 2e-5, `kl[${b}][${t}]`);
            expectNear(
              slopeOf(gradient, n, inputs.log_prob[b][t]),
              expected.grad_of_sum[b][t],
              2e-5,
              `gradient[${b}][${t}]`,
            );
          });
        });
  });

  describe('large vocabularies (a workgroup a site) and small ones (a thread a site) give the same numbers', () => {
    const wide = Array.from({ length: 150 }, (_, n) =>
      Array.from({ length: 300 }, (_, v) => (v < 40 ? Math.sin(n + v) : -1e4)),
    );
    const narrow = wide.map((row) => row.slice(0, 40));
    const labels = wide.map((_, n): Sites[number] => [-3 + (n % 9) / 10, -3.2, (n % 5) - 2, n % 11 === 0 ? 0 : 0.2]);
    const targets = wide.map((_, n) => (n * 7) % 40);
    const sequenceOf = wide.map((_, n) => Math.floor(Math.sqrt(n)));
    const change = { clipLow: 0.1, clipHigh: 0.1, klCoefficient: 0.1, entropyCoefficient: 0.01 };

    test.each(kinds)('%s', async (kind) => {
      const [a, b] = [
        await run(wide, targets, labels, change, { kind }, sequenceOf),
        await run(narrow, targets, labels, change, { kind }, sequenceOf),
      ];
      expectNear(Array.from(a.stats), Array.from(b.stats), 2e-5, 'statistics');
      narrow.forEach((row, n) =>
        expectNear(
          Array.from(a.gradient.slice(n * 300, n * 300 + 40)),
          Array.from(b.gradient.slice(n * 40, n * 40 + row.length)),
          1e-5,
          `gradient of site ${n}`,
        ),
      );
    });
  });

  test('a kind that looks at sequences refuses inputs that have none', async () => {
    const device = await testDevice();
    const settings = policySettings(device);
    const build = runLoss([[0, 1]], [0], [[0, 0, 1, 1]], (tape, logits, { targets, sites, stats }) =>
      policyLoss(tape, logits, { targets, sites, stats }, settings, new Rows(tape, 1), { kind: 'gspo', kl: 'k3' }),
    );
    await expect(build).rejects.toThrow(/which sites make one/);
  });
});
