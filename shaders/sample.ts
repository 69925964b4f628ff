/** Draws one token a row on the CPU; the formulas, and the order that top-k and top-p cut, stand in sample.wgsl. */
import { exp4 } from './lib/math';
import { gumbelBound4, gumbelNoise4, randomBits4, randomKey } from './lib/random';
import { entropyOf, fourOf, logProbOf, logSumOf, max4, softmaxRow } from './lib/softmax';
import { firstItem, scratch } from './lib/parts';

@unmanaged
class Forward {
  logits: usize;
  feed: usize;
  rows: usize;
  progress: usize;
  drawn: usize;
  settings: usize;
  V: u32;
  CHUNK: u32;
}

@unmanaged
class Settings {
  inverseTemperature: f32;
  topP: f32;
  topK: u32;
  greedy: u32;
  seed: u32;
  iteration: u32;
  stopCount: u32;
  stops: v128;
}

/** A row of logits and where the order of its tokens is cut: the last that is kept. */
@unmanaged
class Row {
  logits: usize;
  V: u32;
  inverseTemperature: f32;
  logSum: f32;
  cutLogit: f32;
  cutToken: u32;
}

const IDLE: u32 = 0xffffffff;
const PURPOSE_SAMPLE: u32 = 3;
/** Bits of a pass of the radix search: three passes where reading a row costs more than 2,048 sums do, else four. */
const largeDigit: u32 = 11;
const smallDigit: u32 = 8;
/** Below it, the amount of a token is 0. */
const leastLogP: f32 = -21.5;

@inline
function idsFrom(v: u32): v128 {
  return i32x4.add(i32x4.splat(v), i32x4(0, 1, 2, 3));
}

/** Which of the logits from the v-th on are kept. −0 equals 0. */
@inline
function areKept(row: Row, logits: v128, v: u32): v128 {
  const cut = f32x4.splat(row.cutLogit);
  const inTime = i32x4.le_s(idsFrom(v), i32x4.splat(row.cutToken));
  return v128.or(f32x4.gt(logits, cut), v128.and(f32x4.eq(logits, cut), inTime));
}

/** What tokens count in a cut: 1, or their probability in units of 2⁻³⁰, whose sums do not depend on their order. */
@inline
function amountsOf(row: Row, logits: v128, byMass: bool): v128 {
  if (!byMass) return i32x4.splat(1);
  const z = f32x4.mul(logits, f32x4.splat(row.inverseTemperature));
  const logP = f32x4.sub(z, f32x4.splat(row.logSum));
  if (!v128.any_true(f32x4.ge(logP, f32x4.splat(leastLogP)))) return i32x4.splat(0);
  const p = exp4(logP);
  return i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(p, f32x4.splat(1073741824)), f32x4.splat(0.5)));
}

/** Integers in the order of the numbers; −0 has the place of 0. */
@inline
function placesOf(logits: v128): v128 {
  const bits = f32x4.add(logits, f32x4.splat(0));
  return v128.xor(bits, v128.or(i32x4.shr_s(bits, 31), i32x4.splat(0x80000000)));
}

/** The logit of a place. */
@inline
function logitOf(place: u32): f32 {
  return reinterpret<f32>(place >= 0x80000000 ? place ^ 0x80000000 : ~place);
}

@inline
function binAt(digit: u32): usize {
  return scratch + 64 + 4 * digit;
}

@inline
function addToBin(digit: u32, amount: u32): void {
  store<u32>(binAt(digit), load<u32>(binAt(digit)) + amount);
}

/**
 * Adds up the amounts of kept tokens by the bits of their places from `shift` up to `top`, of those tokens whose bits
 * from `top` on are those of `last`.
 */
function fillBins(row: Row, last: u32, shift: u32, top: u32, byMass: bool): void {
  memory.fill(binAt(0), 0, 4 << (top - shift));
  const known = i32x4.splat(top == 32 ? 0 : 0xffffffff << top);
  const digit = i32x4.splat((1 << (top - shift)) - 1);
  const V = row.V;
  for (let v: u32 = 0; v < V; v += 4) {
    const logits = fourOf(row.logits, v, V);
    const places = placesOf(logits);
    const alike = i32x4.eq(v128.and(v128.xor(places, i32x4.splat(last)), known), i32x4.splat(0));
    if (!v128.any_true(alike)) continue;
    const counted = v128.and(alike, areKept(row, logits, v));
    const amounts = v128.and(counted, amountsOf(row, logits, byMass));
    if (!v128.any_true(amounts)) continue;
    const digits = v128.and(i32x4.shr_u(places, shift), digit);
    addToBin(i32x4.extract_lane(digits, 0), i32x4.extract_lane(amounts, 0));
    addToBin(i32x4.extract_lane(digits, 1), i32x4.extract_lane(amounts, 1));
    addToBin(i32x4.extract_lane(digits, 2), i32x4.extract_lane(amounts, 2));
    addToBin(i32x4.extract_lane(digits, 3), i32x4.extract_lane(amounts, 3));
  }
}

