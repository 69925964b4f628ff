/** The gradient's norm in each part of a model: shows where learning happens and where a spike comes from. */
import { Reader } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import { Tape, type Plan } from '../device/tape';
import { writeTensor } from '../device/tensor';
import type { ModelPart, ParameterStore } from './parameters';

export class GradientNorms {
  readonly reader: Reader;
  private readonly parts: readonly ModelPart[];
  private readonly plan: Plan;

  constructor(device: Device, store: ParameterStore) {
    const tape = new Tape(device, false);
    this.parts = store.specs.map(({ part }) => part);
    const count = store.specs.length;
    const ranges = tape.constant('parameter ranges', [count, 2], 'u32');
    writeTensor(device, ranges, Uint32Array.from(store.ranges().flat()));
    const norms = tape.constant('gradient norms', [count]);
    this.reader = new Reader(device, norms);
    tape.dispatch(
      'gradient-norms',
      'forward',
      {},
      { gradient: store.gradient, ranges, norms },
      { workgroups: [count, 1, 1], items: count },
    );
    this.plan = tape.seal();
  }

  /** Encode them before the optimizer, which clears the gradient. */
  get dispatches(): readonly Dispatch[] {
    return this.plan.forward;
  }

  /** Norm of each part, from `reader`; null if one is not finite. */
  async result(): Promise<Partial<Record<ModelPart, number>> | null> {
    const squares = await this.reader.result();
    const sums: Partial<Record<ModelPart, number>> = {};
    squares.forEach((square, i) => (sums[this.parts[i]] = (sums[this.parts[i]] ?? 0) + square));
    const norms = Object.entries(sums).map(([part, sum]) => [part, Math.sqrt(sum)] as const);
    return norms.every(([, norm]) => Number.isFinite(norm)) ? Object.fromEntries(norms) : null;
  }

  destroy(): void {
    this.plan.destroy();
    this.reader.destroy();
  }
}
