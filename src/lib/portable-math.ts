/**
 * Elementary functions in float64 from operations that IEEE 754 rounds correctly, so that every engine gives the same
 * bits. JavaScript leaves the accuracy of `Math.exp`, `Math.log`, `Math.cos` and `**` open, and engines differ; lint
 * keeps them out of what computes a run. Guests need none of this: QuickJS brings its own Math in WebAssembly.
 *
 * Arguments are reduced as in fdlibm (Sun Microsystems 1993), then a Taylor series runs until its terms vanish. An ulp
 * is a unit in the last place of the result.
 */

const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
const sign = (k: number): number => (k % 2 === 0 ? 1 : -1);
const terms = (count: number, term: (k: number) => number) => Float64Array.from({ length: count }, (_, k) => term(k));

const expTerms = terms(13, (k) => 1 / factorial(k + 2));
const logTerms = terms(11, (k) => 2 / (2 * k + 3));
const cosTerms = terms(10, (k) => sign(k) / factorial(2 * k));
const sinTerms = terms(10, (k) => sign(k) / factorial(2 * k + 1));

/** Σ terms[k] xᵏ. */
function polynomial(terms: Float64Array, x: number): number {
  let sum = 0;
  for (let k = terms.length - 1; k >= 0; k--) sum = terms[k] + x * sum;
  return sum;
}

/** ln 2 in two parts. The first is a multiple of 2⁻³², so that its product with an exponent is exact. */
const ln2High = 2977044471 / 4294967296;
const ln2Low = 1.9082149292705877e-10;

const float = new DataView(new ArrayBuffer(8));

/** 2ⁿ for whole n from -1022 to 1023. */
function powerOfTwo(n: number): number {
  float.setInt32(0, (n + 1023) << 20);
  float.setInt32(4, 0);
  return float.getFloat64(0);
}

/** e^x, to 1 ulp. */
export function exp(x: number): number {
  if (x > 710) return Infinity;
  if (x < -746) return 0;
  // e^x = 2ⁿ e^r, |r| ≤ ln 2 / 2, e^r = 1 + r + r² (1/2! + r/3! + …)
  const n = Math.round(x * Math.LOG2E);
  const r = x - n * ln2High - n * ln2Low;
  const power = 1 + (r + r * r * polynomial(expTerms, r));
  // Two factors, because 2ⁿ alone may be out of range.
  const half = n >> 1;
  return power * powerOfTwo(half) * powerOfTwo(n - half);
}

/** The natural logarithm, to 1 ulp. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x < 0 ? NaN : x;
  // A subnormal x is made normal.
  if (x < 2.2250738585072014e-308) return log(x * 18014398509481984) - 54 * Math.LN2;
  // x = 2ⁿ (1 + f), 1 + f from √½ to √2
  float.setFloat64(0, x);
  const high = float.getInt32(0);
  const n = ((high + 0x95f62) >> 20) - 1023;
  float.setInt32(0, high - (n << 20));
  const f = float.getFloat64(0) - 1;
  // log(1 + f) = 2 artanh s = 2s + s t = f - (f²/2 - s (f²/2 + t)), t = 2 (s²/3 + s⁴/5 + …)
  const s = f / (2 + f);
  const t = s * s * polynomial(logTerms, s * s);
  const square = (f * f) / 2;
  return n * ln2High + (f - (square - (s * (square + t) + n * ln2Low)));
}

/** cos(πx), to 2 ulp, and exact where it is 0, 1 or -1. */
export function cosPi(x: number): number {
  // |x| = n/2 + r modulo 2, |r| ≤ 1/4
  const turn = Math.abs(x) % 2;
  const n = Math.round(2 * turn);
  const angle = Math.PI * (turn - n / 2);
  const square = angle * angle;
  const value = n % 2 === 0 ? polynomial(cosTerms, square) : angle * polynomial(sinTerms, square);
  return n === 1 || n === 2 ? 0 - value : value;
}
