// `keys` of attention-backward.wgsl for wide heads: a workgroup holds keys and values; queries and the gradients of
// their outputs pass.
#include "lib/attention-tiles"

@group(0) @binding(2) var<storage, read> lse: array<f32>;
@group(0) @binding(3) var<storage, read> dy: array<Element>;
@group(0) @binding(4) var<storage, read> delta: array<f32>;
@group(0) @binding(5) var<storage, read_write> dqkv: array<Element>;

var<workgroup> slopes: array<f32, ROWS * COLS>;

fn passDy(thread: u32, first: u32, head: u32) {
  for (var c = thread; c < COLS * EV; c += 64u) {
    tile[c / EV * STRIDE + c % EV] = dy[(min(first + c / EV, N - 1) * H + head) * EV + c % EV];
  }
}

@compute @workgroup_size(64)
fn keys(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let block = group.y * groups.x + group.x;
  let head = block % HK;
  let first = block / HK * ROWS;
  if (first >= N) {
    return;
  }
  let last = min(first + ROWS, N) - 1;
  let at = (H + head) * EV;
  var high = first;
  for (var j = first; j <= last; j++) {
    high = max(high, ranges[j].w);
  }
  let row = thread / PARTS;
  let part = thread % PARTS;
  let j = min(first + row, last);
  let end = ranges[j].w;
  holdQkv(thread, first, at);
  for (var c = thread; c < ROWS * EV; c += 64u) {
    ownOther[c / EV * STRIDE + c % EV] = qkv[min(first + c / EV, N - 1) * ROW + at + HK * EV + c % EV];
  }
#unroll e SLICE
  var dk$e = Element(0);
  var dv$e = Element(0);
#end

  for (var h = head * GROUP; h < (head + 1) * GROUP; h++) {
    for (var i = first; i < high; i += COLS) {
      workgroupBarrier();
      passQkv(thread, i, h * EV);
      workgroupBarrier();
      for (var col = part; col < columns(); col += PARTS) {
        let query = i + col;
        let s = product(row, col) - lse[min(query, N - 1) * H + h];
        scores[row * COLS + col] = exp2(select(HIDDEN, s, query >= j && query < end));
      }
      workgroupBarrier();
      passDy(thread, i, h);
      workgroupBarrier();
      for (var col = part; col < columns(); col += PARTS) {
        let slope = productOfOthers(row, col) - delta[min(i + col, N - 1) * H + h];
        slopes[row * COLS + col] = scores[row * COLS + col] * slope;
      }
      for (var col = 0u; col < columns(); col++) {
        let p = scores[row * COLS + col];
#unroll e SLICE
        dv$e += p * tile[col * STRIDE + part * SLICE + $e];
#end
      }
      workgroupBarrier();
      passQkv(thread, i, h * EV);
      workgroupBarrier();
      for (var col = 0u; col < columns(); col++) {
        let ds = slopes[row * COLS + col];
#unroll e SLICE
        dk$e += ds * tile[col * STRIDE + part * SLICE + $e];
#end
      }
    }
  }

  if (first + row <= last) {
    let to = j * ROW + at + part * SLICE;
#unroll e SLICE
    dqkv[to + $e] += dk$e * (SCALE * LN2);
    dqkv[to + HK * EV + $e] += dv$e;
#end
  }
}
