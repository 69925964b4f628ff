/** a + b in float64. */
import type { Array64 } from './array';

export function add(a: Array64, b: Array64): Array64 {
  return { shape: a.shape, data: a.data.map((value, i) => value + b.data[i]) };
}
