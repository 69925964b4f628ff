/**
 * Functions of four numbers at once from exact operations alone, so that every machine gives the same bits. No fused
 * multiply-add. A NaN stays a NaN. Polynomials but that of 2^x are those of Cephes (Moshier 1992, single precision).
 */

/** e^r on [-ln 2 / 2, ln 2 / 2]. */
@inline
function expPolynomial(r: v128): v128 {
  let p = f32x4.splat(1.98756915e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  return f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
}

/** Added to a number below 2^22, it leaves the nearest integer n in the last bits. */
const ROUND: f32 = 12582912; // 1.5 · 2^23

/** 2^n from n + ROUND, for whole n from -126 to 128, where it is infinite. */
@inline
function powerOfTwo(rounded: v128): v128 {
  return i32x4.shl(i32x4.add(rounded, i32x4.splat(127)), 23);
}

/** e^x to 1 ulp; 0 below -80, where products would be subnormal and slow; infinite above 88.37. */
@inline
export function exp4(x: v128): v128 {
  const held = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-80)), f32x4.splat(89));
  const rounded = f32x4.add(f32x4.mul(held, f32x4.splat(1.44269504088896341)), f32x4.splat(ROUND));
  const n = f32x4.sub(rounded, f32x4.splat(ROUND));
  const high = f32x4.sub(held, f32x4.mul(n, f32x4.splat(0.693359375)));
  const r = f32x4.sub(high, f32x4.mul(n, f32x4.splat(-2.1219444e-4)));
  return v128.andnot(f32x4.mul(expPolynomial(r), powerOfTwo(rounded)), f32x4.lt(x, f32x4.splat(-80)));
}

/** 1 / (1 + e^-x) to 3 ulp; 0 below -88.37. */
@inline
export function sigmoid4(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exp4(f32x4.neg(x))));
}

/** 2^x to 1 ulp; 0 below -115; infinite above 127.5. The polynomial is a minimax of (2^r - 1 - r) / r. */
@inline
export function exp2x4(x: v128): v128 {
  const held = f32x4.pmin(x, f32x4.splat(128));
  const rounded = f32x4.add(held, f32x4.splat(ROUND + 127));
  const r = f32x4.sub(held, f32x4.sub(rounded, f32x4.splat(ROUND + 127)));
  let p = f32x4.splat(1.532647293e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.339080627e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(9.618505836e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.550359935e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(2.402264774e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(-3.068528175e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, r), r), f32x4.splat(1));
  return v128.andnot(f32x4.mul(p, i32x4.shl(rounded, 23)), f32x4.lt(x, f32x4.splat(-115)));
}

/** The natural logarithm to 1 ulp; -infinity at 0, NaN below, about -88 for subnormal numbers. */
@inline
export function log4(x: v128): v128 {
  const bits = x;
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)).
  let e = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(bits, 23), i32x4.splat(126)));
  let m = v128.or(v128.and(bits, i32x4.splat(0x007fffff)), f32x4.splat(0.5));
  const small = f32x4.lt(m, f32x4.splat(0.707106781186547524));
  e = f32x4.sub(e, v128.and(small, f32x4.splat(1)));
  m = f32x4.sub(f32x4.add(m, v128.and(small, m)), f32x4.splat(1));
  const z = f32x4.mul(m, m);
  let p = f32x4.splat(7.0376836292e-2);
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.151461031e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(1.1676998740e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.2420140846e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(1.4249322787e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-1.6668057665e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(2.0000714765e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(-2.4999993993e-1));
  p = f32x4.add(f32x4.mul(p, m), f32x4.splat(3.3333331174e-1));
  let y = f32x4.mul(f32x4.mul(p, z), m);
  y = f32x4.add(y, f32x4.mul(e, f32x4.splat(-2.12194440e-4)));
  y = f32x4.sub(y, f32x4.mul(z, f32x4.splat(0.5)));
  y = f32x4.add(f32x4.add(m, y), f32x4.mul(e, f32x4.splat(0.693359375)));
  const zero = f32x4.eq(x, f32x4.splat(0));
  y = v128.bitselect(f32x4.splat(-Infinity), y, zero);
  // NaN for negative numbers and NaN, infinity for infinity.
  y = v128.bitselect(f32x4.splat(NaN), y, v128.not(f32x4.ge(x, f32x4.splat(0))));
  return v128.bitselect(x, y, f32x4.eq(x, f32x4.splat(Infinity)));
}

/** The logarithm to base 2 to 2 ulp, as log4 elsewhere. */
@inline
export function log2x4(x: v128): v128 {
  return f32x4.mul(log4(x), f32x4.splat(1.44269504088896341));
}

/** The quarter turn nearest to an angle, and the rest in [-pi/4, pi/4] (Cody & Waite). */
@inline
function quarterOf(angle: v128): v128 {
  return f32x4.nearest(f32x4.mul(angle, f32x4.splat(0.6366197723675814)));
}

@inline
function restOf(angle: v128, quarter: v128): v128 {
  let r = f32x4.sub(angle, f32x4.mul(quarter, f32x4.splat(1.5703125)));
  r = f32x4.sub(r, f32x4.mul(quarter, f32x4.splat(4.837512969970703125e-4)));
  return f32x4.sub(r, f32x4.mul(quarter, f32x4.splat(7.54978995489188216e-8)));
}

/** The sine of angles after `turn` further quarter turns. */
@inline
function sineAfter(angle: v128, turn: i32): v128 {
  const quarter = quarterOf(angle);
  const r = restOf(angle, quarter);
  const z = f32x4.mul(r, r);
  let s = f32x4.splat(-1.9515295891e-4);
  s = f32x4.add(f32x4.mul(s, z), f32x4.splat(8.3321608736e-3));
  s = f32x4.add(f32x4.mul(s, z), f32x4.splat(-1.6666654611e-1));
  s = f32x4.add(f32x4.mul(f32x4.mul(s, z), r), r);
  let c = f32x4.splat(2.443315711809948e-5);
  c = f32x4.add(f32x4.mul(c, z), f32x4.splat(-1.388731625493765e-3));
  c = f32x4.add(f32x4.mul(c, z), f32x4.splat(4.166664568298827e-2));
  c = f32x4.add(f32x4.sub(f32x4.mul(f32x4.mul(c, z), z), f32x4.mul(z, f32x4.splat(0.5))), f32x4.splat(1));
  const turns = i32x4.add(i32x4.trunc_sat_f32x4_s(quarter), i32x4.splat(turn));
  const odd = i32x4.eq(v128.and(turns, i32x4.splat(1)), i32x4.splat(1));
  return v128.xor(v128.bitselect(c, s, odd), i32x4.shl(v128.and(turns, i32x4.splat(2)), 30));
}

/** cos to 1e-7 for angles below 1e4, to 1e-6 below 1e5. */
@inline
export function cos4(angle: v128): v128 {
  return sineAfter(angle, 1);
}

/** sin to 1e-7 for angles below 1e4, to 1e-6 below 1e5. */
@inline
export function sin4(angle: v128): v128 {
  return sineAfter(angle, 0);
}

/** The four numbers' sum, in a fixed order. */
@inline
export function sum4(x: v128): f32 {
  const pairs = f32x4.add(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** The bits of the scalar functions are those of the vector functions. */
export function exp(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

export function log(x: f32): f32 {
  return f32x4.extract_lane(log4(f32x4.splat(x)), 0);
}
