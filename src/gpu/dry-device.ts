/** A device that allocates nothing: it lists the buffers of what is built on it. Nothing can run on it. */
import { Device, type Kernel } from './device';

const noKernel: Kernel = { label: '', bindings: new Map(), layout: {} as GPUBindGroupLayout, pipeline: null };

const noHandle = {
  limits: { maxBufferSize: Infinity, maxStorageBufferBindingSize: Infinity },
  lost: new Promise<never>(() => undefined),
  queue: { writeBuffer: () => undefined },
  createBindGroup: () => ({}),
} as unknown as GPUDevice;

export class DryDevice extends Device {
  readonly buffers: { readonly label: string; readonly bytes: number }[] = [];

  constructor() {
    super(noHandle, { name: 'dry', software: false, features: [] });
  }

  override kernel(): Kernel {
    return noKernel;
  }

  override rawBuffer(label: string, bytes: number): GPUBuffer {
    this.buffers.push({ label, bytes });
    return {} as GPUBuffer;
  }
}
