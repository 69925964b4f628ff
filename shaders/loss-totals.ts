/** Running totals of the statistics of sites on the CPU; see loss-totals.wgsl. */
import { isFinite4 } from './lib/finite';

@unmanaged
class Totals {
  sites: f32;
  weightedLoss: f32;
  logProb: f32;
  entropy: f32;
  loss: f32;
  kl: f32;
  ratio: f32;
  clipped: f32;
  dualClipped: f32;
  approxKl: f32;
  clippedAbove: f32;
}

@unmanaged
class Forward {
  sites: usize;
  stats: usize;
  totals: usize;
  veto: usize;
  M: u32;
}

export function forward(args: Forward, _items: u32, part: u32, _parts: u32): void {
  if (part != 0) return;
  let low = f32x4.splat(0);
  let high = f32x4.splat(0);
  let sites: f32 = 0;
  let weightedLoss: f32 = 0;
  let clippedAbove: f32 = 0;
  for (let m: u32 = 0; m < args.M; m++) {
    const site = args.sites + 16 * m;
    const weight = load<f32>(site + 12);
    if (weight == 0) continue;
    const stats = args.stats + 32 * m;
    low = f32x4.add(low, v128.load(stats));
    high = f32x4.add(high, v128.load(stats + 16));
    sites += 1;
    weightedLoss += weight * load<f32>(stats + 8);
    if (load<f32>(site + 8) > 0) clippedAbove += load<f32>(stats + 20);
  }
  if (!isFinite4(low) || !isFinite4(high) || !isFinite4(f32x4(sites, weightedLoss, clippedAbove, 0))) {
    store<f32>(args.veto, 1);
    return;
  }
  const totals = changetype<Totals>(args.totals);
  totals.sites += sites;
  totals.weightedLoss += weightedLoss;
  totals.logProb += f32x4.extract_lane(low, 0);
  totals.entropy += f32x4.extract_lane(low, 1);
  totals.loss += f32x4.extract_lane(low, 2);
  totals.kl += f32x4.extract_lane(low, 3);
  totals.ratio += f32x4.extract_lane(high, 0);
  totals.clipped += f32x4.extract_lane(high, 1);
  totals.dualClipped += f32x4.extract_lane(high, 2);
  totals.approxKl += f32x4.extract_lane(high, 3);
  totals.clippedAbove += clippedAbove;
}
