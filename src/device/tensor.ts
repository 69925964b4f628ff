/** A tensor is a typed, shaped view of a device's buffer. A gradient is a tensor too. */
import { assert } from '../lib/assert';
import type { BufferRange, Device } from './device';

/**
 * `f16`: frozen weights, two halves to a word as `unpack2x16float` of WGSL reads them. A row (the last dimension) has
 * words of its own. Finite; written and read as words; never with a gradient.
 */
export type ElementType = 'f32' | 'u32' | 'f16';

export interface Tensor extends BufferRange {
  readonly name: string;
  /** Row-major, last index fastest. */
  readonly shape: readonly number[];
  readonly type: ElementType;
  /** Where backward kernels add this tensor's gradient; null for frozen tensors and integers. */
  readonly grad: Tensor | null;
}

const viewAlignmentBytes = 256;

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** From one row to the next, in elements: a row of halves fills whole words. */
export function rowStride({ shape, type }: Pick<Tensor, 'shape' | 'type'>): number {
  const width = shape[shape.length - 1];
  return type === 'f16' ? width + (width % 2) : width;
}

function byteCount(shape: readonly number[], type: ElementType): number {
  return elementCount(shape.slice(0, -1)) * rowStride({ shape, type }) * elementBytes(type);
}

const elementBytes = (type: ElementType) => (type === 'f16' ? 2 : 4);

/** A zero-filled tensor in a buffer of its own. `gradient` gives it a zero-filled gradient of the same shape. */
export function createTensor(
  device: Device,
  name: string,
  shape: readonly number[],
  options: { type?: ElementType; gradient?: boolean; uniform?: boolean } = {},
): Tensor {
  const type = options.type ?? 'f32';
  assert(type === 'f32' || !options.gradient, () => `${name} holds ${type}, which has no gradient`);
  const sizeBytes = byteCount(shape, type);
  const grad = options.gradient ? createTensor(device, `${name}.grad`, shape) : null;
  const buffer = device.buffer(name, sizeBytes, options.uniform ? 'uniform' : undefined);
  return { name, shape, type, buffer, offsetBytes: 0, sizeBytes, grad };
}

/** A view of part of a tensor's buffer. `offset` counts elements, and is a multiple of 64, or of 128 for halves. */
export function viewTensor(
  base: Tensor,
  name: string,
  offset: number,
  shape: readonly number[],
  grad: Tensor | null = null,
): Tensor {
  const start = offset * elementBytes(base.type);
  const offsetBytes = base.offsetBytes + start;
  const sizeBytes = byteCount(shape, base.type);
  assert(
    offsetBytes % viewAlignmentBytes === 0,
    `view ${name} starts at byte ${offsetBytes}, not at a multiple of ${viewAlignmentBytes}`,
  );
  assert(start + sizeBytes <= base.sizeBytes, `view ${name} ends past ${base.name}`);
  return { name, shape, type: base.type, buffer: base.buffer, offsetBytes, sizeBytes, grad };
}

/** Takes effect before everything that is submitted later. */
export function writeTensor(device: Device, tensor: Tensor, data: Float32Array | Uint32Array, elementOffset = 0): void {
  assert(
    (tensor.type === 'f32') === data instanceof Float32Array,
    `${tensor.name} holds ${tensor.type}, got ${data.constructor.name}`,
  );
  assert(
    elementOffset * 4 + data.byteLength <= tensor.sizeBytes,
    `${tensor.name} has ${tensor.sizeBytes} bytes, got ${data.byteLength} at ${elementOffset * 4}`,
  );
  device.write(tensor.buffer, tensor.offsetBytes + elementOffset * 4, data);
}

/** A uniform with these first values, padded to whole vectors. */
export function uniformTensor(device: Device, name: string, values: ArrayLike<number>): Tensor {
  const padded = new Uint32Array(Math.ceil(values.length / 4) * 4);
  padded.set(values);
  const tensor = createTensor(device, name, [padded.length], { type: 'u32', uniform: true });
  writeTensor(device, tensor, padded);
  return tensor;
}
