/** Rotary positions in float64, on the query and key heads of fused rows q | k | v. */
import type { Array64 } from './array';

export interface RotaryOptions {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly ropeBase: number;
  readonly ropeStyle: 'half' | 'interleaved';
}

export function rotary(
  qkv: Array64,
  positions: Array64,
  { heads, kvHeads, headSize, ropeBase, ropeStyle }: RotaryOptions,
): Array64 {
  const width = (heads + 2 * kvHeads) * headSize;
  const data = qkv.data.slice();
  positions.data.forEach((position, n) => {
    for (let head = 0; head < heads + kvHeads; head++) {
      for (let i = 0; i < headSize / 2; i++) {
        const angle = position * ropeBase ** ((-2 * i) / headSize);
        const at = n * width + head * headSize;
        const [first, second] = ropeStyle === 'half' ? [at + i, at + i + headSize / 2] : [at + 2 * i, at + 2 * i + 1];
        data[first] = qkv.data[first] * Math.cos(angle) - qkv.data[second] * Math.sin(angle);
        data[second] = qkv.data[second] * Math.cos(angle) + qkv.data[first] * Math.sin(angle);
      }
    }
  });
  return { shape: qkv.shape, data };
}
