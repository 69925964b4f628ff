/** Half precision on the CPU; see half.wgsl. Exact for all halves. SIZE is a multiple of 4. */
import { firstItem } from './lib/parts';

@unmanaged
class Unpack {
  packed: usize;
  value: usize;
}

export function unpack(args: Unpack, words: u32, part: u32, parts: u32): void {
  const end = firstItem(words / 2, part + 1, parts);
  for (let i = firstItem(words / 2, part, parts); i < end; i++) {
    v128.store(args.value + 16 * i, floatsOf(v128.load16x4_u(args.packed + 8 * i)));
  }
}

/** Moves exponent and fraction into place; a subnormal half is its fraction times 2^-24 instead. */
@inline
function floatsOf(halves: v128): v128 {
  const magnitude = v128.and(halves, i32x4.splat(0x7fff));
  const rebias = i32x4.splat((127 - 15) << 23);
  const isSpecial = i32x4.ge_s(magnitude, i32x4.splat(0x7c00));
  let bits = i32x4.add(i32x4.shl(magnitude, 13), rebias);
  bits = i32x4.add(bits, v128.and(isSpecial, rebias)); // infinity or NaN
  const tiny = f32x4.mul(f32x4.convert_i32x4_s(magnitude), f32x4.splat(5.9604644775390625e-8));
  bits = v128.bitselect(tiny, bits, i32x4.lt_s(magnitude, i32x4.splat(0x400)));
  return v128.or(bits, i32x4.shl(v128.and(halves, i32x4.splat(0x8000)), 16));
}
