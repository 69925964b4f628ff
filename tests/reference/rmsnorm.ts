/** x / sqrt(mean(x^2) + epsilon) * weight in float64, row by row. */
import type { Array64 } from './array';

export function rmsNorm(x: Array64, weight: Array64, epsilon: number): Array64 {
  const D = weight.data.length;
  const data = new Float64Array(x.data.length);
  for (let at = 0; at < data.length; at += D) {
    const row = x.data.subarray(at, at + D);
    const scale = 1 / Math.sqrt(row.reduce((sum, value) => sum + value * value, 0) / D + epsilon);
    row.forEach((value, i) => (data[at + i] = value * scale * weight.data[i]));
  }
  return { shape: x.shape, data };
}
