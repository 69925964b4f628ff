/** Rows of a float64 matrix by index; an index past the end reads zeros. Embedding and gatherRows are both this. */
import { zeros, type Array64 } from './array';

export function takeRows(x: Array64, index: Array64): Array64 {
  const [count, D] = x.shape;
  const y = zeros(index.data.length, D);
  index.data.forEach((n, m) => {
    if (n < count) y.data.set(x.data.subarray(n * D, (n + 1) * D), m * D);
  });
  return y;
}

/** The gradient of sum(takeRows * dy) with respect to x. */
export function takeRowsGradient(x: Array64, index: Array64, dy: Array64): Array64 {
  const [count, D] = x.shape;
  const grad = zeros(count, D);
  index.data.forEach((n, m) => {
    for (let i = 0; n < count && i < D; i++) grad.data[n * D + i] += dy.data[m * D + i];
  });
  return grad;
}
