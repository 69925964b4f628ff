/**
 * Weights kept as they were beside a store that goes on learning, for a reference policy: two to a word in half
 * precision, or, if one of them is beyond half precision's range (±65504), as they are.
 *
 * For a forward pass they move into the store, and the weights that learn wait where the gradient is, which is zero
 * between two updates. So no kernel of the model knows of them, and keeping them costs 2 bytes a parameter.
 *
 * A half has 11 significant bits, so a weight is kept to one part in 2048 (below 6e-5 to 3e-8, or as 0 on a GPU without
 * such small halves). The live weights are rounded alike when they are kept, so the KL of a policy to its own kept
 * weights is 0.
 */
import { linearGrid, readTensor, type Commands, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { Tape, type Plan } from '../gpu/tape';
import { createTensor, writeTensor, type Tensor } from '../gpu/tensor';
import { fitHalves, packHalves, unpackHalves } from '../lib/half';
import type { ParameterStore } from './parameters';

export class FrozenWeights {
  private readonly packed: Tensor; // u32 [SIZE / 2]
  /** Null where halves do. */
  private exact: Tensor | null = null; // [SIZE]
  private readonly tape: Tape;
  private plan: Plan | null = null;

  constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
  ) {
    this.tape = new Tape(device, false);
    this.packed = this.tape.constant('frozen weights', [store.size / 2], 'u32');
    const bindings = { packed: this.packed, value: store.value };
    this.tape.dispatch('half', 'unpack', { SIZE: store.size }, bindings, linearGrid(store.size / 2));
  }

  /** Waits for its kernel. */
  async compile(): Promise<void> {
    this.plan = await this.tape.seal();
  }

  /**
   * Rounds the store's weights to half precision, if all of them fit, and keeps them. Nothing may train until it
   * resolves. Rounding the live weights too makes a checkpoint of half the size the same start, and the first KL as
   * good as 0.
   */
  async keep(): Promise<void> {
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
      this.exact ??= createTensor(this.device, 'frozen weights', [this.store.size]);
      writeTensor(this.device, this.exact, numbers);
    }
  }

  /** Where they are; what is read of it, `decode` makes weights of. */
  get tensor(): Tensor {
    return this.exact ?? this.packed;
  }

  /** A flat tensor of the store [SIZE] from what was read of `tensor`. */
  decode(read: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
    return read.length === this.store.size
      ? read
      : unpackHalves(new Uint32Array(read.buffer, read.byteOffset, read.length));
  }

  /**
   * Encodes dispatches that find these weights in the store; after them it holds again what it held. The gradient must
   * be 0.
   */
  run(commands: Commands, dispatches: readonly Dispatch[]): Commands {
    const { value, gradient } = this.store;
    commands.copy(value, gradient);
    if (this.exact) commands.copy(this.exact, value).run(dispatches);
    else commands.run([...(this.plan?.forward ?? []), ...dispatches]);
    return commands.copy(gradient, value).clear([gradient]);
  }

  destroy(): void {
    this.plan?.destroy();
    this.exact?.buffer.destroy();
  }
}
