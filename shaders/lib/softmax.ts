/** Softmax statistics of a row of V logits and their gradient; the formulas stand in softmax.wgsl. */
import { exp4, log, sum4 } from './math';

/** Below -80 exp4 gives 0. Held here, a logit of -infinity times its probability is 0 too, not NaN. */
const floor: f32 = -81;

/** Four numbers of a row from the v-th on; those past its end are -infinity, which has no probability. */
@inline
export function fourOf(row: usize, v: u32, V: u32): v128 {
  return v + 4 <= V ? v128.load(row + 4 * v) : lastOf(row + 4 * v, V - v);
}

function lastOf(at: usize, count: u32): v128 {
  let x = f32x4.replace_lane(f32x4.splat(-Infinity), 0, load<f32>(at));
  if (count > 1) x = f32x4.replace_lane(x, 1, load<f32>(at + 4));
  return count > 2 ? f32x4.replace_lane(x, 2, load<f32>(at + 8)) : x;
}

/** Writes four numbers of a row from the v-th on, without those past its end. */
@inline
function writeFour(row: usize, v: u32, V: u32, x: v128): void {
  if (v + 4 <= V) v128.store(row + 4 * v, x);
  else writeLast(row + 4 * v, V - v, x);
}

function writeLast(at: usize, count: u32, x: v128): void {
  store<f32>(at, f32x4.extract_lane(x, 0));
  if (count > 1) store<f32>(at + 4, f32x4.extract_lane(x, 1));
  if (count > 2) store<f32>(at + 8, f32x4.extract_lane(x, 2));
}

/** The largest of four numbers; a NaN among them may be passed over. */
@inline
export function max4(x: v128): f32 {
  const pairs = f32x4.pmax(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2)), 0);
}

/**
 * Statistics of z = logits · inverseTemperature, for `logSumOf` and `entropyOf`. Rows of the same numbers give the same
 * bits wherever they stand. A NaN or +infinity makes both NaN.
 */
export function softmaxRow(row: usize, V: u32, inverseTemperature: f32): v128 {
  return softmaxOf(softmaxSums(row, V, inverseTemperature));
}

/** @param sums of `softmaxSums` */
@inline
export function softmaxOf(sums: v128): v128 {
  const total = f32x4.extract_lane(sums, 1);
  const logTotal = log(total);
  const logSum = f32x4.splat(f32x4.extract_lane(sums, 0) + logTotal);
  return f32x4.replace_lane(logSum, 1, logTotal - f32x4.extract_lane(sums, 2) / total);
}

/** The largest z, Σ exp(z − largest) and Σ exp(z − largest) · (z − largest). */
export function softmaxSums(row: usize, V: u32, inverseTemperature: f32): v128 {
  return sumsOf(row, V, inverseTemperature, false);
}

/** The same; the logits of the row become exp(z − largest). */
export function softmaxPowers(row: usize, V: u32, inverseTemperature: f32): v128 {
  return sumsOf(row, V, inverseTemperature, true);
}

@inline
function sumsOf(row: usize, V: u32, inverseTemperature: f32, replace: bool): v128 {
  const scale = f32x4.splat(inverseTemperature);
  let most = f32x4.splat(-Infinity);
  for (let v: u32 = 0; v < V; v += 4) most = f32x4.pmax(most, f32x4.mul(fourOf(row, v, V), scale));
  const largest = max4(most);
  let sum = f32x4.splat(0);
  let weighted = f32x4.splat(0);
  let v: u32 = 0;
  // Two at a time share the constants of exp4, which V8 makes anew in each turn.
  for (; v + 8 <= V; v += 8) {
    const at = row + 4 * v;
    const free0 = f32x4.sub(f32x4.mul(v128.load(at), scale), f32x4.splat(largest));
    const free1 = f32x4.sub(f32x4.mul(v128.load(at, 16), scale), f32x4.splat(largest));
    const z0 = f32x4.pmax(free0, f32x4.splat(floor));
    const z1 = f32x4.pmax(free1, f32x4.splat(floor));
    const e0 = exp4(z0);
    const e1 = exp4(z1);
    sum = f32x4.add(f32x4.add(sum, e0), e1);
    weighted = f32x4.add(f32x4.add(weighted, f32x4.mul(e0, z0)), f32x4.mul(e1, z1));
    if (replace) v128.store(at, e0);
    if (replace) v128.store(at, e1, 16);
  }
  for (; v < V; v += 4) {
    const free = f32x4.sub(f32x4.mul(fourOf(row, v, V), scale), f32x4.splat(largest));
    const z = f32x4.pmax(free, f32x4.splat(floor));
    const e = exp4(z);
    sum = f32x4.add(sum, e);
    weighted = f32x4.add(weighted, f32x4.mul(e, z));
    if (replace) writeFour(row, v, V, e);
  }
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(largest), 1, sum4(sum)), 2, sum4(weighted));
}

/** log Σ exp(z) */
@inline
export function logSumOf(softmax: v128): f32 {
  return f32x4.extract_lane(softmax, 0);
}

/** In nats. */
@inline
export function entropyOf(softmax: v128): f32 {
  return f32x4.extract_lane(softmax, 1);
}

/** log softmax(z) of one token */
@inline
export function logProbOf(softmax: v128, row: usize, token: u32, inverseTemperature: f32): f32 {
  return load<f32>(row + 4 * token) * inverseTemperature - logSumOf(softmax);
}

/**
 * gradient += slope · (onehot(target) − p) + spread · p · (log p + entropy); instead of being added to, a gradient that
 * stands where the row does replaces it.
 */
export function addGradient(
  gradient: usize,
  row: usize,
  V: u32,
  inverseTemperature: f32,
  softmax: v128,
  target: u32,
  slope: f32,
  spread: f32,
): void {
  const scale = f32x4.splat(inverseTemperature);
  const logSum = f32x4.splat(logSumOf(softmax));
  const entropy = f32x4.splat(entropyOf(softmax));
  for (let v: u32 = 0; v < V; v += 4) {
    const free = f32x4.sub(f32x4.mul(fourOf(row, v, V), scale), logSum);
    const logP = f32x4.pmax(free, f32x4.splat(floor));
    const p = exp4(logP);
    const isTarget = i32x4.eq(i32x4.add(i32x4.splat(v), i32x4(0, 1, 2, 3)), i32x4.splat(target));
    const hit = v128.and(isTarget, f32x4.splat(1));
    const byTarget = f32x4.mul(f32x4.splat(slope), f32x4.sub(hit, p));
    const bySpread = f32x4.mul(f32x4.mul(f32x4.splat(spread), p), f32x4.add(logP, entropy));
    const change = f32x4.add(byTarget, bySpread);
    writeFour(gradient, v, V, gradient == row ? change : f32x4.add(fourOf(gradient, v, V), change));
  }
}
