/** Float64 reference of a next-token distribution: log-softmax, entropy with its gradient, and truncated sampling. */

export function logSoftmax(logits: readonly number[]): number[] {
  const max = logits.reduce((a, b) => Math.max(a, b));
  const logSum = max + Math.log(logits.reduce((sum, z) => sum + Math.exp(z - max), 0));
  return logits.map((z) => z - logSum);
}

/** H = −Σ p log p in nats, and d H / d logits = −p (log p + H). */
export function entropy(logits: readonly number[]): { value: number; gradient: number[] } {
  const logP = logSoftmax(logits);
  const value = -logP.reduce((sum, l) => sum + (l === -Infinity ? 0 : Math.exp(l) * l), 0);
  return { value, gradient: logP.map((l) => (l === -Infinity ? 0 : -Math.exp(l) * (l + value))) };
}

/** Probabilities after temperature, then top-k, then top-p: a token stays while the mass before it is below top-p. */
export function truncatedProbabilities(
  logits: readonly number[],
  { temperature, topK, topP }: { temperature: number; topK: number; topP: number },
): number[] {
  const scaled = logits.map((z) => z / temperature);
  const order = scaled.map((_, i) => i).sort((a, b) => scaled[b] - scaled[a] || a - b);
  const survivors = topK > 0 ? order.slice(0, topK) : order;
  const p = logSoftmax(survivors.map((i) => scaled[i])).map(Math.exp);
  let before = 0;
  let total = 0;
  const kept = new Map<number, number>();
  survivors.forEach((token, rank) => {
    if (topP >= 1 || before < topP || rank === 0) {
      kept.set(token, p[rank]);
      total += p[rank];
    }
    before += p[rank];
  });
  return logits.map((_, i) => (kept.get(i) ?? 0) / total);
}
