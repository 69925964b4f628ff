/** The matrix product in float64. */
import { zeros, type Array64 } from './array';

export function transpose(x: Array64): Array64 {
  const [rows, columns] = x.shape;
  const y = zeros(columns, rows);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) y.data[j * rows + i] = x.data[i * columns + j];
  return y;
}

/** a [M, K] · b [K, N] (+ bias [N]) (+ residual [M, N]). */
export function matmul(a: Array64, b: Array64, bias?: Array64, residual?: Array64): Array64 {
  const [M, K] = a.shape;
  const N = b.shape[1];
  const c = zeros(M, N);
  for (let m = 0; m < M; m++) {
    for (let n = 0; n < N; n++) {
      let sum = (bias?.data[n] ?? 0) + (residual?.data[m * N + n] ?? 0);
      for (let k = 0; k < K; k++) sum += a.data[m * K + k] * b.data[k * N + n];
      c.data[m * N + n] = sum;
    }
  }
  return c;
}

/** Column sums of x [M, N]. */
export function columnSums(x: Array64): Array64 {
  const [M, N] = x.shape;
  const sums = zeros(N);
  for (let m = 0; m < M; m++) for (let n = 0; n < N; n++) sums.data[n] += x.data[m * N + n];
  return sums;
}
