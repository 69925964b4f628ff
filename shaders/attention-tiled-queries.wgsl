// `queries` of attention-backward.wgsl for wide heads: a workgroup holds queries and the gradients of their outputs;
// keys and values pass.
#include "lib/attention-tiles"

@group(0) @binding(2) var<storage, read> y: array<Element>;
@group(0) @binding(3) var<storage, read> lse: array<f32>;
@group(0) @binding(4) var<storage, read> dy: array<Element>;
@group(0) @binding(5) var<storage, read_write> deltaOut: array<f32>;
@group(0) @binding(6) var<storage, read_write> dqkv: array<Element>;

@compute @workgroup_size(64)
fn queries(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let block = group.y * groups.x + group.x;
  let head = block % H;
  let first = block / H * ROWS;
  if (first >= N) {
    return;
  }
  let last = min(first + ROWS, N) - 1;
  let keys = (H + head / GROUP) * EV;
  let seen = seenByBlock(first, last);
  let row = thread / PARTS;
  let part = thread % PARTS;
  let i = min(first + row, last);
  let range = ranges[i];
  let n = i * H + head;
  let lseOfQuery = lse[n];
  holdQkv(thread, first, head * EV);
  for (var c = thread; c < ROWS * EV; c += 64u) {
    ownOther[c / EV * STRIDE + c % EV] = dy[(min(first + c / EV, N - 1) * H + head) * EV + c % EV];
  }
  var deltaOfQuery = 0.0;
  for (var e = 0u; e < width(); e++) {
    deltaOfQuery += inner(dy[n * EV + e], y[n * EV + e]);
  }
  if (part == 0 && first + row <= last) {
    deltaOut[n] = deltaOfQuery;
  }
#unroll e SLICE
  var d$e = Element(0);
#end

  for (var j = seen.low; j <= last; j += COLS) {
    j = select(j, max(j, seen.resume), j >= seen.gap);
    workgroupBarrier();
    passQkv(thread, j, keys + HK * EV);
    workgroupBarrier();
    for (var col = part; col < columns(); col += PARTS) {
      scores[row * COLS + col] = productOfOthers(row, col) - deltaOfQuery;
    }
    workgroupBarrier();
    passQkv(thread, j, keys);
    workgroupBarrier();
    for (var col = part; col < columns(); col += PARTS) {
      let s = select(HIDDEN, product(row, col) - lseOfQuery, sees(i, range, j + col));
      scores[row * COLS + col] *= exp2(s);
    }
    workgroupBarrier();
    for (var col = 0u; col < columns(); col++) {
      let ds = scores[row * COLS + col];
#unroll e SLICE
      d$e += ds * tile[col * STRIDE + part * SLICE + $e];
#end
    }
  }

  if (first + row <= last) {
#unroll e SLICE
    dqkv[i * ROW + head * EV + part * SLICE + $e] += d$e * (SCALE * LN2);
#end
  }
}
