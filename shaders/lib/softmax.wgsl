// Softmax statistics of one row of `logits` [*, V] scaled by an inverse temperature, by LANES threads.
// Needs a storage binding `logits` and the constants V and LANES; include lib/reduce first.
struct SoftmaxRow {
  largest: f32,
  // log Σ exp(z)
  logSum: f32,
  // nats: log Σ exp(z) − Σ p z
  entropy: f32,
}

fn softmaxRow(row: u32, lane: u32, inverseTemperature: f32) -> SoftmaxRow {
  // Loops over places, not tokens: a bound of 32 or less that compilers see would be unrolled, at seconds of compiling
  // on CPU drivers.
  let start = row * V + lane;
  let end = row * V + V;
  var largest = -3.0e38;
  for (var at = start; at < end; at += LANES) { largest = max(largest, logits[at] * inverseTemperature); }
  largest = reduceMax(lane, largest);
  var sum = 0.0;
  var weighted = 0.0;
  for (var at = start; at < end; at += LANES) {
    let z = logits[at] * inverseTemperature - largest;
    let e = exp(z);
    sum += e;
    weighted += e * z;
  }
  sum = reduceSum(lane, sum);
  weighted = reduceSum(lane, weighted);
  return SoftmaxRow(largest, largest + log(sum), log(sum) - weighted / sum);
}
