// Index of an invocation in a grid made by `linearGrid`: workgroups of 64 in x, folded into y.
fn linearIndex(globalId: vec3u, groups: vec3u) -> u32 {
  return globalId.y * (groups.x * 64u) + globalId.x;
}
