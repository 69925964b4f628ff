/**
 * AdamW with clipping by the global norm, for a whole parameter store in three dispatches (shaders/adamw.wgsl).
 * Its step count and bias corrections live on the GPU; the rate flows in through one small uniform at each step.
 */
import { linearGrid, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { Tape, type Plan } from '../gpu/tape';
import { createTensor, writeTensor, type Tensor } from '../gpu/tensor';
import type { ParameterStore } from './parameters';

export interface AdamWSettings {
  readonly rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Largest norm of the whole gradient. */
  readonly clip: number;
}

const normLanes = 4096;

export class AdamW {
  /** β₁ᵗ, β₂ᵗ, norm, scale, applied updates, skipped updates. */
  readonly state: Tensor; // [8]
  /** Whoever writes anything but 0 here makes the next update a skipped one. */
  readonly veto: Tensor; // [1]
  private readonly settings: Tensor;
  private readonly tape: Tape;
  private plan: Plan | null = null;

  constructor(
    private readonly device: Device,
    store: ParameterStore,
  ) {
    this.tape = new Tape(device, false);
    const { value, gradient, first, second } = store;
    this.state = this.tape.constant('optimizer state', [8]);
    this.veto = this.tape.constant('optimizer veto', [1]);
    const { state, veto } = this;
    const partial = this.tape.constant('gradient norm partials', [normLanes]);
    this.settings = createTensor(device, 'optimizer settings', [8], { uniform: true });
    const settings = this.settings;
    const sizes = { SIZE: store.size, DECAYED: store.decayed, LANES: normLanes };
    this.tape.dispatch('adamw', 'partial_norm', sizes, { gradient, partial }, [normLanes / 64, 1, 1]);
    this.tape.dispatch('adamw', 'prepare', sizes, { partial, state, settings, veto }, [1, 1, 1]);
    this.tape.dispatch('adamw', 'update', sizes, { value, gradient, first, second, state, settings }, linearGrid(store.size));
  }

  /** Waits for its kernels. */
  async compile(): Promise<void> {
    this.plan = await this.tape.seal();
  }

  /** Clips, updates and clears the gradients. */
  get dispatches(): readonly Dispatch[] {
    return this.plan?.forward ?? [];
  }

  destroy(): void {
    this.plan?.destroy();
    this.settings.buffer.destroy();
  }

  /** Values for the next submission. */
  configure({ rate, beta1, beta2, epsilon, weightDecay, clip }: AdamWSettings): void {
    writeTensor(this.device, this.settings, Float32Array.of(rate, beta1, beta2, epsilon, weightDecay, clip, 0, 0));
  }
}
