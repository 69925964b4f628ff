// attention-backward.wgsl for wide heads: a workgroup holds its queries and the gradients of their outputs, or its keys
// and values, and what they meet passes through workgroup memory.
#include "lib/attention-tiles"

@group(0) @binding(2) var<storage, read> y: array<Element>;
@group(0) @binding(3) var<storage, read> lse: array<f32>;
@group(0) @binding(4) var<storage, read> dy: array<Element>;
@group(0) @binding(5) var<storage, read_write> deltaOut: array<f32>;
@group(0) @binding(6) var<storage, read> delta: array<f32>;
@group(0) @binding(7) var<storage, read_write> dqkv: array<Element>;

const LN2 = 0.6931471805599453;

// Gradients of the outputs, or values.
var<workgroup> ownOther: array<Element, ROWS * STRIDE>;
// The probability of each score, and its gradient.
var<workgroup> scores: array<f32, ROWS * COLS>;
var<workgroup> slopes: array<f32, ROWS * COLS>;

fn passDy(thread: u32, first: u32, head: u32) {
  for (var c = thread; c < COLS * EV; c += 64u) {
    tile[c / EV * STRIDE + c % EV] = dy[(min(first + c / EV, N - 1) * H + head) * EV + c % EV];
  }
}

fn productOfOthers(row: u32, col: u32) -> f32 {
  var sum = 0.0;
  for (var e = 0u; e < width(); e++) {
    sum += inner(ownOther[row * STRIDE + e], tile[col * STRIDE + e]);
  }
  return sum;
}

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
      slopes[row * COLS + col] = productOfOthers(row, col) - deltaOfQuery;
    }
    workgroupBarrier();
    passQkv(thread, j, keys);
    workgroupBarrier();
    for (var col = part; col < columns(); col += PARTS) {
      let s = select(HIDDEN, product(row, col) - lseOfQuery, sees(i, range, j + col));
      slopes[row * COLS + col] *= exp2(s);
    }
    workgroupBarrier();
    for (var col = 0u; col < columns(); col++) {
      let ds = slopes[row * COLS + col];
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
