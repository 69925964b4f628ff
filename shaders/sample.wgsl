// Draws one token a row, on the GPU, and moves the row on: what the next decode step reads is written here.
//   z = logits / temperature; keep the TOP-K largest, then the smallest set that holds TOP-P (a token stays while the
//   mass before it is below top-p); token = argmax over kept v of z_v + g_v, g Gumbel noise (Gumbel-max: exactly
//   softmax over the kept); greedy: argmax z. logits [R, V]; feed [R]: token to embed next; rows [R] (slot, position),
//   position IDLE when the row has stopped; progress [R] (tokens left, tokens drawn); drawn [R, CHUNK] (token, log-prob
//   bits, entropy bits, 0), of the untruncated softmax(z)
// LANES threads work on a row: 1 on CPU adapters, where barriers are dear, 64 elsewhere.
#include "lib/reduce"
#include "lib/random"
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> feed: array<u32>;
@group(0) @binding(2) var<storage, read_write> rows: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> progress: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> drawn: array<vec4u>;
@group(0) @binding(5) var<uniform> settings: Settings;

struct Settings {
  inverseTemperature: f32,
  topP: f32,
  topK: u32,
  greedy: u32,
  seed: u32,
  iteration: u32,
  stopCount: u32,
  stops: vec4u,
}

const IDLE = 0xffffffffu;
const PURPOSE_SAMPLE = 3u;
#include "lib/softmax"

// Likelier first, ties by id: the order that top-k and top-p cut.
fn before(row: u32, u: u32, v: u32) -> bool {
  let a = logits[row * V + u];
  let b = logits[row * V + v];
  return a > b || (a == b && u < v);
}

fn rank(row: u32, v: u32) -> u32 {
  var count = 0u;
  for (var u = 0u; u < V; u++) { count += u32(before(row, u, v)); }
  return count;
}

// The least likely token that top-k keeps.
fn lastKept(row: u32, lane: u32) -> u32 {
  var last = -1.0;
  for (var v = lane; v < V; v += LANES) {
    if (rank(row, v) + 1u == min(settings.topK, V)) { last = f32(v); }
  }
  return u32(reduceMax(lane, last));
}

// What top-k keeps of the probability.
fn keptMass(row: u32, lane: u32, last: u32, softmax: SoftmaxRow) -> f32 {
  var mass = 0.0;
  for (var v = lane; v < V; v += LANES) {
    if (!before(row, last, v)) { mass += exp(logits[row * V + v] * settings.inverseTemperature - softmax.logSum); }
  }
  return reduceSum(lane, mass);
}

// Whether the tokens before v hold less than top-p of what top-k keeps.
fn insideTopP(row: u32, v: u32, kept: f32, softmax: SoftmaxRow) -> bool {
  var mass = 0.0;
  for (var u = 0u; u < V; u++) {
    if (before(row, u, v)) { mass += exp(logits[row * V + u] * settings.inverseTemperature - softmax.logSum); }
  }
  return mass < settings.topP * kept;
}

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x % LANES;
  let wanted = group.x * (64 / LANES) + local.x / LANES;
  let row = min(wanted, R - 1);
  let softmax = softmaxRow(row, lane, settings.inverseTemperature);
  let key = rows[row];
  let byRank = settings.greedy == 0u && settings.topK > 0u;
  let byMass = settings.greedy == 0u && settings.topP < 1.0;
  var last = 0u;
  if (byRank) { last = lastKept(row, lane); }
  var kept = 1.0;
  if (byRank && byMass) { kept = keptMass(row, lane, last, softmax); }
  var best = -3.0e38;
  var token = 0u;
  for (var v = lane; v < V; v += LANES) {
    if (byRank && before(row, last, v)) { continue; }
    if (byMass && !insideTopP(row, v, kept, softmax)) { continue; }
    var own = logits[row * V + v] * settings.inverseTemperature;
    if (settings.greedy == 0u) {
      let bits = randomBits(settings.seed, PURPOSE_SAMPLE, settings.iteration, key.x, key.y, v);
      own += gumbelNoise(bits);
    }
    if (own > best) { best = own; token = v; }
  }
  let top = reduceMax(lane, best);
  // Among lanes that reached the maximum, the smallest token wins; ids are exact in f32.
  token = u32(-reduceMax(lane, select(-3.0e38, -f32(token), best == top)));
  if (lane != 0 || wanted >= R || key.y == IDLE) { return; }
  let logProb = logits[row * V + token] * settings.inverseTemperature - softmax.logSum;
  let counts = progress[row];
  drawn[row * CHUNK + counts.y] = vec4u(token, bitcast<u32>(logProb), bitcast<u32>(softmax.entropy), 0u);
  progress[row] = vec2u(counts.x - 1u, counts.y + 1u);
  feed[row] = token;
  var stop = counts.x == 1u;
  for (var i = 0u; i < settings.stopCount; i++) { stop = stop || token == settings.stops[i]; }
  rows[row] = vec2u(key.x, select(key.y + 1u, IDLE, stop));
}
