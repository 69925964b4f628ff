/**
 * The build-time tape: ops append their forward dispatch as they are called and register a closure that appends their
 * backward dispatches. `seal` runs the closures in reverse and compiles. What is left is two flat lists to replay: at
 * run time there is no graph. Knows nothing of what the ops compute.
 *
 * Rule: backward kernels always add to gradients. `Plan.gradients` are the activations' gradients, to be cleared before
 * each replay; parameters' gradients belong to whoever owns the parameters.
 */
import { assert } from '../lib/assert';
import { bindKernel, type Dispatch } from './commands';
import type { Device, Kernel } from './device';
import { createTensor, uniformTensor, type ElementType, type Tensor } from './tensor';
import type { Constants } from './wgsl';

export interface Plan {
  readonly forward: readonly Dispatch[];
  readonly backward: readonly Dispatch[];
  /** Activation gradients: zero before a replay of forward and backward. */
  readonly gradients: readonly Tensor[];
  destroy(): void;
}

export class Tape {
  private readonly forward: Dispatch[] = [];
  private readonly backward: Dispatch[] = [];
  private readonly closures: (() => void)[] = [];
  private readonly owned: Tensor[] = [];
  private list = this.forward;

  /** A tape that does not train makes activations without gradients, so no backward dispatch is ever emitted. */
  constructor(
    readonly device: Device,
    readonly training: boolean,
  ) {}

  /** An activation: zero-filled, with a gradient if the tape trains. */
  activation(name: string, shape: readonly number[]): Tensor {
    return this.own(createTensor(this.device, name, shape, { gradient: this.training }));
  }

  /** A tensor that never has a gradient: inputs, indices, saved statistics, scratch. */
  constant(name: string, shape: readonly number[], type: ElementType = 'f32'): Tensor {
    return this.own(createTensor(this.device, name, shape, { type }));
  }

  /** Sizes and other fixed integers for a kernel's uniform. */
  uniform(name: string, values: readonly number[]): Tensor {
    return this.own(uniformTensor(this.device, name, values));
  }

  private own(tensor: Tensor): Tensor {
    this.owned.push(tensor);
    return tensor;
  }

  /** The kernel for exactly these bindings; see `Device.kernel`. */
  kernel(shader: string, entry: string, constants: Constants, bindings: Readonly<Record<string, Tensor>>): Kernel {
    return this.device.kernel(shader, entry, constants, Object.keys(bindings));
  }

  /** Appends `entry` of `shaders/<shader>.wgsl`. Inside a backward closure it goes to the backward list. */
  dispatch(
    shader: string,
    entry: string,
    constants: Constants,
    bindings: Readonly<Record<string, Tensor>>,
    grid: Dispatch['grid'],
  ): void {
    this.list.push(bindKernel(this.device, this.kernel(shader, entry, constants, bindings), bindings, grid));
  }

  /** Registers the op's backward; skipped when the tape does not train. */
  onBackward(closure: () => void): void {
    if (this.training) this.closures.push(closure);
  }

  /** Ends building: emits the backward list and waits for the kernels. */
  async seal(onProgress?: (done: number, total: number) => void): Promise<Plan> {
    assert(this.list === this.forward, 'a tape is sealed once');
    this.list = this.backward;
    for (const closure of this.closures.reverse()) closure();
    await this.device.compiled(onProgress);
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
