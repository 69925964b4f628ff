// Squared norm of each parameter's gradient: where in the model an update comes from.
//   gradient [SIZE], ranges [P] (first element, one past the last), norms [P]
// One workgroup of 64 threads a parameter.
@group(0) @binding(0) var<storage, read> gradient: array<f32>;
@group(0) @binding(1) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> norms: array<f32>;
var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let range = ranges[group.x];
  var sum = 0.0;
  for (var i = range.x + local.x; i < range.y; i += 64) { sum = fma(gradient[i], gradient[i], sum); }
  sums[local.x] = sum;
  workgroupBarrier();
  if (local.x != 0) { return; }
  for (var i = 1u; i < 64; i++) { sum += sums[i]; }
  norms[group.x] = sum;
}
