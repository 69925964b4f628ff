/**
 * Records a model once: an op appends its forward dispatch and registers a closure that appends its backward ones.
 * `seal` runs the closures in reverse and leaves two flat lists of dispatches to replay, so at run time there is no
 * graph. Backward kernels always add to gradients.
 */
import { assert } from '../lib/assert';
import type { Constants, Device, Dispatch } from './device';
import { createTensor, uniformTensor, type ElementType, type Tensor } from './tensor';

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

  /** @param training false: activations have no gradients, and no backward dispatch is emitted */
  constructor(
    readonly device: Device,
    readonly training: boolean,
  ) {}

  /** An activation: zero-filled, with a gradient if the tape trains. */
  activation(name: string, shape: readonly number[]): Tensor {
    return this.own(createTensor(this.device, name, shape, { gradient: this.training }));
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
