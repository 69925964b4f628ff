/** A device that allocates nothing: it lists the buffers of what is built on it. Nothing can run on it. */
import { Device, type Dispatch, type Staging } from './device';
import type { BufferRange, Constants, DeviceBuffer, Encoder } from './device';

const nothing = () => undefined;

export class DryDevice extends Device {
  readonly buffers: { readonly label: string; readonly bytes: number }[] = [];

  constructor() {
    super({
      kind: 'cpu',
      name: 'dry',
      software: false,
      immediate: false,
      features: [],
      maxTensorBytes: Infinity,
      maxTotalBytes: Infinity,
    });
  }

  buffer(label: string, sizeBytes: number): DeviceBuffer {
    this.buffers.push({ label, bytes: Math.ceil(sizeBytes / 16) * 16 });
    return { destroy: nothing };
  }

  staging(label: string, sizeBytes: number): Staging {
    this.buffers.push({ label, bytes: sizeBytes });
    return { destroy: nothing, read: () => new Promise(nothing) };
  }

  bind(
    shader: string,
    entry: string,
    _constants: Constants,
    _tensors: Readonly<Record<string, BufferRange>>,
    grid: Dispatch['grid'],
  ): Dispatch {
    return { label: `${shader}.${entry}`, grid };
  }

  write(): void {}

  encoder(): Encoder {
    throw new Error('Assertion failed: nothing runs on a dry device.');
  }

  async compiled(): Promise<void> {}

  guarded<T>(_what: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  async idle(): Promise<void> {}

  onLoss(): () => void {
    return nothing;
  }

  async causeOf(error: unknown): Promise<unknown> {
    return error;
  }

  get canProfile(): boolean {
    return false;
  }

  profile(): Promise<never> {
    throw new Error('Assertion failed: nothing runs on a dry device.');
  }

  destroy(): void {}
}
