/**
 * How long runs take on this device: a recorded run's time, corrected by what a run of the same config took here, else
 * by the measured speed of the CPU device. Of a GPU nothing is known before a run: small models keep none of them busy.
 */
import type { WorldCard } from '../../../cli/build/world-cards';
import type { RunConfig } from '../../../config/config';
import { costOf } from '../../../config/cost';
import type { DeviceChoice, DeviceKind } from '../../../device/choice';
import { sum } from '../../../lib/mean';
import type { Metrics } from '../../../rl/report';
import { iterationMs } from '../../../share/run-metrics';
import type { DeviceReport } from '../../../worker/protocol';
import { readStored, writeStored } from '../../base/stored';
import type { Setup } from '../setup/setup.svelte';
import type { DisplayedRun } from './displayed-run.svelte';
import type { LiveRun } from './live-run.svelte';
import { sameRun } from '../../../config/run-name';

/** One positive number for each device that is known. */
type ByDevice = Readonly<Partial<Record<DeviceKind, number>>>;

/**
 * GFLOP/s of a CPU device whose runs take as long as the recorded ones. On one thread of a page that showed 50, two
 * cores of 2.1 GHz on 2026-11-23, runs took 0.39 to 0.59 of their recorded time: `table` 15 s of 38 and 20 s of 38,
 * `calculator-mini` 2.6 s of 4.9.
 */
const recordedGflops = 25;
const storageKey = 'agentlet.pace';
/** The best speeds that were measured in this browser. */
const speedKey = 'agentlet.speed';
/** Another program may slow a measurement, and none makes it faster: the best of several counts. */
const measurements = 3;
const betweenMs = 1500;
/** Fewer iterations than this say nothing: the first also compile. */
const needed = 3;

export class Pace {
  /** Best speed of matrix products on the devices that were measured, now or on an earlier visit, GFLOP/s. */
  gflops = $state.raw<ByDevice>(read(speedKey));
  /** Time here for each unit of time of the recording. */
  #ratios = $state.raw<ByDevice>(read(storageKey));
  readonly #measured = new Set<DeviceKind>();

  /**
   * Measures a device a few times, once in the life of the page.
   * @param ask resolves with GFLOP/s, or with null if it cannot be measured now @param waitMs between two measurements
   */
  measure(kind: DeviceKind, ask: () => Promise<number | null>, waitMs = betweenMs): void {
    if (this.#measured.has(kind)) return;
    this.#measured.add(kind);
    // A device that cannot be opened says so when it is needed.
    void this.#measure(kind, ask, waitMs).catch(() => undefined);
  }

  async #measure(kind: DeviceKind, ask: () => Promise<number | null>, waitMs: number): Promise<void> {
    for (let done = 0; done < measurements; done++) {
      if (done > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const gflops = await ask();
      if (gflops === null || gflops <= (this.gflops[kind] ?? 0)) continue;
      this.gflops = { ...this.gflops, [kind]: gflops };
      writeStored(speedKey, JSON.stringify(this.gflops));
    }
  }

  /** Learns from the run of this tab, where it is shown beside a recorded run of the same settings. */
  learnFrom(
    { started, metrics }: Pick<LiveRun, 'started' | 'metrics'>,
    { recorded, view }: Pick<DisplayedRun, 'recorded' | 'view'>,
    trainsOn: DeviceKind | null,
  ): void {
    if (!recorded || !started || !trainsOn || view !== 'live') return;
    if (sameRun({ ...recorded.config, seed: 0 }, { ...started.config, seed: 0 }))
      this.learn(trainsOn, metrics, recorded.metrics);
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

function read(key: string): ByDevice {
  try {
    const kept = JSON.parse(readStored(key) ?? '{}') as Record<string, unknown>;
    const isPositive = ([, value]: [string, unknown]) =>
      typeof value === 'number' && value > 0 && Number.isFinite(value);
    return Object.fromEntries(Object.entries(kept).filter(isPositive));
  } catch {
    return {};
  }
}

/** How long something takes, as well as that is known before it has run. */
export type Length = 'seconds' | 'minute' | 'minutes' | 'hours';

/** Estimates are off by a factor of two, so a length is a class. */
export function lengthOf(ms: number): Length {
  const seconds = ms / 1000;
  if (seconds < 20) return 'seconds';
  if (seconds < 60) return 'minute';
  return seconds < 3600 ? 'minutes' : 'hours';
}

/**
 * Milliseconds an iteration here, by cost of the config: of the runs of the queue that have ended, where there is none
 * of the recorded runs at the pace of this device.
 */
export function knownTimes(
  items: readonly { readonly config: RunConfig; readonly ms?: number }[],
  cards: readonly WorldCard[],
  { device, pace }: { readonly device: DeviceReport | null; readonly pace: Pace },
  { catalog }: Pick<Setup, 'catalog'>,
): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const learn = (config: RunConfig, ms: number) => known.set(costOf(config), ms / config.iterations);
  for (const { preset, recordedMs } of cards) {
    const config = catalog?.presets.find(({ name }) => name === preset)?.config;
    for (const [choice, kind] of Object.entries(device?.runsOn ?? {}) as [DeviceChoice, DeviceKind][]) {
      const ms = pace.msHere(recordedMs, kind);
      if (config && ms !== null) learn({ ...config, device: choice }, ms);
    }
  }
  for (const { config, ms } of items) if (ms !== undefined) learn(config, ms);
  return known;
}

/** Milliseconds of all of them one after another; null if one is unknown. */
export function totalMs(configs: readonly RunConfig[], known: ReadonlyMap<string, number>): number | null {
  const times = configs.map((config) => (known.get(costOf(config)) ?? NaN) * config.iterations);
  const total = sum(times);
  return Number.isNaN(total) ? null : total;
}
