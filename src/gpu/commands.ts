/** `Commands` is one submission: clears, copies, a compute pass per list of dispatches, and readbacks. */
import { assert } from '../lib/assert';
import { DeviceLost, flags, type Device, type Kernel } from './device';
import type { Tensor } from './tensor';

export type Grid = readonly [number, number, number];

/** A kernel bound to its tensors. A grid may be a function, called each time the dispatch is encoded. */
export interface Dispatch {
  readonly kernel: Kernel;
  readonly bindGroup: GPUBindGroup;
  readonly grid: Grid | (() => Grid);
}

/** @param tensors by the names of the WGSL variables */
export function bindKernel(
  device: Device,
  kernel: Kernel,
  tensors: Readonly<Record<string, Tensor>>,
  grid: Dispatch['grid'],
): Dispatch {
  device.counters.bindGroups++;
  const { label, layout } = kernel;
  const entries = [...kernel.bindings].map(([name, binding]) => {
    const { buffer, offsetBytes: offset, sizeBytes: size } = tensors[name];
    return { binding, resource: { buffer, offset, size } };
  });
  return { kernel, bindGroup: device.handle.createBindGroup({ label, layout, entries }), grid };
}

/** Workgroups of `size` for `count` invocations, folded into two dimensions: `linearIndex` in lib/grid.wgsl unfolds. */
export function linearGrid(count: number, size = 64): Grid {
  const groups = Math.max(1, Math.ceil(count / size));
  const x = Math.min(groups, 32768);
  return [x, Math.ceil(groups / x), 1];
}

export function encodeDispatch(pass: GPUComputePassEncoder, { kernel, bindGroup, grid }: Dispatch): void {
  assert(kernel.pipeline, `${kernel.label} is not compiled yet`);
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, bindGroup);
  pass.dispatchWorkgroups(...(typeof grid === 'function' ? grid() : grid));
}

export class Commands {
  private readonly encoder: GPUCommandEncoder;
  private readonly readers: Reader[] = [];

  constructor(private readonly device: Device) {
    this.encoder = device.handle.createCommandEncoder();
  }

  /** Fills tensors with zeros. */
  clear(tensors: readonly Tensor[]): this {
    for (const tensor of tensors) this.encoder.clearBuffer(tensor.buffer, tensor.offsetBytes, tensor.sizeBytes);
    return this;
  }

  copy(from: Tensor, to: Tensor): this {
    assert(from.sizeBytes === to.sizeBytes, `${from.name} and ${to.name} differ in size`);
    this.encoder.copyBufferToBuffer(from.buffer, from.offsetBytes, to.buffer, to.offsetBytes, from.sizeBytes);
    return this;
  }

  /** Runs the dispatches in order in one pass. */
  run(dispatches: readonly Dispatch[]): this {
    const pass = this.encoder.beginComputePass();
    for (const dispatch of dispatches) encodeDispatch(pass, dispatch);
    pass.end();
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
    this.device.handle.queue.submit([this.encoder.finish()]);
    this.device.counters.submits++;
    for (const reader of this.readers) reader.map();
  }
}

/** Reads one tensor back repeatedly with one staging buffer, so that later readbacks allocate nothing. */
export class Reader {
  private readonly staging: GPUBuffer;
  private mapped: Promise<void> | null = null;

  constructor(
    private readonly device: Device,
    private readonly tensor: Tensor,
  ) {
    this.staging = device.rawBuffer(`${tensor.name} readback`, tensor.sizeBytes, flags.mapRead | flags.copyTarget);
  }

  encode(encoder: GPUCommandEncoder): void {
    assert(this.mapped === null, `${this.tensor.name} is being read already`);
    encoder.copyBufferToBuffer(this.tensor.buffer, this.tensor.offsetBytes, this.staging, 0, this.tensor.sizeBytes);
  }

  map(): void {
    this.mapped = this.staging.mapAsync(flags.mapRead);
    this.mapped.catch(() => undefined);
  }

  /** The numbers as of the last submitted `Commands.read`. Rejects if the device was lost. */
  async result(): Promise<Float32Array<ArrayBuffer>> {
    assert(this.mapped, `${this.tensor.name}: nothing was submitted to read`);
    await this.mapped.finally(() => (this.mapped = null));
    if (this.device.lost) throw new DeviceLost();
    const copy = this.staging.getMappedRange().slice(0);
    this.staging.unmap();
    return new Float32Array(copy);
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
