/** A submission and its readbacks on WebGPU. */
import { assert } from '../../lib/assert';
import { DeviceLost, gridOf, type BufferRange, type Dispatch, type Encoder, type Staging } from '../device';

/** WebGPU flags by the specification, because their namespaces are globals in browsers only. */
export const flags = {
  mapRead: 1,
  copySource: 4,
  copyTarget: 8,
  uniform: 64,
  storage: 128,
  queryResolve: 512,
  compute: 4,
};

/** A compiled entry point. Two requests with equal text share one. */
export interface Kernel {
  readonly label: string;
  /** Binding numbers by the names of the WGSL variables. */
  readonly bindings: ReadonlyMap<string, number>;
  readonly layout: GPUBindGroupLayout;
  /** Set once `Device.compiled()` has resolved. */
  pipeline: GPUComputePipeline | null;
}

export interface GpuDispatch extends Dispatch {
  readonly kernel: Kernel;
  readonly bindGroup: GPUBindGroup;
}

/** The buffer behind a tensor of this device. */
export const bufferOf = ({ buffer }: BufferRange) => buffer as GPUBuffer;

export function encodeDispatch(pass: GPUComputePassEncoder, dispatch: Dispatch): void {
  const { kernel, bindGroup } = dispatch as GpuDispatch;
  assert(kernel.pipeline, `${kernel.label} is not compiled yet`);
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, bindGroup);
  pass.dispatchWorkgroups(...gridOf(dispatch).workgroups);
}

export class GpuEncoder implements Encoder {
  private readonly encoder: GPUCommandEncoder;

  constructor(private readonly handle: GPUDevice) {
    this.encoder = handle.createCommandEncoder();
  }

  clear(range: BufferRange): void {
    this.encoder.clearBuffer(bufferOf(range), range.offsetBytes, range.sizeBytes);
  }

  copy(from: BufferRange, to: BufferRange): void {
    this.encoder.copyBufferToBuffer(bufferOf(from), from.offsetBytes, bufferOf(to), to.offsetBytes, from.sizeBytes);
  }

  /** All in one pass. */
  run(dispatches: readonly Dispatch[]): void {
    const pass = this.encoder.beginComputePass();
    for (const dispatch of dispatches) encodeDispatch(pass, dispatch);
    pass.end();
  }

  stage(range: BufferRange, staging: Staging): void {
    const { buffer } = staging as GpuStaging;
    this.encoder.copyBufferToBuffer(bufferOf(range), range.offsetBytes, buffer, 0, range.sizeBytes);
  }

  submit(): void {
    this.handle.queue.submit([this.encoder.finish()]);
  }
}

export class GpuStaging implements Staging {
  /** @param buffer may be mapped for reading @param device that it belongs to */
  constructor(
    readonly buffer: GPUBuffer,
    private readonly device: { readonly lost: boolean },
  ) {}

  async read(): Promise<ArrayBuffer> {
    await this.buffer.mapAsync(flags.mapRead);
    if (this.device.lost) throw new DeviceLost();
    const copy = this.buffer.getMappedRange().slice(0);
    this.buffer.unmap();
    return copy;
  }

  destroy(): void {
    this.buffer.destroy();
  }
}