function allBins(digits: u32): u32 {
  let total: u32 = 0;
  for (let digit: u32 = 0; digit < digits; digit++) total += load<u32>(binAt(digit));
  return total;
}

/**
 * Moves the cut forward: by top-k to the k-th token; by top-p to the last one with less than top-p of the kept tokens'
 * mass in front of it. A radix search, some bits of the place a pass; equals are then counted in the order of ids.
 */
function cutAt(row: Row, settings: Settings, byMass: bool): void {
  let limit = min<u32>(settings.topK, row.V);
  let ahead: u32 = 0; // the amount in front of all places that begin like `last`
  let last: u32 = 0;
  const digitBits = row.V <= 8192 ? smallDigit : largeDigit;
  for (let top: u32 = 32; top > 0;) {
    const shift = top > digitBits ? top - digitBits : 0;
    fillBins(row, last, shift, top, byMass);
    if (byMass && top == 32) limit = max<u32>(1, <u32>ceil<f32>(settings.topP * <f32>allBins(1 << digitBits)));
    let digit: u32 = (1 << (top - shift)) - 1;
    for (; digit > 0 && ahead + load<u32>(binAt(digit)) < limit; digit--) ahead += load<u32>(binAt(digit));
    last |= digit << shift;
    top = shift;
  }
  const logit = logitOf(last);
  const each = i32x4.extract_lane(amountsOf(row, f32x4.splat(logit), byMass), 0);
  let token: u32 = 0;
  for (let v: u32 = 0; v < row.V && ahead < limit; v++) {
    if (load<f32>(row.logits + 4 * v) != logit) continue;
    ahead += each;
    token = v;
  }
  row.cutLogit = logit;
  row.cutToken = token;
}

/** The first kept token with the largest logit, to which Gumbel noise of the key is added unless it is `greedy`. */
function drawToken(row: Row, greedy: bool, key: v128): u32 {
  const V = row.V;
  const scale = f32x4.splat(row.inverseTemperature);
  let best = f32x4.splat(-3.0e38);
  let token: u32 = 0;
  for (let v: u32 = 0; v < V; v += 4) {
    const logits = fourOf(row.logits, v, V);
    let own = f32x4.mul(logits, scale);
    if (!greedy) {
      const bits = randomBits4(key, idsFrom(v));
      // Most tokens lose by the bound alone, which spares two logarithms.
      if (!v128.any_true(f32x4.gt(f32x4.add(own, gumbelBound4(bits)), best))) continue;
      own = f32x4.add(own, gumbelNoise4(bits));
    }
    const wins = v128.and(f32x4.gt(own, best), areKept(row, logits, v));
    if (!v128.any_true(wins)) continue;
    own = v128.bitselect(own, best, wins);
    best = f32x4.splat(max4(own));
    token = v + ctz(i32x4.bitmask(f32x4.eq(own, best)));
  }
  return token;
}

function isStop(token: u32, settings: Settings): bool {
  const stops = changetype<usize>(settings) + offsetof<Settings>('stops');
  for (let i: u32 = 0; i < settings.stopCount; i++) if (token == load<u32>(stops + 4 * i)) return true;
  return false;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const settings = changetype<Settings>(args.settings);
  const row = changetype<Row>(scratch);
  const V = args.V;
  const end = firstItem(rows, part + 1, parts);
  for (let r = firstItem(rows, part, parts); r < end; r++) {
    const slot = load<u32>(args.rows + 8 * r);
    const position = load<u32>(args.rows + 8 * r + 4);
    if (position == IDLE) continue;
    const softmax = softmaxRow(args.logits + 4 * r * V, V, settings.inverseTemperature);
    row.logits = args.logits + 4 * r * V;
    row.V = V;
    row.inverseTemperature = settings.inverseTemperature;
    row.logSum = logSumOf(softmax);
    row.cutLogit = -Infinity;
    row.cutToken = 0x7fffffff;
    if (!settings.greedy && settings.topK > 0) cutAt(row, settings, false);
    if (!settings.greedy && settings.topP < 1) cutAt(row, settings, true);
    const key = randomKey(settings.seed, PURPOSE_SAMPLE, settings.iteration, slot, position);
    const token = drawToken(row, settings.greedy != 0, key);
    const left = load<u32>(args.progress + 8 * r);
    const count = load<u32>(args.progress + 8 * r + 4);
    const drawn = args.drawn + 16 * (r * args.CHUNK + count);
    store<u32>(drawn, token);
    store<f32>(drawn + 4, logProbOf(softmax, row.logits, token, settings.inverseTemperature));
    store<f32>(drawn + 8, entropyOf(softmax));
    store<u32>(drawn + 12, 0);
    store<u32>(args.progress + 8 * r, left - 1);
    store<u32>(args.progress + 8 * r + 4, count + 1);
    store<u32>(args.feed + 4 * r, token);
    const stop = left == 1 || isStop(token, settings);
    store<u32>(args.rows + 8 * r + 4, stop ? IDLE : position + 1);
  }
}
