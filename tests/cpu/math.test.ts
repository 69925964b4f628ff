/** The functions of the CPU kernels against float64, over a million numbers each: their errors and their bits. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileScript } from '../../src/cli/build/cpu-kernels-plugin';
import { evaluate, samples, vectorMathScript, type VectorFunction } from '../helpers/vector-math';

let binary: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  binary = await compileScript(vectorMathScript);
});

interface Exact {
  readonly of: (x: number) => number;
  /** Bound of the error at x, where the exact value is y. */
  readonly bound: (y: number, x: number) => number;
}

const ofAngle = (_: number, x: number) => (Math.abs(x) < 1e4 ? 1e-7 : 1e-6);

const exact: Readonly<Record<VectorFunction, Exact>> = {
  exp4: { of: Math.exp, bound: ulp },
  exp2x4: { of: (x) => 2 ** x, bound: ulp },
  log4: { of: Math.log, bound: ulp },
  sigmoid4: { of: (x) => 1 / (1 + Math.exp(-x)), bound: (y) => 3 * ulp(y) },
  cos4: { of: Math.cos, bound: ofAngle },
  sin4: { of: Math.sin, bound: ofAngle },
};

/** The unit in the last place of a normal float32. */
function ulp(value: number): number {
  return 2 ** (Math.floor(Math.log2(Math.abs(Math.fround(value)))) - 23);
}

describe.each(samples)('$name, $points', ({ name, x, sha256 }) => {
  const points = x();
  let results: Float32Array<ArrayBuffer>;
  beforeAll(async () => {
    results = await evaluate(binary, name, points);
  });

  test('errors are within the stated bound', () => {
    const { of, bound } = exact[name];
    const outside = points.findIndex((x, i) => {
      const y = of(x);
      return !(Math.abs(results[i] - y) <= bound(y, x));
    });
    expect(outside, `at ${points[outside]} it is ${results[outside]}`).toBe(-1);
  });

  test('the bits are those of every engine', () => {
    expect(createHash('sha256').update(new Uint8Array(results.buffer)).digest('hex')).toBe(sha256);
  });
});

test.each<[VectorFunction, Readonly<Record<string, number[]>>]>([
  ['exp4', { 1: [0, -0, 1e-45, -1e-45], Infinity: [88.38, 1e30, Infinity], 0: [-80.01, -104, -1e30, -Infinity] }],
  ['exp2x4', { 1: [0, -0, 1e-45, -1e-45], Infinity: [127.51, 1e30, Infinity], 0: [-115.01, -150, -1e30, -Infinity] }],
  ['exp2x4', { 1024: [10], 0.0009765625: [-10] }],
  ['log4', { '-Infinity': [0, -0], 0: [1], Infinity: [Infinity], NaN: [-1e-45, -1, -1e30, -Infinity] }],
  ['sigmoid4', { 0.5: [0, -0, 1e-45], 0: [-88.4, -1e30, -Infinity], 1: [20, 88.4, 1e30, Infinity] }],
  ['cos4', { 1: [0, -0, 1e-45], NaN: [Infinity, -Infinity] }],
  ['sin4', { 0: [0], NaN: [Infinity, -Infinity] }],
])('%s of special numbers', async (name, numbers) => {
  const pairs = Object.entries({ ...numbers, NaN: [NaN, ...(numbers.NaN ?? [])] });
  for (const [expected, points] of pairs) {
    const results = await evaluate(
      binary,
      name,
      Float32Array.from({ length: 4 }, (_, i) => points[i] ?? points[0]),
    );
    expect([...results], `${points}`).toEqual(new Array(4).fill(Number(expected)));
  }
});

test('the logarithm of a subnormal number is below that of every normal one', async () => {
  const [tiny, smallest, normal] = await evaluate(binary, 'log4', Float32Array.of(2 ** -127, 2 ** -149, 2 ** -126, 1));
  expect([smallest < tiny, tiny < normal]).toEqual([true, true]);
});
