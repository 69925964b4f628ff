// Counter-based random numbers: the same function as src/lib/rng.ts, bit for bit.
// pcg4d of Jarzynski & Olano, "Hash Functions for GPU Rendering" (JCGT 2020).
fn pcg4d(key: vec4u) -> vec4u {
  var v = key * 1664525u + 1013904223u;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  v ^= v >> vec4u(16u);
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  return v;
}

// 32 random bits for (seed, purpose, a, b, c, d).
fn randomBits(seed: u32, purpose: u32, a: u32, b: u32, c: u32, d: u32) -> u32 {
  let key = pcg4d(vec4u(seed, purpose, a, b));
  return pcg4d(vec4u(key.xy, key.z + c, key.w + d)).x;
}

// A float in (0, 1), never 0 and never 1: 23 bits, exact in f32. Of ~bits it is 1 minus that of bits.
fn randomUniform(bits: u32) -> f32 {
  return (f32(bits >> 9u) + 0.5) * 0x1p-23;
}

// −log(−log u) of a uniform u, within 1e-4 for every word. WGSL's log may be off by 2⁻²¹ near 1, more than −log u
// itself for the largest u. So there −log u is a series in w = 1 − u, which is exact:
//   −log(1 − w) = w (1 + w/2 + w²/3 + w³/4 + w⁴/5 + …)
fn gumbelNoise(bits: u32) -> f32 {
  let u = randomUniform(bits);
  let w = randomUniform(~bits);
  let series = w * (1.0 + w * (1.0 / 2.0 + w * (1.0 / 3.0 + w * (1.0 / 4.0 + w / 5.0))));
  return -log(select(-log(u), series, w < 1.0 / 16.0));
}
