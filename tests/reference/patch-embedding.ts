/** Patch embedding in float64. */
import { zeros, type Array64 } from './array';
import { matmul, transpose } from './matmul';
import { takeRows } from './rows';

/** x, with rows `places` replaced by patches [P, K] · weight [D, K]ᵀ + bias. */
export function patchEmbedding(
  x: Array64,
  patches: Array64,
  places: readonly number[],
  weight: Array64,
  bias: Array64,
): Array64 {
  const D = x.shape[1];
  const y = { shape: x.shape, data: x.data.slice() };
  const embedded = matmul(patches, transpose(weight), bias);
  places.forEach((n, p) => y.data.set(embedded.data.subarray(p * D, (p + 1) * D), n * D));
  return y;
}

/** Gradients of sum(patchEmbedding * dy). */
export function patchEmbeddingGradients(
  dy: Array64,
  patches: Array64,
  places: readonly number[],
): { x: Array64; weight: Array64; bias: Array64 } {
  const D = dy.shape[1];
  const index = { shape: [places.length], data: Float64Array.from(places) };
  const own = takeRows(dy, index);
  const x = { shape: dy.shape, data: dy.data.slice() };
  for (const n of places) x.data.fill(0, n * D, (n + 1) * D);
  const ones = { shape: [1, places.length], data: new Float64Array(places.length).fill(1) };
  const bias = places.length > 0 ? matmul(ones, own) : zeros(1, D);
  return { x, weight: matmul(transpose(own), patches), bias: { shape: [D], data: bias.data } };
}
