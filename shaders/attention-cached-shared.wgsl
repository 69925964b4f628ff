// attention-cached.wgsl for wide heads and long caches: a workgroup of 64 takes one head of one token. It goes over 64
// positions at a time: a thread computes the score of one; then the threads form teams of EV, which divide the
// positions, and each thread adds up one Element of their values.
#include "lib/element"

@group(0) @binding(0) var<storage, read> qkv: array<Element>;
@group(0) @binding(1) var<storage, read> cache: array<Element>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<Element>;

const ROW = 2u * HK * EV;
const TEAMS = 64u / EV;

var<workgroup> query: array<Element, EV>;
var<workgroup> scores: array<f32, 64>;
var<workgroup> outputs: array<Element, 64>;

@compute @workgroup_size(64)
fn forward(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let index = group.y * groups.x + group.x;
  let n = index / H;
  let head = index % H;
  if (n >= arrayLength(&places) / 2) {
    return;
  }
  let position = places[2 * n + 1];
  if (position >= S) {
    return;
  }
  let keys = places[2 * n] * S * ROW + head / (H / HK) * EV;
  if (thread < EV) {
    query[thread] = qkv[(n * (H + 2 * HK) + head) * EV + thread] * SCALE;
  }
  let team = thread / EV;
  let e = thread % EV;
  var top = -1e30;
  var sum = 0.0;
  var o = Element(0);
  for (var first = 0u; first <= position; first += 64u) {
    let count = min(64u, position + 1 - first);
    workgroupBarrier();
    if (thread < count) {
      var s = 0.0;
      // The same number as EV, but one that drivers cannot unroll by: llvmpipe compiles it unrolled for half a minute.
      for (var c = 0u; c < arrayLength(&qkv) / (arrayLength(&places) / 2 * (H + 2 * HK)); c++) {
        s += inner(query[c], cache[keys + (first + thread) * ROW + c]);
      }
      scores[thread] = s;
    }
    workgroupBarrier();
    var newTop = top;
    for (var j = 0u; j < count; j++) {
      newTop = max(newTop, scores[j]);
    }
    let keep = exp2(top - newTop);
    top = newTop;
    sum *= keep;
    o *= keep;
    for (var j = team; j < select(0u, count, team < TEAMS); j += TEAMS) {
      let p = exp2(scores[j] - top);
      sum += p;
      o += p * cache[keys + HK * EV + (first + j) * ROW + e];
    }
  }
  workgroupBarrier();
  outputs[thread] = o;
  scores[thread] = sum;
  workgroupBarrier();
  if (thread < EV) {
    var total = 0.0;
    var output = Element(0);
    for (var t = 0u; t < TEAMS; t++) {
      total += scores[t * EV + thread];
      output += outputs[t * EV + thread];
    }
    y[(n * H + head) * EV + thread] = output / total;
  }
}
