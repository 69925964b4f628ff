/** Softmax of logits that exist a slice at a time, on the CPU; the formulas stand in softmax-slices.wgsl. */
import { exp } from './lib/math';
import { addGradient, softmaxPowers, softmaxSums } from './lib/softmax';
import { firstItem } from './lib/parts';

@unmanaged
class Gather {
  logits: usize;
  targets: usize;
  sums: usize;
  inverseTemperature: usize;
  slice: usize;
}

/** Of a site, over the slices so far. */
@unmanaged
class Sums {
  largest: f32;
  total: f32;
  weighted: f32;
  target: f32;
}

@unmanaged
class Slice {
  first: u32;
  count: u32;
}

export function gather(args: Gather, sites: u32, part: u32, parts: u32): void {
  const inverseTemperature = load<f32>(args.inverseTemperature);
  const slice = changetype<Slice>(args.slice);
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const row = args.logits + 4 * site * slice.count;
    const target = load<u32>(args.targets + 4 * site);
    const all = sumsOf(args.sums + 16 * site, row, slice, target, inverseTemperature);
    addSums(all, softmaxSums(row, slice.count, inverseTemperature));
  }
}

/** Of a site: new ones at the first slice, and with the target's logit once its slice has come. */
@inline
function sumsOf(sums: usize, row: usize, slice: Slice, target: u32, inverseTemperature: f32): Sums {
  const all = changetype<Sums>(sums);
  if (slice.first == 0) v128.store(sums, f32x4(-3.0e38, 0, 0, 0));
  const place = target - slice.first;
  if (place < slice.count) all.target = load<f32>(row + 4 * place) * inverseTemperature;
  return all;
}

@unmanaged
class Weigh {
  logits: usize;
  targets: usize;
  sums: usize;
  rowSums: usize;
  inverseTemperature: usize;
  slice: usize;
  D: u32;
}

/** The sums are those of `gather`, bit for bit. */
export function weigh(args: Weigh, sites: u32, part: u32, parts: u32): void {
  const inverseTemperature = load<f32>(args.inverseTemperature);
  const slice = changetype<Slice>(args.slice);
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const row = args.logits + 4 * site * slice.count;
    const target = load<u32>(args.targets + 4 * site);
    const all = sumsOf(args.sums + 16 * site, row, slice, target, inverseTemperature);
    const own = softmaxPowers(row, slice.count, inverseTemperature);
    const before = all.largest;
    addSums(all, own);
    scaleRow(row, slice.count, exp(f32x4.extract_lane(own, 0) - all.largest));
    if (slice.first > 0) scaleRow(args.rowSums + 4 * site * args.D, args.D, exp(before - all.largest));
  }
}

/** Below this, products would be subnormal and slow. */
const least: f32 = 1e-30;

/** row [count] *= factor; what becomes too small is 0. */
function scaleRow(row: usize, count: u32, factor: f32): void {
  if (factor == 1) return;
  const end = row + 4 * count;
  for (; row + 16 <= end; row += 16) {
    const x = f32x4.mul(v128.load(row), f32x4.splat(factor));
    v128.store(row, v128.and(x, f32x4.ge(f32x4.abs(x), f32x4.splat(least))));
  }
  for (; row < end; row += 4) {
    const x = load<f32>(row) * factor;
    store<f32>(row, abs(x) >= least ? x : 0);
  }
}

function addSums(all: Sums, own: v128): void {
  const ownLargest = f32x4.extract_lane(own, 0);
  const ownTotal = f32x4.extract_lane(own, 1);
  const ownWeighted = f32x4.extract_lane(own, 2);
  const largest = max<f32>(all.largest, ownLargest);
  const before = exp(all.largest - largest);
  const now = exp(ownLargest - largest);
  const weightedBefore = before * (all.weighted + all.total * (all.largest - largest));
  all.weighted = weightedBefore + now * (ownWeighted + ownTotal * (ownLargest - largest));
  all.total = before * all.total + now * ownTotal;
  all.largest = largest;
}

@unmanaged
class Gradient {
  logits: usize;
  targets: usize;
  sites: usize;
  slopes: usize;
  inverseTemperature: usize;
  slice: usize;
}

export function gradient(args: Gradient, sites: u32, part: u32, parts: u32): void {
  const inverseTemperature = load<f32>(args.inverseTemperature);
  const slice = changetype<Slice>(args.slice);
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const row = args.logits + 4 * site * slice.count;
    const weight = load<f32>(args.sites + 16 * site + 12);
    if (weight == 0) {
      memory.fill(row, 0, 4 * slice.count);
      continue;
    }
    const softmax = v128.load(args.slopes + 16 * site);
    const target = load<u32>(args.targets + 4 * site) - slice.first;
    const slope = f32x4.extract_lane(softmax, 2);
    const spread = f32x4.extract_lane(softmax, 3);
    addGradient(row, row, slice.count, inverseTemperature, softmax, target, slope, spread);
  }
}

@unmanaged
class Pull {
  rowSums: usize;
  targetRows: usize;
  sums: usize;
  sites: usize;
  slopes: usize;
  dhidden: usize;
  D: u32;
}

export function pull(args: Pull, sites: u32, part: u32, parts: u32): void {
  const bytes: u32 = 4 * args.D;
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    if (load<f32>(args.sites + 16 * site + 12) == 0) continue;
    const slope = load<f32>(args.slopes + 16 * site + 8);
    const share: f32 = 1 / changetype<Sums>(args.sums + 16 * site).total;
    const rowSum = args.rowSums + site * bytes;
    const target = args.targetRows + site * bytes;
    const change = args.dhidden + site * bytes;
    let c: u32 = 0;
    for (; c + 16 <= bytes; c += 16) {
      const mean = f32x4.mul(v128.load(rowSum + c), f32x4.splat(share));
      const by = f32x4.mul(f32x4.splat(slope), f32x4.sub(v128.load(target + c), mean));
      v128.store(change + c, f32x4.add(v128.load(change + c), by));
    }
    for (; c < bytes; c += 4) {
      const by = slope * (load<f32>(target + c) - load<f32>(rowSum + c) * share);
      store<f32>(change + c, load<f32>(change + c) + by);
    }
  }
}
