// Numbers out of half precision, two to a word:  (value[2 i], value[2 i + 1]) = packed[i]
//   packed [SIZE / 2], value [SIZE].  One thread a word.
@group(0) @binding(0) var<storage, read> packed: array<u32>;
@group(0) @binding(1) var<storage, read_write> value: array<vec2f>;

#include "lib/grid"

@compute @workgroup_size(64)
fn unpack(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups);
  if (i < SIZE / 2) { value[i] = unpack2x16float(packed[i]); }
}
