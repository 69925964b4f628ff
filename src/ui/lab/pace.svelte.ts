/**
 * How long runs take on this device: a recorded run's time, corrected by what a run of the same config took here, else
 * by the measured speed of the CPU device. Of a GPU nothing is known before a run: small models keep none of them busy.
 */
import type { DeviceKind } from '../../device/choice';
import { sum } from '../../lib/mean';
import type { Metrics } from '../../rl/report';
import { iterationMs } from '../../share/run-metrics';
import { readStored, writeStored } from '../shell/stored';

/** Time here for each unit of time of the recording, by device. */
type Ratios = Readonly<Partial<Record<DeviceKind, number>>>;

/**
 * GFLOP/s of a CPU device whose runs take as long as the recorded ones. On one thread of a page that showed 50, two
 * cores of 2.1 GHz on 2026-11-23, runs took 0.39 to 0.59 of their recorded time: `table` 15 s of 38 and 20 s of 38,
 * `calculator-mini` 2.6 s of 4.9.
 */
const recordedGflops = 25;
const storageKey = 'agentlet.pace';
/** Fewer iterations than this say nothing: the first also compile. */
const needed = 3;

export class Pace {
  /** Speed of matrix products on the devices that were measured, GFLOP/s. */
  gflops = $state.raw<Readonly<Partial<Record<DeviceKind, number>>>>({});
  #ratios = $state.raw<Ratios>(read());

  /** Measures a device once. @param ask resolves with GFLOP/s */
  measure(kind: DeviceKind, ask: () => Promise<number>): void {
    if (this.gflops[kind] !== undefined) return;
    // A device that cannot be opened says so when it is needed.
    void ask()
      .then((gflops) => (this.gflops = { ...this.gflops, [kind]: gflops }))
      .catch(() => undefined);
  }

  /** Compares a run with the recorded run of the same config. Both ascend by iteration. */
  learn(kind: DeviceKind, here: readonly Metrics[], recorded: readonly Metrics[]): void {
    const ratio = ratioOf(here, recorded);
    if (ratio === null) return;
    this.#ratios = { ...this.#ratios, [kind]: ratio };
    writeStored(storageKey, JSON.stringify(this.#ratios));
  }

  /** Null while nothing is known. */
  msHere(recordedMs: number, kind: DeviceKind | null): number | null {
    if (kind === null) return null;
    const { cpu } = this.gflops;
    const ratio = this.#ratios[kind] ?? (kind === 'cpu' && cpu ? recordedGflops / cpu : null);
    return ratio === null ? null : recordedMs * ratio;
  }
}

/** Over the iterations that both have; null if they are too few. */
export function ratioOf(here: readonly Metrics[], recorded: readonly Metrics[]): number | null {
  const times = new Map(recorded.map((metrics) => [metrics.iteration, iterationMs(metrics)]));
  const both = here.filter(({ iteration }) => times.has(iteration));
  const before = sum(both.map(({ iteration }) => times.get(iteration)!));
  if (both.length < needed || before === 0) return null;
  return sum(both.map(iterationMs)) / before;
}

function read(): Ratios {
  try {
    const kept = JSON.parse(readStored(storageKey) ?? '{}') as Record<string, unknown>;
    const isRatio = ([, ratio]: [string, unknown]) => typeof ratio === 'number' && ratio > 0 && Number.isFinite(ratio);
    return Object.fromEntries(Object.entries(kept).filter(isRatio));
  } catch {
    return {};
  }
}
