/** Softmax of logits that exist a slice at a time, on the CPU; the formulas stand in softmax-slices.wgsl. */
import { exp } from './lib/math';
import { addGradient, softmaxSums } from './lib/softmax';
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
    const all = changetype<Sums>(args.sums + 16 * site);
    if (slice.first == 0) v128.store(changetype<usize>(all), f32x4(-3.0e38, 0, 0, 0));
    addSums(all, softmaxSums(row, slice.count, inverseTemperature));
    const place = load<u32>(args.targets + 4 * site) - slice.first;
    if (place < slice.count) all.target = load<f32>(row + 4 * place) * inverseTemperature;
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
