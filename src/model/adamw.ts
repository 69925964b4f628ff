/** AdamW with clipping by the global norm, for a whole parameter store in three dispatches (shaders/adamw.wgsl). */
import { Commands, linearGrid, oneWorkgroup, Reader } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import { Tape, type Plan } from '../device/tape';
import { Struct } from '../device/struct';
import { writeTensor, type Tensor } from '../device/tensor';
import type { ParameterStore } from './parameters';

export interface AdamWSettings {
  readonly rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Bound of the norm of the whole gradient. */
  readonly clip: number;
}

export interface AdamWReport {
  /** Norm of the whole gradient before clipping, in the last update that was not skipped. */
  readonly gradientNorm: number;
  /** Updates skipped since the last report, because of a gradient that was not finite or a veto. */
  readonly skipped: number;
}

const normLanes = 4096;
const settingsStruct = new Struct('adamw', 'Settings');
const stateStruct = new Struct('adamw', 'State');

export class AdamW {
  /** The struct State of the shader. */
  readonly state: Tensor; // [8]
  /** A kernel that writes a number other than 0 here makes the next update a skipped one. */
  readonly veto: Tensor; // [1]
  private readonly settings: Tensor;
  /** Encode a readback with it for `report`. */
  readonly reader: Reader;
  /** Skipped updates up to the last report. */
  private skippedBefore = 0;
  private readonly plan: Plan;

  constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
  ) {
    const tape = new Tape(device, false);
    const { value, gradient, first, second } = store;
    const state = (this.state = tape.constant('optimizer state', [stateStruct.size]));
    const veto = (this.veto = tape.constant('optimizer veto', [1]));
    const settings = (this.settings = tape.uniform('optimizer settings', new Uint32Array(settingsStruct.size)));
    this.reader = new Reader(device, state);
    const partial = tape.constant('gradient norm partials', [normLanes]);
    const sizes = { SIZE: store.size, DECAYED: store.decayed, LANES: normLanes };
    tape.dispatch('adamw', 'partialNorm', sizes, { gradient, partial }, linearGrid(normLanes));
    tape.dispatch('adamw', 'prepare', sizes, { partial, state, settings, veto }, oneWorkgroup);
    const bindings = { value, gradient, first, second, state, settings };
    tape.dispatch('adamw', 'update', sizes, bindings, linearGrid(store.size));
    this.plan = tape.seal();
  }

  /** Clips, updates and clears the gradients. */
  get dispatches(): readonly Dispatch[] {
    return this.plan.forward;
  }

  destroy(): void {
    this.plan.destroy();
    this.reader.destroy();
  }

  /** Sets the values of the next submission. */
  configure(settings: AdamWSettings): void {
    writeTensor(this.device, this.settings, settingsStruct.pack({ ...settings }));
  }

  /** Continues from a state that was read back; the moments are the store's. */
  restore(state: Float32Array): void {
    writeTensor(this.device, this.state, state);
    this.skippedBefore = stateStruct.unpack(state).skipped;
  }

  /** Back to zero moments and step 0. */
  resetMoments(): void {
    new Commands(this.device).clear([this.store.first, this.store.second]).submit();
    // With no applied update, the products of β start from 1 again.
    writeTensor(this.device, this.state, Float32Array.of(0), stateStruct.offset('applied'));
  }

  async report(): Promise<AdamWReport> {
    const { norm, skipped } = stateStruct.unpack(await this.reader.result());
    const before = this.skippedBefore;
    this.skippedBefore = skipped;
    return { gradientNorm: norm, skipped: skipped - before };
  }
}
