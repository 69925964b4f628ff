/** Halves: every one survives, and what lies between two goes to the nearer, or to the even one. */
import { expect, test } from 'vitest';
import { fitHalves, packHalves, unpackHalves } from '../../src/lib/half';

const finite = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => ((bits >> 10) & 31) !== 31);
const words = Uint32Array.from({ length: finite.length / 2 }, (_, i) => finite[2 * i] | (finite[2 * i + 1] << 16));

test('every finite half, of either sign, comes back as the same bits, and grows with them', () => {
  const numbers = unpackHalves(words);
  expect(packHalves(numbers)).toEqual(words);
  const positive = numbers.subarray(0, 31 * 1024);
  expect(positive.every((number, i) => i === 0 || number > positive[i - 1])).toBe(true);
  expect([positive[1], positive[1024], unpackHalves(Uint32Array.of(0x3c00_7bff))].flat()).toEqual([
    2 ** -24,
    2 ** -14,
    Float32Array.of(65504, 1),
  ]);
});

test('rounds to the nearest half, ties to the even one, below the smallest normal half too', () => {
  const ulp = 2 ** -10;
  const tiny = 2 ** -24;
  const given = [
    1 + 0.5 * ulp,
    1 + 1.5 * ulp,
    1 + 0.501 * ulp,
    -1 - 1.49 * ulp,
    2.5 * tiny,
    3.5 * tiny,
    -0.4 * tiny,
    1023.6 * tiny,
  ];
  const nearest = [1, 1 + 2 * ulp, 1 + ulp, -1 - ulp, 2 * tiny, 4 * tiny, -0, 1024 * tiny];
  expect([...unpackHalves(packHalves(Float32Array.from(given)))]).toEqual(nearest);
});

test('what would become infinite does not fit, nor does NaN', () => {
  expect(fitHalves(Float32Array.of(0, 65504, -65504, 1e-30))).toBe(true);
  for (const number of [65505, -1e6, Infinity, NaN])
    expect(fitHalves(Float32Array.of(1, number)), String(number)).toBe(false);
});
