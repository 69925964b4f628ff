/** Transposes of 4 x 4 numbers: first pairs, then halves of pairs. */

@inline
export function lowPairs(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}

@inline
export function highPairs(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}

@inline
export function lowHalves(ab: v128, cd: v128): v128 {
  return i32x4.shuffle(ab, cd, 0, 1, 4, 5);
}

@inline
export function highHalves(ab: v128, cd: v128): v128 {
  return i32x4.shuffle(ab, cd, 2, 3, 6, 7);
}

/** out[i][j] = x_j[i], where the four out[i] are `step` bytes apart. */
@inline
export function transpose(x0: usize, x1: usize, x2: usize, x3: usize, out: usize, step: usize): void {
  storeTransposed(v128.load(x0), v128.load(x1), v128.load(x2), v128.load(x3), out, step);
}

/** out[i][j] = the i-th number of the j-th vector, where the four out[i] are `step` bytes apart. */
@inline
export function storeTransposed(a: v128, b: v128, c: v128, d: v128, out: usize, step: usize): void {
  v128.store(out, lowHalves(lowPairs(a, b), lowPairs(c, d)));
  v128.store(out + step, highHalves(lowPairs(a, b), lowPairs(c, d)));
  v128.store(out + 2 * step, lowHalves(highPairs(a, b), highPairs(c, d)));
  v128.store(out + 3 * step, highHalves(highPairs(a, b), highPairs(c, d)));
}
