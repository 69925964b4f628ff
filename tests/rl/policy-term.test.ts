/** What a token adds to the loss, as the page writes it, is what the float64 reference of the kernels computes. */
import { expect, test } from 'vitest';
import { algorithms } from '../../src/algorithms/table';
import { policyTerm } from '../../src/algorithms/policy-term';
import { rowLosses, type LossRow } from '../reference/policy-loss';

const settings = { clipLow: 0.2, clipHigh: 0.28, dualClip: 3 };
const constants = { ...settings, tauPositive: 1, tauNegative: 1.05 };

/** Ratios inside, at and far outside the bounds, with advantages of both signs and 0. */
const ratios = [-25, -2, -0.21, -0.05, 0, 0.1, 0.26, 1.5, 3, 25];
const rows = [0.7, -0.7, 0].map((advantage): LossRow => ({
  logProb: ratios.map((difference) => -30 + difference),
  oldLogProb: ratios.map(() => -30),
  advantage: ratios.map(() => advantage),
  mask: ratios.map(() => 1),
}));
const short: LossRow = { logProb: [-1, -2.2], oldLogProb: [-1.1, -2], advantage: [0.5, 0.25], mask: [1, 1] };

test.each(Object.keys(rowLosses) as (keyof typeof rowLosses)[])('%s agrees with the reference', (kind) => {
  for (const row of [...rows, short]) {
    const tokens = row.logProb.map((logProb, t) => ({
      logProb,
      oldLogProb: row.oldLogProb[t],
      advantage: row.advantage[t],
    }));
    rowLosses[kind](row, constants).forEach((expected, t) => {
      const term = policyTerm(kind, tokens[t], tokens, settings);
      // The reference guards GMPO's division, which shows in the ninth digit.
      expect(Math.abs(term.loss - expected.loss)).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(expected.loss)));
      expect(Number(term.clipped), `clipped, token ${t}`).toBe(expected.clipped);
      expect(Number(term.dualClipped), `dual-clipped, token ${t}`).toBe(expected.dualClipped);
    });
  }
});

test('every algorithm’s loss has a formula, and the numbers stand in its places', () => {
  const token = { logProb: -0.5, oldLogProb: -0.4, advantage: -1.5 };
  for (const { loss } of Object.values(algorithms))
    expect(policyTerm(loss, token, [token], settings).formula).not.toBe('');
  const written = (kind: keyof typeof rowLosses) => {
    const { formula, numbers } = policyTerm(kind, token, [token], settings);
    return [formula, numbers];
  };
  expect(written('clip')).toEqual([
    'min(−A · 3, max(−A · ρ, −A · clamp(ρ, 0.8 … 1.28)))',
    'min(4.5, max(−(−1.5) · 0.905, −(−1.5) · 0.905))',
  ]);
  expect(written('reinforce')).toEqual(['−A · log π', '−(−1.5) · (−0.5)']);
  expect(written('gspo')[0]).toBe('max(−A · s, −A · clamp(s, 0.8 … 1.28)), s = exp(mean of log ρ over 1 token)');
});
