/** Top-k and top-p in the sampler's kernel against float64: which tokens can be drawn, and how often. */
import { describe, expect, test } from 'vitest';
import { all, drawRows, expectChiSquare, expectCut, noise, row } from '../helpers/draws';
import { truncatedProbabilities } from '../reference/distribution';
import { onBothDevices } from '../helpers/devices';

onBothDevices(() => {
  describe.each([1, 64] as const)('with %i lanes', (lanes) => {
    test('of equal logits the first tokens are kept', async () => {
      const equal = row(300, () => -1.25);
      await expectCut(equal, { topK: 7 }, lanes, true);
      await expectCut(equal, { topP: 0.102 }, lanes, true);
      await expectCut(equal, { topK: 100, topP: 0.249 }, lanes, true);
      await expectCut(
        row(8, () => 3),
        { topP: 0.45 },
        lanes,
        true,
      );
    });

    test('0 and −0 are equal', async () => {
      await expectCut([-0, 0, -3, -0, 0, 0], { topK: 3 }, lanes, true);
      await expectCut([0, -0, -3, 0, -0, 0], { topK: 4 }, lanes, true);
    });

    test('top-k of as many tokens as there are, or more, changes nothing', async () => {
      const rows = Array.from({ length: 20 }, (_, r) => row(70, (v) => 3 * noise(70 * r + v)));
      const free = await drawRows(rows, all, 30, lanes);
      for (const cut of [{ topK: 70 }, { topK: 71 }, { topK: 8192 }, { topK: 70, topP: 1 }])
        expect(await drawRows(rows, { ...all, ...cut }, 30, lanes), JSON.stringify(cut)).toEqual(free);
    });

    test('one token', async () => {
      for (const cut of [{}, { topK: 1 }, { topP: 0.3 }, { topK: 5, topP: 0.01 }])
        await expectCut([-4.5], cut, lanes, true);
    });

    test('a token whose logit is −∞ is never drawn', async () => {
      const logits = row(40, (v) => (v % 3 === 0 ? noise(v) : -Infinity));
      for (const cut of [{}, { topK: 9 }, { topK: 30 }, { topP: 0.6 }, { topK: 20, topP: 0.9 }])
        await expectCut(logits, cut, lanes, true);
    });

    test('large, small and negative logits', async () => {
      await expectCut([-1e-30, 1e-30, 1e30, -1e30, 2, -2, 1e-3], { topK: 2 }, lanes);
      await expectCut([-5, -4.5, -4.75, -4.25, -4], { topK: 3, temperature: 0.5 }, lanes, true);
      await expectCut([-1, 1, -0.5, 0.5, 0, 0.25], { topP: 0.75 }, lanes, true);
    });

    test.each([257, 1000])('every row of %i tokens with ties keeps what float64 keeps', async (V) => {
      const rows = Array.from({ length: 12 }, (_, r) => row(V, (v) => Math.floor(40 * noise(V * r + v)) / 8 - 2));
      for (const cut of [{ topK: 5 }, { topP: 0.05 }, { topK: 60, topP: 0.31 }]) {
        const drawn = await drawRows(rows, { ...all, ...cut }, 60, lanes);
        rows.forEach((logits, r) => {
          const expected = truncatedProbabilities(logits, { ...all, ...cut });
          const counts = new Array<number>(V).fill(0);
          for (const token of drawn[r]) counts[token]++;
          expectChiSquare(counts, expected, `row ${r}, ${JSON.stringify(cut)}`);
        });
      }
    });
  });
});
