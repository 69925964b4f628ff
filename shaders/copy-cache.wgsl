// cache[to, p] = cache[from, p] for the positions first <= p < end of each copy (from, to, first, end).
// cache: [slots, S, 2, Hk, E], a position has W Elements; copies: [C]. No slot is both read and written.
// A row of workgroups (y) is a copy; a thread takes an Element.
#include "lib/element"

@group(0) @binding(0) var<storage, read> copies: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> cache: array<Element>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let copy = copies[id.y];
  let at = copy.z * W + id.x;
  if (at < copy.w * W) {
    cache[copy.y * S * W + at] = cache[copy.x * S * W + at];
  }
}
