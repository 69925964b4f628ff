/** Counter-based random numbers, of random.wgsl bit for bit: pcg4d of Jarzynski & Olano (JCGT 2020). */
import { log4 } from './math';

const multiplier = 1664525;

@inline
function stepped(x: v128): v128 {
  return i32x4.add(i32x4.mul(x, i32x4.splat(multiplier)), i32x4.splat(1013904223));
}

@inline
function folded(x: v128): v128 {
  return v128.xor(x, i32x4.shr_u(x, 16));
}

@inline
function plusProduct(x: v128, y: v128, z: v128): v128 {
  return i32x4.add(x, i32x4.mul(y, z));
}

/** pcg4d of one word in each of the four lanes. */
function pcg4d(key: v128): v128 {
  const v = stepped(key);
  let x = i32x4.extract_lane(v, 0);
  let y = i32x4.extract_lane(v, 1);
  let z = i32x4.extract_lane(v, 2);
  let w = i32x4.extract_lane(v, 3);
  for (let round = 0; round < 2; round++) {
    x += y * w;
    y += z * x;
    z += x * y;
    w += y * z;
    if (round == 0) {
      x ^= <i32>((<u32>x) >> 16);
      y ^= <i32>((<u32>y) >> 16);
      z ^= <i32>((<u32>z) >> 16);
      w ^= <i32>((<u32>w) >> 16);
    }
  }
  return i32x4(x, y, z, w);
}

/** What `randomBits4` draws from for (seed, purpose, a, b, c): the first step of its pcg4d for d = 0. */
export function randomKey(seed: u32, purpose: u32, a: u32, b: u32, c: u32): v128 {
  return stepped(i32x4.add(pcg4d(i32x4(seed, purpose, a, b)), i32x4(0, 0, c, 0)));
}

/** 32 random bits for each of four counters d. */
@inline
export function randomBits4(key: v128, d: v128): v128 {
  let x = i32x4.shuffle(key, key, 0, 0, 0, 0);
  let y = i32x4.shuffle(key, key, 1, 1, 1, 1);
  let z = i32x4.shuffle(key, key, 2, 2, 2, 2);
  let w = plusProduct(i32x4.shuffle(key, key, 3, 3, 3, 3), d, i32x4.splat(multiplier));
  x = plusProduct(x, y, w);
  y = plusProduct(y, z, x);
  z = plusProduct(z, x, y);
  w = plusProduct(w, y, z);
  return plusProduct(folded(x), folded(y), folded(w));
}

/** Floats in (0, 1), never 0 and never 1: 23 bits, exact in f32. */
@inline
export function randomUniform4(bits: v128): v128 {
  const whole = f32x4.convert_i32x4_s(i32x4.shr_u(bits, 9));
  return f32x4.mul(f32x4.add(whole, f32x4.splat(0.5)), f32x4.splat(1.1920928955078125e-7));
}

/** −log(−log u) of uniforms u. log4 is exact to 1 ulp near 1, so that it takes no series. */
@inline
export function gumbelNoise4(bits: v128): v128 {
  return f32x4.neg(log4(f32x4.neg(log4(randomUniform4(bits)))));
}

/** More than the Gumbel noise of the same bits: −log u is at least w = 1 − u, and w at least 2^−k for a whole k. */
@inline
export function gumbelBound4(bits: v128): v128 {
  const exponent = i32x4.shr_u(randomUniform4(v128.not(bits)), 23);
  const k = i32x4.sub(i32x4.splat(127), exponent);
  return f32x4.mul(f32x4.convert_i32x4_s(k), f32x4.splat(0.6932));
}
