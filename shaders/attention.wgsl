// Causal attention over packed segments, never materialising [N, N].
//   s[i, j] = q[i] . k[j] / sqrt(E) for the j <= i that i sees;   p = softmax_j(s);   y[i] = sum_j p[i, j] v[j]
// ranges[i]: x, y: the first token of the prefix that i sees and one past its last; z: the first token of i's segment;
// w: one past the last token that sees i.
// The softmax is online (Milakov & Gimelshein 2018): a running maximum, a running sum, and the output rescaled when the
// maximum grows. Scores are kept in base 2, so lse = log2(sum_j 2^s).
// qkv: [N, (H + 2 HK) E], rows q | k | v; query head h uses key/value head h / (H / HK). y: [N, H E]. lse: [N, H].
// EV = E / lanes Elements a head; SCALE = log2(e) / sqrt(E).
// A thread takes TILE consecutive queries of one head: each key and value it loads serves them all.
// Sums are unrolled inside one expression, because CPU adapters keep variables, unlike values, in memory.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> qkv: array<Element>;
@group(0) @binding(1) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> y: array<Element>;
@group(0) @binding(3) var<storage, read_write> lse: array<f32>;

const ROW = (H + 2 * HK) * EV;
const TILES = (N + TILE - 1) / TILE;
const HIDDEN = -2e30;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= TILES * H) {
    return;
  }
  let head = index % H;
  let first = index / H * TILE;
  let last = min(first + TILE, N) - 1;
  let keys = (H + head / (H / HK)) * EV;
  var low = last;
  // What lies between the prefix and the segment, no query of the tile sees.
  var gap = 0u;
  var resume = last;
#unroll a TILE
  let i$a = min(first + $a, last);
  let seen$a = ranges[i$a];
  low = min(low, seen$a.x);
  gap = max(gap, seen$a.y);
  resume = min(resume, seen$a.z);
  var top$a = -1e30;
  var sum$a = 0.0;
#unroll e EV
  let q$a_$e = qkv[i$a * ROW + head * EV + $e] * SCALE;
  var o$a_$e = Element(0);
#end
#end

  for (var j = low; j <= last; j++) {
    j = select(j, max(j, resume), j == gap);
    let at = j * ROW + keys;
#unroll e EV
    let k$e = qkv[at + $e];
#end
#unroll a TILE
    let s$a = select(HIDDEN, 0
#unroll e EV
      + inner(q$a_$e, k$e)
#end
      , j <= i$a && (j >= seen$a.z || (j >= seen$a.x && j < seen$a.y)));
    let old$a = top$a;
    top$a = max(old$a, s$a);
    let keep$a = exp2(old$a - top$a);
    let p$a = exp2(s$a - top$a);
    sum$a = sum$a * keep$a + p$a;
#end
#unroll e EV
    let v$e = qkv[at + HK * EV + $e];
#unroll a TILE
    o$a_$e = o$a_$e * keep$a + p$a * v$e;
#end
#end
  }

#unroll a TILE
  if (first + $a <= last) {
    lse[i$a * H + head] = top$a + log2(sum$a);
#unroll e EV
    y[(i$a * H + head) * EV + $e] = o$a_$e / sum$a;
#end
  }
#end
}
