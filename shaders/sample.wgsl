// Draws one token a row, on the GPU, and moves the row on: what the next decode step reads is written here.
//   z = logits / temperature; keep the TOP-K largest, then the smallest set that holds TOP-P (a token stays while the
//   mass before it is below top-p); token = argmax over kept v of z_v + g_v, g Gumbel noise (Gumbel-max: exactly
//   softmax over the kept); greedy: argmax z. logits [R, V]; feed [R]: token to embed next; rows [R] (slot, position),
//   position IDLE when the row has stopped; progress [R] (tokens left, tokens drawn); drawn [R, CHUNK] (token, log-prob
//   bits, entropy bits, 0), of the untruncated softmax(z)
// LANES threads work on a row: 1 on CPU adapters, where barriers are dear; 64 elsewhere, or 256 for large vocabularies.
// A CPU adapter runs a workgroup on one core, so there a workgroup is small.
#include "lib/reduce"
#include "lib/histogram"
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

const THREADS = select(u32(LANES), 8u, LANES == 1);
const IDLE = 0xffffffffu;
const PURPOSE_SAMPLE = 3u;
const ALL_EQUALS = 256u;
const ID_BYTES = 1u + u32(V > 0x100) + u32(V > 0x10000);
#include "lib/softmax-sums"

// Where a token stands in the order that top-k and top-p cut, the likelier one and among equals the smaller id first,
// as a number of 64 bits, larger at the front: the logit as an integer of the same order, then ~id in ID_BYTES.
fn placeOf(row: u32, v: u32) -> vec2u {
  let logit = logits[row * V + v];
  let bits = bitcast<u32>(select(logit, 0.0, logit == 0.0)); // one 0: −0 is equal to it
  return vec2u(select(bits | 0x80000000u, ~bits, bits >= 0x80000000u), ~v << (32 - 8 * ID_BYTES));
}

// The logit of a place.
fn logitOf(first: u32) -> f32 {
  return bitcast<f32>(select(~first, first ^ 0x80000000u, first >= 0x80000000u));
}

fn isBehind(place: vec2u, other: vec2u) -> bool {
  return place.x < other.x || (place.x == other.x && place.y < other.y);
}

// What a token counts in a cut: 1, or its probability in units of 2⁻³⁰, whose sums do not depend on their order.
fn amountOf(logit: f32, byMass: bool, softmax: SoftmaxRow) -> u32 {
  if (!byMass) { return 1u; }
  return u32(exp(logit * settings.inverseTemperature - softmax.logSum) * 0x1p30 + 0.5);
}

// The last place that is kept of those not behind `cut`: by top-k the k-th; by top-p the last one with less than top-p
// of their mass in front of it. A radix search, 8 bits a pass; passes over ids read nothing if all equals are kept.
fn lastKept(row: u32, lane: u32, cut: vec2u, byMass: bool, softmax: SoftmaxRow) -> vec2u {
  var last = vec2u(0u);
  var known = vec2u(0u); // the bits of `last` that are found
  var ahead = 0u; // the sum in front of all places that begin like `last`
  var limit = settings.topK;
  var end = u32(V);
  for (var digit = 0u; digit < 4u + ID_BYTES; digit++) {
    let part = digit / 4u;
    let shift = 24u - 8u * (digit % 4u);
    clearBins(lane);
    for (var v = lane; v < end; v += LANES) {
      let place = placeOf(row, v);
      if (isBehind(place, cut) || any(((place ^ last) & known) != vec2u(0u))) { continue; }
      addToBin((place[part] >> shift) & 255u, amountOf(logits[row * V + v], byMass, softmax));
    }
    joinLanes();
    var found = 255u;
    if (lane == 0) {
      if (byMass && digit == 0u) { limit = max(1u, u32(ceil(settings.topP * f32(allBins())))); }
      for (; found > 0u && ahead + binTotal(found) < limit; found--) { ahead += binTotal(found); }
      if (digit == 3u && ahead + binTotal(found) < limit + amountOf(logitOf(last.x | found), byMass, softmax)) {
        found |= ALL_EQUALS;
      }
    }
    found = ofFirstLane(lane, found);
    last[part] |= (found & 255u) << shift;
    known[part] |= 255u << shift;
    if ((found & ALL_EQUALS) != 0u) { end = 0u; }
  }
  return last;
}

@compute @workgroup_size(THREADS)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x % LANES;
  let wanted = group.x * (THREADS / LANES) + local.x / LANES;
  let row = min(wanted, R - 1);
  let softmax = softmaxOf(softmaxSums(row * V, row * V + V, lane, settings.inverseTemperature));
  let key = rows[row];
  let byRank = settings.greedy == 0u && settings.topK > 0u;
  let byMass = settings.greedy == 0u && settings.topP < 1.0;
  var cut = vec2u(0u);
  if (byRank) { cut = lastKept(row, lane, cut, false, softmax); }
  if (byMass) { cut = lastKept(row, lane, cut, true, softmax); }
  var best = -3.0e38;
  var token = 0u;
  for (var v = lane; v < V; v += LANES) {
    if ((byRank || byMass) && isBehind(placeOf(row, v), cut)) { continue; }
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
