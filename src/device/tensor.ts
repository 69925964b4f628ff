/** A tensor is a typed, shaped view of a device's buffer. A gradient is a tensor too. */
import { assert } from '../lib/assert';
import type { BufferRange, Device } from './device';

export type ElementType = 'f32' | 'u32';

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

/** A zero-filled tensor in a buffer of its own. `gradient` gives it a zero-filled gradient of the same shape. */
export function createTensor(
  device: Device,
  name: string,
  shape: readonly number[],
  options: { type?: ElementType; gradient?: boolean; uniform?: boolean } = {},
): Tensor {
  const sizeBytes = elementCount(shape) * 4;
  const type = options.type ?? 'f32';
  const grad = options.gradient ? createTensor(device, `${name}.grad`, shape) : null;
  const buffer = device.buffer(name, sizeBytes, options.uniform ? 'uniform' : undefined);
  return { name, shape, type, buffer, offsetBytes: 0, sizeBytes, grad };
}

/** A view of part of a tensor's buffer. `offset` counts elements and must be a multiple of 64. */
export function viewTensor(
  base: Tensor,
  name: string,
  offset: number,
  shape: readonly number[],
  grad: Tensor | null = null,
): Tensor {
  const offsetBytes = base.offsetBytes + offset * 4;
  const sizeBytes = elementCount(shape) * 4;
  assert(
    offsetBytes % viewAlignmentBytes === 0,
    `view ${name} starts at byte ${offsetBytes}, not at a multiple of ${viewAlignmentBytes}`,
  );
  assert(offset * 4 + sizeBytes <= base.sizeBytes, `view ${name} ends past ${base.name}`);
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
