// Reductions over the LANES threads that share one row: 64 (a workgroup a row) or 1 (a thread a row, no barrier).
// Every lane gets the result; the order of additions is fixed.
var<workgroup> reduce_values: array<f32, 64>;

fn reduce_sum(lane: u32, value: f32) -> f32 {
  if (LANES == 1) { return value; }
  workgroupBarrier();
  reduce_values[lane] = value;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < LANES; i++) { total += reduce_values[i]; }
  return total;
}

fn reduce_max(lane: u32, value: f32) -> f32 {
  if (LANES == 1) { return value; }
  workgroupBarrier();
  reduce_values[lane] = value;
  workgroupBarrier();
  var largest = reduce_values[0];
  for (var i = 1u; i < LANES; i++) { largest = max(largest, reduce_values[i]); }
  return largest;
}
