/**
 * Counter-based random numbers: a draw is a pure function of its keys, so no state is carried or saved.
 * `shaders/lib/random.wgsl` has the same function; `tests/lib/random.test.ts` compares the two.
 * The hash is pcg4d of Jarzynski & Olano, "Hash Functions for GPU Rendering" (JCGT 2020).
 */
import { cosPi, log } from './portable-math';

/** Part of the key, so that two uses with equal counters never share numbers. */
export const Purpose = {
  init: 1,
  task: 2,
  sample: 3,
  shuffle: 4,
  validation: 5,
  demonstration: 6,
  environment: 7,
  refill: 8,
} as const;
export type Purpose = (typeof Purpose)[keyof typeof Purpose];

/** Four 32-bit words to four well-mixed 32-bit words. */
export function pcg4d(x: number, y: number, z: number, w: number): [number, number, number, number] {
  x = (Math.imul(x, 1664525) + 1013904223) | 0;
  y = (Math.imul(y, 1664525) + 1013904223) | 0;
  z = (Math.imul(z, 1664525) + 1013904223) | 0;
  w = (Math.imul(w, 1664525) + 1013904223) | 0;
  for (let round = 0; round < 2; round++) {
    x = (x + Math.imul(y, w)) | 0;
    y = (y + Math.imul(z, x)) | 0;
    z = (z + Math.imul(x, y)) | 0;
    w = (w + Math.imul(y, z)) | 0;
    if (round === 0) {
      x ^= x >>> 16;
      y ^= y >>> 16;
      z ^= z >>> 16;
      w ^= w >>> 16;
    }
  }
  return [x >>> 0, y >>> 0, z >>> 0, w >>> 0];
}

/** 32 random bits for (seed, purpose, a, b, c, d): two rounds of pcg4d. */
export function bits(seed: number, purpose: Purpose, a = 0, b = 0, c = 0, d = 0): number {
  const key = pcg4d(seed, purpose, a, b);
  return pcg4d(key[0], key[1], (key[2] + c) | 0, (key[3] + d) | 0)[0];
}

/** A float in (0, 1), never 0 and never 1: 23 bits, exact in float32. */
export function uniform(seed: number, purpose: Purpose, a = 0, b = 0, c = 0, d = 0): number {
  return ((bits(seed, purpose, a, b, c, d) >>> 9) + 0.5) / 8388608;
}

/** A standard normal draw (Box–Muller on two uniforms). */
export function normal(seed: number, purpose: Purpose, a = 0, b = 0, c = 0): number {
  const radius = Math.sqrt(-2 * log(uniform(seed, purpose, a, b, c, 0)));
  return radius * cosPi(2 * uniform(seed, purpose, a, b, c, 1));
}

/** A permutation of 0 … n-1 (Fisher–Yates), a function of its keys. */
export function permutation(n: number, seed: number, purpose: Purpose, a = 0, b = 0): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = bits(seed, purpose, a, b, i) % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
