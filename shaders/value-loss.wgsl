// Clipped value loss of a critic, fused with its gradient.
//   c = clamp(value, old ± CLIP);  l = max((value − return)², (c − return)²);  loss += 0.5 · coefficient · weight · l   (Schulman 2017, as in PPO2)
//   value [M], sites [M] (old value, return, coefficient, weight), stats [M] (0.5 l, clipped), value_grad [M]
// One thread a site.
@group(0) @binding(0) var<storage, read> value: array<f32>;
@group(0) @binding(1) var<storage, read> sites: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> stats: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> value_grad: array<f32>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let site = id.x;
  if (site >= M) { return; }
  let label = sites[site];
  let free = value[site] - label.y;
  let held = clamp(value[site], label.x - CLIP, label.x + CLIP) - label.y;
  let clipped = held * held > free * free;
  stats[site] = vec2f(0.5 * max(free * free, held * held), f32(clipped));
  // The clipped branch has slope 0 where the clamp holds; inside the clamp both branches are equal.
  value_grad[site] += select(label.z * label.w * free, 0.0, clipped);
}
