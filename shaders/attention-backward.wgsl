// Gradient of causal attention over packed segments; see attention.wgsl for the names and the gap.
//   p[i, j] = 2^(s[i, j] - lse[i]);   delta[i] = dy[i] . y[i];   ds[i, j] = p[i, j] (dy[i] . v[j] - delta[i])
//   dq[i] += sum_j ds[i, j] k[j] / sqrt(E);   dk[j] += sum_i ds[i, j] q[i] / sqrt(E);   dv[j] += sum_i p[i, j] dy[i]
// `queries`: a thread takes TILE consecutive queries of one head, loops over their keys, and leaves delta: [N, H] for
// `keys`. `keys`: a thread takes TILE consecutive keys of one key/value head and loops over the later queries that see
// them, all heads of the group in turn. Both write their own part of dqkv, so no sum is ever split between threads.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> qkv: array<Element>;
@group(0) @binding(1) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(2) var<storage, read> y: array<Element>;
@group(0) @binding(3) var<storage, read> lse: array<f32>;
@group(0) @binding(4) var<storage, read> dy: array<Element>;
@group(0) @binding(5) var<storage, read_write> deltaOut: array<f32>;
@group(0) @binding(6) var<storage, read> delta: array<f32>;
@group(0) @binding(7) var<storage, read_write> dqkv: array<Element>;

const ROW = (H + 2 * HK) * EV;
const TILES = (N + TILE - 1) / TILE;
const GROUP = H / HK;
const LN2 = 0.6931471805599453;
// 2^HIDDEN is nothing.
const HIDDEN = -200.0;

@compute @workgroup_size(64)
fn queries(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= TILES * H) {
    return;
  }
  let head = index % H;
  let first = index / H * TILE;
  let last = min(first + TILE, N) - 1;
  let keys = (H + head / GROUP) * EV;
  var low = last;
  var gap = 0u;
  var resume = last;
#unroll a TILE
  let i$a = min(first + $a, last);
  let seen$a = ranges[i$a];
  low = min(low, seen$a.x);
  gap = max(gap, seen$a.y);
  resume = min(resume, seen$a.z);
  let n$a = i$a * H + head;
  let lse$a = lse[n$a];
  var delta$a = 0.0;
#unroll e EV
  let q$a_$e = qkv[i$a * ROW + head * EV + $e] * SCALE;
  let g$a_$e = dy[n$a * EV + $e];
  delta$a += inner(g$a_$e, y[n$a * EV + $e]);
  var d$a_$e = Element(0);
#end
  deltaOut[n$a] = delta$a;
#end

  for (var j = low; j <= last; j++) {
    j = select(j, max(j, resume), j == gap);
    let at = j * ROW + keys;
#unroll e EV
    let k$e = qkv[at + $e];
    let v$e = qkv[at + HK * EV + $e];
#end
#unroll a TILE
    let s$a = -lse$a
#unroll e EV
      + inner(q$a_$e, k$e)
#end
      ;
    let ds$a = exp2(select(HIDDEN, s$a, j <= i$a && (j >= seen$a.z || (j >= seen$a.x && j < seen$a.y)))) * (-delta$a
#unroll e EV
      + inner(g$a_$e, v$e)
#end
      );
#unroll e EV
    d$a_$e += ds$a * k$e;
#end
#end
  }

#unroll a TILE
  if (first + $a <= last) {
#unroll e EV
    dqkv[i$a * ROW + head * EV + $e] += d$a_$e * (SCALE * LN2);
#end
  }
#end
}

@compute @workgroup_size(64)
fn keys(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= TILES * HK) {
    return;
  }
  let head = index % HK;
  let first = index / HK * TILE;
  let last = min(first + TILE, N) - 1;
  var high = first;
#unroll a TILE
  let j$a = min(first + $a, last);
  let end$a = ranges[j$a].w;
  high = max(high, end$a);
  let at$a = j$a * ROW + (H + head) * EV;
#unroll e EV
  let k$a_$e = qkv[at$a + $e] * SCALE;
  let v$a_$e = qkv[at$a + HK * EV + $e];
  var dk$a_$e = Element(0);
  var dv$a_$e = Element(0);
#end
#end

  for (var h = head * GROUP; h < (head + 1) * GROUP; h++) {
    for (var i = first; i < high; i++) {
      let n = i * H + h;
      let lseOfQuery = lse[n];
      let deltaOfQuery = delta[n];
#unroll e EV
      let q$e = qkv[i * ROW + h * EV + $e];
      let g$e = dy[n * EV + $e];
#end
#unroll a TILE
      let s$a = -lseOfQuery
#unroll e EV
        + inner(q$e, k$a_$e)
#end
        ;
      let p$a = exp2(select(HIDDEN, s$a, i >= j$a && i < end$a));
      let ds$a = p$a * (-deltaOfQuery
#unroll e EV
        + inner(g$e, v$a_$e)
#end
        );
#unroll e EV
      dk$a_$e += ds$a * q$e;
      dv$a_$e += p$a * g$e;
#end
#end
    }
  }

#unroll a TILE
  if (first + $a <= last) {
#unroll e EV
    dqkv[at$a + $e] += dk$a_$e * (SCALE * LN2);
    dqkv[at$a + HK * EV + $e] += dv$a_$e;
#end
  }
#end
}
