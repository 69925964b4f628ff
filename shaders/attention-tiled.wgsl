// attention.wgsl for wide heads: keys and values pass through workgroup memory.
#include "lib/attention-tiles"

@group(0) @binding(2) var<storage, read_write> y: array<Element>;
@group(0) @binding(3) var<storage, read_write> lse: array<f32>;

@compute @workgroup_size(64)
fn forward(
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
  holdQkv(thread, first, head * EV);
  var top = -1e30;
  var sum = 0.0;
#unroll e SLICE
  var o$e = Element(0);
#end

  for (var j = seen.low; j <= last; j += COLS) {
    j = select(j, max(j, seen.resume), j >= seen.gap);
    workgroupBarrier();
    passQkv(thread, j, keys);
    workgroupBarrier();
    for (var col = part; col < columns(); col += PARTS) {
      scores[row * COLS + col] = select(HIDDEN, product(row, col), sees(i, range, j + col));
    }
    workgroupBarrier();
    passQkv(thread, j, keys + HK * EV);
    var newTop = top;
    for (var col = 0u; col < columns(); col++) {
      newTop = max(newTop, scores[row * COLS + col]);
    }
    let keep = exp2(top - newTop);
    top = newTop;
    sum *= keep;
#unroll e SLICE
    o$e *= keep;
#end
    workgroupBarrier();
    for (var col = 0u; col < columns(); col++) {
      let p = exp2(scores[row * COLS + col] - top);
      sum += p;
#unroll e SLICE
      o$e += p * tile[col * STRIDE + part * SLICE + $e];
#end
    }
  }

  if (first + row <= last) {
    let n = i * H + head;
    if (part == 0) {
      lse[n] = top + log2(sum);
    }
#unroll e SLICE
    y[n * EV + part * SLICE + $e] = o$e / sum;
#end
  }
}
