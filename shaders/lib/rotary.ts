/** Rotation of queries and keys, which training and the cache share. */
import { cos4, sin4 } from './math';

/** Leaves cos, then sin, of position · frequency for each of `pairs` pairs: [2, pairs]. */
export function turnsOf(frequencies: usize, pairs: u32, position: u32, turns: usize): void {
  const sines = turns + 4 * pairs;
  let i: u32 = 0;
  for (; i + 4 <= pairs; i += 4) {
    const angle = f32x4.mul(f32x4.splat(<f32>position), v128.load(frequencies + 4 * i));
    v128.store(turns + 4 * i, cos4(angle));
    v128.store(sines + 4 * i, sin4(angle));
  }
  for (; i < pairs; i++) {
    const angle = f32x4.splat(<f32>position * load<f32>(frequencies + 4 * i));
    store<f32>(turns + 4 * i, f32x4.extract_lane(cos4(angle), 0));
    store<f32>(sines + 4 * i, f32x4.extract_lane(sin4(angle), 0));
  }
}

/** Turns the pairs of a head by cos and direction · sin. `from` and `to` may be the same. */
export function turnHead(
  from: usize,
  to: usize,
  turns: usize,
  pairs: u32,
  stride: u32,
  partner: u32,
  direction: f32,
): void {
  const sines = turns + 4 * pairs;
  const across = 4 * partner;
  let i: u32 = 0;
  if (stride == 1) {
    for (; i + 4 <= pairs; i += 4) {
      const a = v128.load(from + 4 * i);
      const b = v128.load(from + across + 4 * i);
      const cos = v128.load(turns + 4 * i);
      const sin = f32x4.mul(v128.load(sines + 4 * i), f32x4.splat(direction));
      v128.store(to + 4 * i, f32x4.sub(f32x4.mul(a, cos), f32x4.mul(b, sin)));
      v128.store(to + across + 4 * i, f32x4.add(f32x4.mul(b, cos), f32x4.mul(a, sin)));
    }
  }
  for (; i < pairs; i++) {
    const at = 4 * i * stride;
    const a = load<f32>(from + at);
    const b = load<f32>(from + at + across);
    const cos = load<f32>(turns + 4 * i);
    const sin = load<f32>(sines + 4 * i) * direction;
    store<f32>(to + at, a * cos - b * sin);
    store<f32>(to + at + across, b * cos + a * sin);
  }
}
