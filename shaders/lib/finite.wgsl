// WGSL may assume that NaN and infinity do not exist, so exponent bits are tested instead of numbers.
fn isFinite(v: vec4f) -> bool {
  return all((bitcast<vec4u>(v) & vec4u(0x7f800000u)) != vec4u(0x7f800000u));
}
