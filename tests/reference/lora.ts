/** y plus the low-rank changes of its parts, in float64. */
import type { Array64 } from './array';

export function lora(
  y: Array64,
  hidden: Array64,
  weight: Array64,
  scale: number,
  parts: readonly { readonly first: number; readonly width: number }[],
): Array64 {
  const [N, width] = y.shape;
  const R = weight.shape[1];
  const data = y.data.slice();
  let low = 0;
  parts.forEach((part, s) => {
    for (let n = 0; n < N; n++)
      for (let o = 0; o < part.width; o++) {
        let sum = 0;
        for (let j = 0; j < R; j++) sum += hidden.data[(n * parts.length + s) * R + j] * weight.data[(low + o) * R + j];
        data[n * width + part.first + o] += scale * sum;
      }
    low += part.width;
  });
  return { shape: y.shape, data };
}
