// vec2f(cos, sin) of an angle below about 1e5, to 1e-6 on every device: WGSL promises its own only to 2^-11.
// Reduced to [-pi/4, pi/4] by multiples of pi/2 (Cody & Waite), then Taylor polynomials.
fn cosSin(angle: f32) -> vec2f {
  let quarter = round(angle * 0.6366197723675814);
  let r = fma(-quarter, 7.549789415861596e-8, fma(-quarter, 1.5707962512969971, angle));
  let r2 = r * r;
  let s = r * (1.0 + r2 * (-1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (-1.0 / 5040.0 + r2 / 362880.0))));
  let c = 1.0 + r2 * (-0.5 + r2 * (1.0 / 24.0 + r2 * (-1.0 / 720.0 + r2 * (1.0 / 40320.0))));
  let turn = u32(i32(quarter)) & 3u;
  let swapped = select(vec2f(c, s), vec2f(-s, c), (turn & 1u) == 1u);
  return select(swapped, -swapped, (turn & 2u) == 2u);
}
