/** A float64 array with a shape: what the reference ops take and give. Row-major, like the GPU's tensors. */
export interface Array64 {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export function zeros(...shape: readonly number[]): Array64 {
  return { shape, data: new Float64Array(shape.reduce((product, size) => product * size, 1)) };
}
