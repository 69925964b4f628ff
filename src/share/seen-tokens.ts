/** Rows of attention as people read them: one head's, or the mean of all, and the tokens that it sees most. Pure. */

/** A head by its layer and its place in it, from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** @param weights [layers][heads][tokens], each row adds up to 1 @param place null takes the mean of all heads */
export function seenBy(weights: readonly (readonly Float32Array[])[], place: HeadPlace | null): Float32Array {
  if (place) return weights[place.layer][place.head];
  const rows = weights.flat();
  return Float32Array.from(rows[0], (_, token) => rows.reduce((sum, row) => sum + row[token], 0) / rows.length);
}

/** The tokens with the largest weights, the largest first; of equal ones the earlier first. */
export function mostSeen(row: Float32Array, count: number): { readonly token: number; readonly weight: number }[] {
  const order = [...row.keys()].sort((a, b) => row[b] - row[a] || a - b);
  return order.slice(0, count).map((token) => ({ token, weight: row[token] }));
}
