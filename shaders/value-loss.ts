/** The critic's clipped value loss on the CPU; the formulas stand in value-loss.wgsl. */
import { isFinite4 } from './lib/finite';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  value: usize;
  sites: usize;
  stats: usize;
  valueGrad: usize;
  M: u32;
  CLIP: f32;
}

export function forward(args: Forward, _items: u32, part: u32, parts: u32): void {
  const end = firstItem(args.M, part + 1, parts);
  for (let m = firstItem(args.M, part, parts); m < end; m++) {
    const site = args.sites + 16 * m;
    const old = load<f32>(site);
    const target = load<f32>(site + 4);
    const weight = load<f32>(site + 8) * load<f32>(site + 12);
    const value = load<f32>(args.value + 4 * m);
    const free = value - target;
    const held = min(max(value, old - args.CLIP), old + args.CLIP) - target;
    const clipped = held * held > free * free;
    store<f32>(args.stats + 8 * m, 0.5 * max(free * free, held * held));
    store<f32>(args.stats + 8 * m + 4, <f32>clipped);
    const grad = args.valueGrad + 4 * m;
    store<f32>(grad, load<f32>(grad) + (clipped ? 0 : weight * free));
  }
}

@unmanaged
class AddUp {
  sites: usize;
  stats: usize;
  totals: usize;
  M: u32;
}

export function addUp(args: AddUp, _items: u32, part: u32, _parts: u32): void {
  if (part != 0) return;
  let loss: f32 = 0;
  let clipped: f32 = 0;
  for (let m: u32 = 0; m < args.M; m++) {
    const weight = load<f32>(args.sites + 16 * m + 12);
    if (weight == 0) continue;
    loss += weight * load<f32>(args.stats + 8 * m);
    clipped += weight * load<f32>(args.stats + 8 * m + 4);
  }
  if (!isFinite4(f32x4.splat(loss))) return;
  store<f32>(args.totals, load<f32>(args.totals) + loss);
  store<f32>(args.totals + 4, load<f32>(args.totals + 4) + clipped);
}
