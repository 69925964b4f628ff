/** Heads of queries and keys by tests/reference/rmsnorm in float64; values as they are. */
import type { Array64 } from './array';
import { rmsNorm } from './rmsnorm';

export function headNorm(
  qkv: Array64,
  query: Array64,
  key: Array64,
  epsilon: number,
  { heads, kvHeads }: { readonly heads: number; readonly kvHeads: number },
): Array64 {
  const E = query.data.length;
  const perToken = heads + 2 * kvHeads;
  const data = qkv.data.slice();
  for (let at = 0; at < data.length; at += E) {
    const head = (at / E) % perToken;
    if (head >= heads + kvHeads) continue;
    const x = { shape: [1, E], data: qkv.data.subarray(at, at + E) };
    data.set(rmsNorm(x, head < heads ? query : key, epsilon).data, at);
  }
  return { shape: qkv.shape, data };
}
