import { expect, test } from 'vitest';
import { curveFromBytes, curveToBytes } from '../../src/share/curve';

test('64 points survive to a byte', () => {
  const values = Array.from({ length: 64 }, (_, i) => Math.sin(i / 20) ** 2);
  const read = curveFromBytes(curveToBytes(values));
  values.forEach((value, i) => expect(Math.abs(read[i] - value)).toBeLessThanOrEqual(0.5 / 255));
});

test.each([1, 2, 3, 63, 65, 1000])('%i points become 64 with the same ends', (length) => {
  const values = Array.from({ length }, (_, i) => (i + 1) / length);
  const read = curveFromBytes(curveToBytes(values));
  expect(read).toHaveLength(64);
  expect(read[0]).toBeCloseTo(values[0], 2);
  expect(read[63]).toBe(1);
  for (let i = 1; i < 64; i++) expect(read[i]).toBeGreaterThanOrEqual(read[i - 1]);
});

test('values outside 0 … 1 are clamped, and no curve is flat', () => {
  expect([...curveToBytes([-1, 2])].slice(-1)).toEqual([255]);
  expect(curveToBytes([-1, 2])[0]).toBe(0);
  expect([...curveToBytes([])]).toEqual(Array(64).fill(0));
});
