// Softmax statistics of one row of logits.
struct SoftmaxRow {
  largest: f32,
  // log Σ exp(z)
  logSum: f32,
  // nats: log Σ exp(z) − Σ p z
  entropy: f32,
}

struct SoftmaxSums {
  largest: f32,
  // Σ exp(z − largest)
  total: f32,
  // Σ exp(z − largest) · (z − largest)
  weighted: f32,
}

fn softmaxOf(sums: SoftmaxSums) -> SoftmaxRow {
  let logTotal = log(sums.total);
  return SoftmaxRow(sums.largest, sums.largest + logTotal, logTotal - sums.weighted / sums.total);
}
