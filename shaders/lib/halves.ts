/**
 * Numbers out of half precision. A half's exponent and fraction in the places of a float32's make a number that is
 * 2^-112 of it, a subnormal one where the half is subnormal: times 2^112 it is exact. Infinity and NaN come out as an
 * infinity: their product with 2^224 is too large for a float32, that of a finite half is not.
 */

/** 2^112, whose square is no float32. */
const scale: f32 = 5.192296858534828e33;

/** The four halves at an address. */
@inline
export function floatsAt(at: usize): v128 {
  const bits = v128.and(i32x4.shl(v128.load16x4_s(at), 13), i32x4.splat(<i32>0x8fffe000));
  const overflowing = f32x4.mul(f32x4.mul(bits, f32x4.splat(scale)), f32x4.splat(scale));
  return f32x4.mul(overflowing, f32x4.splat(1 / scale));
}

/** The half at an address. */
@inline
export function floatAt(at: usize): f32 {
  const bits = (<i32>load<i16>(at) << 13) & <i32>0x8fffe000;
  return reinterpret<f32>(bits) * scale * scale * (1 / scale);
}
