/** Bytes of a device's buffers, counted as they are made and destroyed. */
import type { Device, DeviceBuffer } from '../../device/device';

export class HeldBytes {
  now = 0;
  peak = 0;

  /** @param device nothing was made on it yet */
  constructor(device: Device) {
    const [buffer, staging] = [device.buffer.bind(device), device.staging.bind(device)];
    device.buffer = (label, bytes, use) => this.held(buffer(label, bytes, use), bytes);
    device.staging = (label, bytes) => {
      const before = this.now;
      const made = staging(label, bytes);
      // Some devices make it as any other buffer, which is counted already.
      return this.now > before ? made : this.held(made, bytes);
    };
  }

  private held<B extends DeviceBuffer>(buffer: B, bytes: number): B {
    this.now += bytes;
    this.peak = Math.max(this.peak, this.now);
    const destroy = buffer.destroy.bind(buffer);
    let isHeld = true;
    buffer.destroy = () => {
      if (isHeld) this.now -= bytes;
      isHeld = false;
      destroy();
    };
    return buffer;
  }
}
