// Reductions over the LANES threads that share one row: a workgroup a row, or 1 (a thread a row, no barrier).
// Every lane gets the result; the order of additions is fixed.
var<workgroup> reduceValues: array<f32, LANES>;

fn reduceSum(lane: u32, value: f32) -> f32 {
  if (LANES == 1) { return value; }
  workgroupBarrier();
  reduceValues[lane] = value;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < LANES; i++) { total += reduceValues[i]; }
  return total;
}

fn reduceMax(lane: u32, value: f32) -> f32 {
  if (LANES == 1) { return value; }
  workgroupBarrier();
  reduceValues[lane] = value;
  workgroupBarrier();
  var largest = reduceValues[0];
  for (var i = 1u; i < LANES; i++) { largest = max(largest, reduceValues[i]); }
  return largest;
}
