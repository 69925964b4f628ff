/**
 * Records a model once: an op appends its forward dispatch and registers a closure that appends its backward ones.
 * `seal` runs the closures in reverse and leaves two flat lists of dispatches to replay, so at run time there is no
 * graph. Backward kernels always add to gradients.
 */
import { assert } from '../lib/assert';
import { linearGrid } from './commands';
import type { Constants, Device, Dispatch } from './device';
import { SharedActivations } from './shared-activations';
import { createTensor, elementCount, uniformTensor, type ElementType, type Tensor } from './tensor';

export interface Plan {
  readonly forward: readonly Dispatch[];
  readonly backward: readonly Dispatch[];
  /** Gradients of activations, to be cleared before each replay. Parameters' gradients belong to their owner. */
  readonly gradients: readonly Tensor[];
  destroy(): void;
}

export class Tape {
  private readonly forward: Dispatch[] = [];
  private readonly backward: Dispatch[] = [];
  private readonly closures: (() => void)[] = [];
  private readonly owned: Tensor[] = [];
  private list = this.forward;
  private readonly shared: SharedActivations;
  private isInBlock = false;
  /** Of the last block, whose activations are still there when the backward pass begins. */
  private lastOutput: Tensor | null = null;

  /** @param training false: activations have no gradients, and no backward dispatch is emitted */
  constructor(
    readonly device: Device,
    readonly training: boolean,
  ) {
    this.shared = new SharedActivations(device, training);
  }

  /** Number of forward dispatches so far. */
  get dispatches(): number {
    return this.forward.length;
  }

  /** An activation: zero-filled, with a gradient if the tape trains. */
  activation(name: string, shape: readonly number[]): Tensor {
    if (!this.isInBlock) return this.own(createTensor(this.device, name, shape, { gradient: this.training }));
    const { tensor, isNew } = this.shared.take(name, shape);
    return isNew ? this.own(tensor) : tensor;
  }

  /**
   * Records ops of which only the output is kept: other activations share memory with those of the tape's other blocks.
   * Backward computes them again, so it has the same bits as without a block.
   * @param work changes nothing from before; it returns the output, or null if nothing is kept
   */
  block<T extends Tensor | null>(work: () => T): T {
    const [firstDispatch, firstClosure] = [this.forward.length, this.closures.length];
    this.isInBlock = true;
    const output = work();
    this.isInBlock = false;
    const shared = this.shared.release(output);
    const forward = this.forward.slice(firstDispatch);
    const closures = this.closures.splice(firstClosure).reverse();
    this.lastOutput = output;
    this.onBackward(() => {
      if (this.lastOutput !== output) this.list.push(...forward);
      for (const { grad } of shared) this.clear(grad!);
      for (const closure of closures) closure();
    });
    return output;
  }

  private clear(x: Tensor): void {
    const SIZE = elementCount(x.shape);
    this.dispatch('zero', 'forward', { SIZE }, { x }, linearGrid(Math.ceil(SIZE / 4), SIZE));
  }

  /** A tensor without a gradient: inputs, indices, statistics, scratch. */
  constant(name: string, shape: readonly number[], type: ElementType = 'f32'): Tensor {
    return this.own(createTensor(this.device, name, shape, { type }));
  }

  /** A uniform with these first values, sizes for example. */
  uniform(name: string, values: ArrayLike<number>): Tensor {
    return this.own(uniformTensor(this.device, name, values));
  }

  private own(tensor: Tensor): Tensor {
    this.owned.push(tensor);
    return tensor;
  }

  /** Appends `entry` of `shaders/<shader>`. Inside a backward closure it goes to the backward list. */
  dispatch(
    shader: string,
    entry: string,
    constants: Constants,
    bindings: Readonly<Record<string, Tensor>>,
    grid: Dispatch['grid'],
  ): void {
    this.list.push(this.device.bind(shader, entry, constants, bindings, grid));
  }

  /** Registers an op's backward. */
  onBackward(closure: () => void): void {
    if (this.training) this.closures.push(closure);
  }

  /** Ends building and emits the backward list. Await `Device.compiled` before the first replay. */
  seal(): Plan {
    assert(this.list === this.forward, 'a tape is sealed once');
    this.list = this.backward;
    for (const closure of this.closures.reverse()) closure();
    const gradients = this.owned.flatMap((tensor) => tensor.grad ?? []);
    const owned = [...this.owned, ...gradients];
    return {
      forward: this.forward,
      backward: this.backward,
      gradients,
      destroy: () => owned.forEach((tensor) => tensor.buffer.destroy()),
    };
  }
}
