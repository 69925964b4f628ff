// In place, for pairs (a, b) of each query and key head:  (a, b) -> (a cos - b sin, b cos + a sin),  angle = position *
// frequency DIRECTION -1 turns back, which is the gradient.
// x: [N, (H + 2 HK) E], heads q | k | v (or its gradient); positions: [N]; frequencies: [E / 2].
// Pair i is components i PAIR_STRIDE and i PAIR_STRIDE + PARTNER. A thread turns pair i of all heads of one token.
#include "lib/grid"
#include "lib/sincos"

@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
@group(0) @binding(2) var<storage, read> frequencies: array<f32>;

@compute @workgroup_size(64)
fn rotate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * (E / 2)) {
    return;
  }
  let n = index / (E / 2);
  let pair = index % (E / 2);
  let turn = cosSin(f32(positions[n]) * frequencies[pair]) * vec2f(1, DIRECTION);
  for (var head = 0u; head < H + HK; head++) {
    let at = (n * (H + 2 * HK) + head) * E + pair * PAIR_STRIDE;
    let a = x[at];
    let b = x[at + PARTNER];
    x[at] = a * turn.x - b * turn.y;
    x[at + PARTNER] = b * turn.x + a * turn.y;
  }
}
