/** Elementary functions: their errors against 256-bit fixed-point numbers, their special values, their bits. */
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { cosPi, exp, log } from '../../src/lib/portable-math';
import { Purpose, uniform } from '../../src/lib/rng';
import { sha256 } from '../../src/lib/sha256';
import { portableBits, portableSha256 } from '../helpers/portable-bits';

const one = 1n << 256n;
const times = (a: bigint, b: bigint): bigint => (a * b) / one;
const pi = (31415926535897932384626433832795028841971693993751058209749445923078164062862089986n * one) / 10n ** 82n;

/** Exact: a number of these tests is a multiple of 2⁻²⁵⁶. */
const fixed = (x: number): bigint => BigInt(x * 2 ** 256);

/** 1 + x/1! + x²/2! + …, or only the terms of even powers with their signs alternating, for |x| ≤ 4. */
function series(x: bigint, kind: 'exp' | 'cos'): bigint {
  let sum = one;
  let term = one;
  for (let k = 1; term !== 0n; k++) {
    term = times(term, x) / BigInt(k);
    if (kind === 'exp') sum += term;
    else if (k % 2 === 0) sum += k % 4 === 0 ? term : -term;
  }
  return sum;
}

/** e^x by 8 squarings, which cost about 15 of the 256 bits. */
function fixedExp(x: bigint): bigint {
  let power = series(x / 256n, 'exp');
  for (let k = 0; k < 8; k++) power = times(power, power);
  return power;
}

/** The distance of two doubles next to x on the side of 0. */
const ulp = (x: number): number => {
  const bits = new BigInt64Array(Float64Array.of(Math.abs(x)).buffer);
  return 2 ** Math.max(-1074, Number(bits[0] >> 52n) - 1075);
};

/** A difference of fixed-point numbers in units of the last place of `result`. */
const inUlps = (difference: bigint, result: number): number => Math.abs(Number(difference) / 2 ** 256 / ulp(result));

const points = (from: number, to: number, count = 5000): number[] =>
  Array.from({ length: count }, (_, i) => from + (to - from) * uniform(5, Purpose.sample, i));

/** Largest of the errors; NaN is larger than any. */
const worst = (xs: readonly number[], error: (x: number) => number): number =>
  xs.map(error).reduce((most, each) => (each <= most ? most : each), 0);

test('exp is within an ulp', () => {
  for (const xs of [points(-0.4, 0.4), points(-30, 30), points(-1e-6, 1e-6)])
    expect(worst(xs, (x) => inUlps(fixed(exp(x)) - fixedExp(fixed(x)), exp(x)))).toBeLessThan(1);
});

test('log is within an ulp', () => {
  const error = (x: number): number => {
    // The error d of log x makes e^(log x) = x e^d.
    const ratio = (fixedExp(fixed(log(x))) * one) / fixed(x);
    return inUlps(ratio - one, log(x));
  };
  for (const xs of [points(0.7, 1.5), points(1e-7, 1), points(1, 1e9), points(1 - 1e-6, 1 + 1e-6)])
    expect(worst(xs, error)).toBeLessThan(1);
});

test('cosPi is within two ulps', () => {
  for (const xs of [points(-1, 1), points(0.499, 0.501), points(0, 1e-3), points(1.2, 1.3)]) {
    const error = (x: number) => {
      const nearest = x - 2 * Math.round(x / 2);
      return inUlps(fixed(cosPi(x)) - series(times(pi, fixed(nearest)), 'cos'), cosPi(x));
    };
    expect(worst(xs, error)).toBeLessThan(2);
  }
});

test('over the whole range, exp and log are within two ulps of Math', () => {
  const difference = (a: number, b: number) => Math.abs(a - b) / ulp(b);
  expect(worst(points(-745, 709.7, 50_000), (x) => difference(exp(x), Math.exp(x)))).toBeLessThanOrEqual(2);
  const exponents = Array.from({ length: 2098 }, (_, i) => i - 1074);
  const powers = exponents.flatMap((n) => [1, 1.3, 1.42, 1.99].map((m) => m * 2 ** n));
  expect(worst(powers, (x) => (x === 1 ? 0 : difference(log(x), Math.log(x))))).toBeLessThanOrEqual(2);
});

test('special values', () => {
  expect([0, -0, -Infinity, -746, -1000, Infinity, 709.79, 1e300, NaN].map(exp)).toEqual([
    1,
    1,
    0,
    0,
    0,
    Infinity,
    Infinity,
    Infinity,
    NaN,
  ]);
  expect([exp(-745), exp(709.78)]).toEqual([5e-324, Math.exp(709.78)]);
  expect([1, 0, -0, Infinity, -1, -Infinity, NaN].map(log)).toEqual([0, -Infinity, -Infinity, Infinity, NaN, NaN, NaN]);
  expect([5e-324, Number.MAX_VALUE, 2].map(log)).toEqual([-744.4400719213812, 709.782712893384, Math.LN2]);
  expect([0, -0, 1, -1, 2, 3, 1e300, Infinity, NaN].map(cosPi)).toEqual([1, 1, -1, -1, 1, -1, 1, NaN, NaN]);
  expect([0.5, -0.5, 1.5, 2.5, 1e6 + 0.5].map(cosPi)).toEqual([0, 0, 0, 0, 0]);
});

test('100,000 results have the bits that Node 20, Chromium 150 and Firefox 153 gave', async () => {
  expect(await sha256(portableBits())).toBe(portableSha256);
});

test('lint refuses Math beyond exact functions, and powers, where a run is computed', async () => {
  const lint = new ESLint();
  const refused = async (code: string, folder: string) =>
    (await lint.lintText(code, { filePath: `src/${folder}/some.ts` }))[0].messages.map(({ ruleId }) => ruleId);
  for (const expression of ['Math.exp(1)', 'Math["exp"](1)', '[1].map(Math.tanh)', 'Math.random()', '2 ** 3', 'Math'])
    expect(await refused(`export const x = ${expression};\n`, 'rl/learner'), expression).toEqual([
      'no-restricted-syntax',
    ]);
  expect(await refused('export const x = Math.sqrt(Math.max(2, Math.PI));\n', 'lib')).toEqual([]);
  expect(await refused('export const x = Math.exp(1);\n', 'ui')).toEqual([]);
});
