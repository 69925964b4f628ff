/** True if none of the four numbers is NaN or infinite. */
@inline
export function isFinite4(v: v128): bool {
  const exponent = i32x4.splat(0x7f800000);
  return !v128.any_true(i32x4.eq(v128.and(v, exponent), exponent));
}
