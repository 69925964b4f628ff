// y[n] = sum_j softmax_j(q[n] . k[j] / sqrt(E)) v[j],  j = 0 ... position of token n, keys and values from its slot of
// the cache. The softmax is online, in base 2; see attention.wgsl.
// qkv: [N, (H + 2 HK) E], queries rotated; cache: [slots, S, 2, HK, E]; places: [N, 2] (slot, position); y: [N, H E].
// EV = E / lanes Elements a head; SCALE = log2(e) / sqrt(E).
// A thread takes one head of one token; heads are neighbours, so that threads side by side read one slot and stop
// together.
#include "lib/element"

@group(0) @binding(0) var<storage, read> qkv: array<Element>;
@group(0) @binding(1) var<storage, read> cache: array<Element>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<Element>;

@compute @workgroup_size(16)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let n = id.x / H;
  let head = id.x % H;
  if (n >= arrayLength(&places) / 2) {
    return;
  }
  let position = places[2 * n + 1];
  if (position >= S) {
    return;
  }
  var at = (places[2 * n] * S * 2 * HK + head / (H / HK)) * EV;
  var top = -1e30;
  var sum = 0.0;
#unroll e EV
  let q$e = qkv[(n * (H + 2 * HK) + head) * EV + $e] * SCALE;
  var o$e = Element(0);
#end
  for (var j = 0u; j <= position; j++) {
    var s = 0.0;
#unroll e EV
    s += inner(q$e, cache[at + $e]);
#end
    let newTop = max(top, s);
    let keep = exp2(top - newTop);
    let p = exp2(s - newTop);
    sum = sum * keep + p;
#unroll e EV
    o$e = o$e * keep + p * cache[at + HK * EV + $e];
#end
    top = newTop;
    at += 2 * HK * EV;
  }
#unroll e EV
  y[(n * H + head) * EV + $e] = o$e / sum;
#end
}
