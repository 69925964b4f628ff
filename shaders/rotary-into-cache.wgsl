// Rotates queries in place; keys on the way into the cache; copies values. The rotation is that of rotary.wgsl.
// qkv: [N, (H + 2 HK) E], heads q | k | v; cache: [slots, S, 2, HK, E]; places: [N, 2] (slot, position); frequencies:
// [E / 2]. A row of workgroups (y) is a token; a thread takes one pair of components in all heads. Tokens with position
// >= S are idle.
#include "lib/sincos"

@group(0) @binding(0) var<storage, read_write> qkv: array<f32>;
@group(0) @binding(1) var<storage, read_write> cache: array<f32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> frequencies: array<f32>;

@compute @workgroup_size(16)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let n = id.y;
  let pair = id.x;
  let position = places[2 * n + 1];
  if (pair >= E / 2 || position >= S) {
    return;
  }
  let turn = cosSin(f32(position) * frequencies[pair]);
  let a = pair * PAIR_STRIDE;
  let b = a + PARTNER;
  for (var head = 0u; head < H; head++) {
    let at = (n * (H + 2 * HK) + head) * E;
    let q = vec2f(qkv[at + a], qkv[at + b]);
    qkv[at + a] = q.x * turn.x - q.y * turn.y;
    qkv[at + b] = q.y * turn.x + q.x * turn.y;
  }
  for (var head = 0u; head < HK; head++) {
    let at = (n * (H + 2 * HK) + H + head) * E;
    let to = ((places[2 * n] * S + position) * 2 * HK + head) * E;
    let k = vec2f(qkv[at + a], qkv[at + b]);
    cache[to + a] = k.x * turn.x - k.y * turn.y;
    cache[to + b] = k.y * turn.x + k.x * turn.y;
    cache[to + HK * E + a] = qkv[at + HK * E + a];
    cache[to + HK * E + b] = qkv[at + HK * E + b];
  }
}
