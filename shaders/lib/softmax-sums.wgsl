// Softmax sums of `logits` from `first` up to `end`, scaled by an inverse temperature, by LANES threads.
// Needs a storage binding `logits` and the constant LANES; include lib/reduce first.
#include "lib/softmax"

fn softmaxSums(first: u32, end: u32, lane: u32, inverseTemperature: f32) -> SoftmaxSums {
  // Loops over places, not tokens: a bound of 32 or less that compilers see would be unrolled, at seconds of compiling
  // on CPU drivers.
  let start = first + lane;
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
  return SoftmaxSums(largest, sum, weighted);
}
