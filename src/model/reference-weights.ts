/**
 * The reference policy as a copy of the trainable weights: packed f16 pairs, or f32 if a weight exceeds ±65504.
 *
 * A forward pass swaps it into the parameter store. The live weights wait in the gradient buffer, which is zero between
 * two updates, so no kernel needs a second set of weights and the copy costs 2 bytes a parameter.
 *
 * Rounding to f16 keeps 11 significant bits (below 6e-5: steps of 6e-8, or 0 on a GPU that flushes subnormals). The
 * live weights are rounded alike at the capture, so the KL of the policy to its reference starts at 0.
 */
import { linearGrid, readTensor, type Commands } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import { Tape, type Plan } from '../device/tape';
import { createTensor, writeTensor, type Tensor } from '../device/tensor';
import { fitHalves, packHalves, unpackHalves } from '../lib/half';
import type { Reference, ReferenceCopy } from './model';
import type { ParameterStore } from './parameters';

export class ReferenceWeights implements Reference, ReferenceCopy {
  private readonly packed: Tensor; // u32 [SIZE / 2]
  /** Null while f16 is enough. */
  private exact: Tensor | null = null; // [SIZE]
  private readonly plan: Plan;

  constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
  ) {
    const tape = new Tape(device, false);
    this.packed = tape.constant('reference weights', [store.size / 2], 'u32');
    const bindings = { packed: this.packed, value: store.value };
    tape.dispatch('half', 'unpack', { SIZE: store.size }, bindings, linearGrid(store.size / 2));
    this.plan = tape.seal();
  }

  /** Copies the store's weights, and rounds both to f16 if all of them fit. Await before training. */
  async capture(): Promise<void> {
    const numbers = await readTensor(this.device, this.store.value);
    this.write(numbers);
    if (!this.exact) writeTensor(this.device, this.store.value, unpackHalves(packHalves(numbers)));
  }

  /** @param numbers a flat tensor of the store [SIZE] */
  write(numbers: Float32Array): void {
    if (fitHalves(numbers)) {
      this.exact?.buffer.destroy();
      this.exact = null;
      writeTensor(this.device, this.packed, packHalves(numbers));
    } else {
      this.exact ??= createTensor(this.device, 'reference weights', [this.store.size]);
      writeTensor(this.device, this.exact, numbers);
    }
  }

  get copy(): this {
    return this;
  }

  /** The packed or exact copy, to be read back; `decode` turns the result into weights. */
  get tensor(): Tensor {
    return this.exact ?? this.packed;
  }

  /** @param read what was read back from `tensor` @returns weights [SIZE] */
  decode(read: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
    return read.length === this.store.size
      ? read
      : unpackHalves(new Uint32Array(read.buffer, read.byteOffset, read.length));
  }

  /** Encodes the dispatches with the copy swapped into the store, then swaps the live ones back. */
  run(commands: Commands, dispatches: readonly Dispatch[]): Commands {
    const { value, gradient } = this.store;
    commands.copy(value, gradient);
    if (this.exact) commands.copy(this.exact, value).run(dispatches);
    else commands.run([...this.plan.forward, ...dispatches]);
    return commands.copy(gradient, value).clear([gradient]);
  }

  destroy(): void {
    this.plan.destroy();
    this.exact?.buffer.destroy();
  }
}
