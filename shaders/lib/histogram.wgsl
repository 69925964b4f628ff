// 256 sums of integers over the LANES threads that share one row: a workgroup a row, or 1 (a thread a row).
// Integers add up to the same in any order.
var<private> ownBins: array<u32, 256>;
var<workgroup> sharedBins: array<atomic<u32>, 256>;
var<workgroup> firstValue: u32;

fn joinLanes() {
  if (LANES > 1) { workgroupBarrier(); }
}

fn clearBins(lane: u32) {
  for (var bin = lane; bin < 256u; bin += LANES) {
    if (LANES == 1) { ownBins[bin] = 0u; } else { atomicStore(&sharedBins[bin], 0u); }
  }
  joinLanes();
}

fn addToBin(bin: u32, amount: u32) {
  if (LANES == 1) { ownBins[bin] += amount; } else { atomicAdd(&sharedBins[bin], amount); }
}

// Call joinLanes first.
fn binTotal(bin: u32) -> u32 {
  if (LANES == 1) { return ownBins[bin]; }
  return atomicLoad(&sharedBins[bin]);
}

fn allBins() -> u32 {
  var total = 0u;
  for (var bin = 0u; bin < 256u; bin++) { total += binTotal(bin); }
  return total;
}

// The value of lane 0, in every lane.
fn ofFirstLane(lane: u32, value: u32) -> u32 {
  if (LANES == 1) { return value; }
  if (lane == 0) { firstValue = value; }
  workgroupBarrier();
  return firstValue;
}
