/** `Commands` is one submission: clears, copies, lists of dispatches, and readbacks. */
import { assert } from '../lib/assert';
import { DeviceLost, type Device, type Dispatch, type Encoder, type Grid, type Staging } from './device';
import type { Tensor } from './tensor';

/** For kernels in which one workgroup does everything. */
export const oneWorkgroup: Grid = { workgroups: [1, 1, 1], items: 1 };

/**
 * Workgroups of 64 for `count` invocations, folded into two dimensions: `linearIndex` in lib/grid.wgsl unfolds.
 * @param items the invocations if not given
 */
export function linearGrid(count: number, items = count): Grid {
  const groups = Math.max(1, Math.ceil(count / 64));
  const x = Math.min(groups, 32768);
  return { workgroups: [x, Math.ceil(groups / x), 1], items };
}

export class Commands {
  private readonly encoder: Encoder;
  private readonly readers: Reader[] = [];

  constructor(private readonly device: Device) {
    this.encoder = device.encoder();
  }

  /** Fills tensors with zeros. */
  clear(tensors: readonly Tensor[]): this {
    for (const tensor of tensors) this.encoder.clear(tensor);
    return this;
  }

  copy(from: Tensor, to: Tensor): this {
    assert(from.sizeBytes === to.sizeBytes, `${from.name} and ${to.name} differ in size`);
    this.encoder.copy(from, to);
    return this;
  }

  /** Runs the dispatches in order. */
  run(dispatches: readonly Dispatch[]): this {
    this.encoder.run(dispatches);
    this.device.counters.passes++;
    this.device.counters.dispatches += dispatches.length;
    return this;
  }

  /** Copies the reader's tensor at this point; `reader.result()` then returns the numbers. */
  read(reader: Reader): this {
    reader.encode(this.encoder);
    this.readers.push(reader);
    return this;
  }

  submit(): void {
    this.encoder.submit();
    this.device.counters.submits++;
    for (const reader of this.readers) reader.submitted();
  }
}

/** Reads one tensor back repeatedly with one staging buffer, so that later readbacks allocate nothing. */
export class Reader {
  private readonly staging: Staging;
  private reading: Promise<ArrayBuffer> | null = null;

  constructor(
    private readonly device: Device,
    private readonly tensor: Tensor,
  ) {
    this.staging = device.staging(`${tensor.name} readback`, tensor.sizeBytes);
  }

  encode(encoder: Encoder): void {
    assert(this.reading === null, `${this.tensor.name} is being read already`);
    encoder.stage(this.tensor, this.staging);
  }

  submitted(): void {
    this.reading = this.staging.read();
    this.reading.catch(() => undefined);
  }

  /** The numbers as of the last submitted `Commands.read`. Rejects if the device was lost. */
  async result(): Promise<Float32Array<ArrayBuffer>> {
    assert(this.reading, `${this.tensor.name}: nothing was submitted to read`);
    const bytes = await this.reading.finally(() => (this.reading = null));
    if (this.device.lost) throw new DeviceLost();
    return new Float32Array(bytes);
  }

  destroy(): void {
    this.staging.destroy();
  }
}

/** Reads a tensor once, with a staging buffer of its own. */
export async function readTensor(device: Device, tensor: Tensor): Promise<Float32Array<ArrayBuffer>> {
  return (await readTensors(device, [tensor]))[0];
}

/** Reads tensors once, all at one point of the queue, with a staging buffer each. */
export async function readTensors(device: Device, tensors: readonly Tensor[]): Promise<Float32Array<ArrayBuffer>[]> {
  const readers = tensors.map((tensor) => new Reader(device, tensor));
  try {
    const commands = new Commands(device);
    for (const reader of readers) commands.read(reader);
    commands.submit();
    return await Promise.all(readers.map((reader) => reader.result()));
  } finally {
    for (const reader of readers) reader.destroy();
  }
}
