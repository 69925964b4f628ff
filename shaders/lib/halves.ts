/**
 * Finite numbers out of half precision; others are refused before they come here. A half's exponent and fraction in the
 * places of a float32's make a number that is 2^-112 of it, a subnormal one where the half is subnormal: times 2^112 it
 * is exact.
 */

/** 2^112. */
const scale: f32 = 5.192296858534828e33;

/** The four halves at an address. */
@inline
export function floatsAt(at: usize): v128 {
  const bits = v128.and(i32x4.shl(v128.load16x4_s(at), 13), i32x4.splat(<i32>0x8fffe000));
  return f32x4.mul(bits, f32x4.splat(scale));
}

/** The half at an address. */
@inline
export function floatAt(at: usize): f32 {
  const bits = (<i32>load<i16>(at) << 13) & <i32>0x8fffe000;
  return reinterpret<f32>(bits) * scale;
}
