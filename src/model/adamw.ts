/**
 * AdamW with clipping by the global norm, for a whole parameter store in three dispatches (shaders/adamw.wgsl).
 * Its step count and bias corrections live on the GPU; the rate flows in through one small uniform at each step.
 */
import { Commands, linearGrid, Reader, type Dispatch } from '../gpu/commands';
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

/** What the updates since the last report did. */
export interface AdamWReport {
  /** Of the whole gradient before clipping, in the last update that was not skipped. */
  readonly gradientNorm: number;
  /** Updates skipped because the gradient was not finite or somebody vetoed. */
  readonly skipped: number;
}

const normLanes = 4096;
/** Columns of the state. */
const norm = 2;
const applied = 4;
const skipped = 5;

export class AdamW {
  /** β₁ᵗ, β₂ᵗ, norm, scale, applied updates, skipped updates. */
  readonly state: Tensor; // [8]
  /** Whoever writes anything but 0 here makes the next update a skipped one. */
  readonly veto: Tensor; // [1]
  private readonly settings: Tensor;
  private readonly reader: Reader;
  /** Skipped updates that were reported. */
  private skippedBefore = 0;
  private readonly tape: Tape;
  private plan: Plan | null = null;

  constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
  ) {
    this.tape = new Tape(device, false);
    const { value, gradient, first, second } = store;
    this.state = this.tape.constant('optimizer state', [8]);
    this.veto = this.tape.constant('optimizer veto', [1]);
    const { state, veto } = this;
    this.reader = new Reader(device, state);
    const partial = this.tape.constant('gradient norm partials', [normLanes]);
    this.settings = createTensor(device, 'optimizer settings', [8], { uniform: true });
    const settings = this.settings;
    const sizes = { SIZE: store.size, DECAYED: store.decayed, LANES: normLanes };
    this.tape.dispatch('adamw', 'partial_norm', sizes, { gradient, partial }, [normLanes / 64, 1, 1]);
    this.tape.dispatch('adamw', 'prepare', sizes, { partial, state, settings, veto }, [1, 1, 1]);
    this.tape.dispatch(
      'adamw',
      'update',
      sizes,
      { value, gradient, first, second, state, settings },
      linearGrid(store.size),
    );
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
    this.reader.destroy();
    this.settings.buffer.destroy();
  }

  /** Values for the next submission. */
  configure({ rate, beta1, beta2, epsilon, weightDecay, clip }: AdamWSettings): void {
    writeTensor(this.device, this.settings, Float32Array.of(rate, beta1, beta2, epsilon, weightDecay, clip, 0, 0));
  }

  /** Goes on from a state that was read; the moments are the store's. */
  restore(state: Float32Array): void {
    writeTensor(this.device, this.state, state);
    this.skippedBefore = state[skipped];
  }

  /** Begins anew: no moments, no bias of their averages. */
  forget(): void {
    new Commands(this.device).clear([this.store.first, this.store.second]).submit();
    writeTensor(this.device, this.state, Float32Array.of(0), applied);
  }

  /** Encodes a readback of the state; `report` then gives what it says. */
  encodeReport(commands: Commands): Commands {
    return commands.read(this.reader);
  }

  async report(): Promise<AdamWReport> {
    const state = await this.reader.result();
    const before = this.skippedBefore;
    this.skippedBefore = state[skipped];
    return { gradientNorm: state[norm], skipped: state[skipped] - before };
  }
}
