// Index of an invocation in a grid made by `linearGrid`: workgroups of 64 in x, folded into y.
fn linear_index(global_id: vec3u, groups: vec3u) -> u32 {
  return global_id.y * (groups.x * 64u) + global_id.x;
}
