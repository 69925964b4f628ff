/** How long a run still takes, as the page tells it while a visitor waits. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../src/run/events';
import type { RunConfig } from '../../src/config/config';
import { costOf } from '../../src/config/cost';
import { presetByName } from '../../src/config/presets';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { copyMs, RunClock, waitParts } from '../../src/presentation/time-left';
import { WaitMemory } from '../../src/ui/state/run/wait-memory';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator-mini');

const begun = (warmStart: 'recorded' | 'trained'): RunEvent => ({
  type: 'begun',
  id: 'a',
  config,
  warmStart,
  configChanges: [],
});
const point: RunEvent = { type: 'iteration', metrics: metricsRow(1), rollouts: [], fingerprint: [] };
const progress = (phase: 'compiling' | 'warm-start', done: number, total: number): RunEvent => ({
  type: 'progress',
  phase,
  done,
  total,
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

describe('RunClock', () => {
  it('knows nothing before anything was measured', () => {
    const clock = new RunClock();
    clock.begin(waitParts, {}, 0);
    expect(clock.left(500)).toBeNull();
  });

  it('calls the pace of one phase a lower bound while the others were never measured', () => {
    const clock = new RunClock();
    clock.begin(waitParts, {}, 0);
    clock.enter('copy', 3000);
    clock.count('warm-start', 10, 60, 3000);
    clock.count('warm-start', 20, 60, 13_000);
    expect(clock.left(14_000)).toEqual({ ms: 39_000, atLeast: true });
  });

  it('adds what the later phases took before, and counts down between two reports', () => {
    const clock = new RunClock();
    clock.begin(waitParts, { prepare: 5000, copy: 20_000, try: 4000 }, 0);
    expect(clock.left(1000)).toEqual({ ms: 28_000, atLeast: false });
    clock.enter('copy', 8000);
    expect(clock.left(9000)).toEqual({ ms: 23_000, atLeast: false });
    clock.count('warm-start', 10, 60, 8000);
    clock.count('warm-start', 12, 62, 10_000);
    expect(clock.left(11_000)).toEqual({ ms: 53_000, atLeast: false });
    clock.enter('try', 61_000);
    expect(clock.left(70_000)).toEqual({ ms: 0, atLeast: false });
    expect(clock.end(71_000)).toEqual({ prepare: 8000, copy: 53_000, try: 10_000 });
    expect(clock.left(71_000)).toBeNull();
  });

  it('learns nothing from a wait that was broken off', () => {
    const clock = new RunClock();
    clock.begin(waitParts, {}, 0);
    clock.stop();
    clock.enter('try', 60_000);
    expect(clock.end(61_000)).toBeNull();
  });
});

describe('RunClock, counting', () => {
  /** Milliseconds left by the counts alone. */
  const counting = (...counts: readonly (readonly [done: number, total: number, nowMs: number])[]) => {
    const clock = new RunClock();
    clock.begin(['prepare'], {}, 0);
    return counts.map(([done, total, nowMs]) => {
      clock.count('compiling', done, total, nowMs);
      return clock.left(nowMs)?.ms ?? null;
    });
  };

  it('extrapolates the mean speed of the phase', () => {
    expect(counting([10, 150, 0], [11, 150, 1000], [20, 150, 5000])).toEqual([null, null, 65_000]);
  });

  it('starts anew when the count falls', () => {
    expect(counting([100, 200, 0], [1, 200, 5000], [3, 200, 9000])).toEqual([null, null, 394_000]);
  });

  it('starts anew with another phase, and when training stood still', () => {
    const clock = new RunClock();
    clock.begin(['prepare'], {}, 0);
    clock.count('compiling', 1, 9, 0);
    clock.count('warm-start', 2, 10, 60_000);
    expect(clock.left(60_000)).toBeNull();
    clock.interrupt();
    clock.count('warm-start', 4, 10, 900_000);
    expect(clock.left(900_000)).toBeNull();
  });
});

describe('RunClock, of iterations', () => {
  const medianOf = (...timesMs: readonly number[]) => {
    const clock = new RunClock();
    for (const ms of timesMs) clock.iterate(ms);
    return clock.iterationMs;
  };

  it('says nothing before five intervals', () => {
    expect(medianOf(0, 100, 200, 300, 400)).toBeNull();
    expect(medianOf(0, 100, 200, 300, 400, 500)).toBe(100);
  });

  it('is not moved by one slow iteration', () => {
    expect(medianOf(0, 110, 9110, 9200, 9305, 9400)).toBe(105);
  });

  it('does not count time that training stood still', () => {
    const clock = new RunClock();
    for (let i = 0; i <= 5; i++) clock.iterate(i * 100);
    clock.interrupt();
    for (let i = 0; i <= 5; i++) clock.iterate(60_000 + i * 100);
    expect(clock.iterationMs).toBe(100);
    clock.clear();
    expect(clock.iterationMs).toBeNull();
  });

  it('follows the last 20 intervals only', () => {
    const slow = Array.from({ length: 30 }, (_, i) => i * 1000);
    const fast = Array.from({ length: 20 }, (_, i) => 29_000 + (i + 1) * 10);
    expect(medianOf(...slow, ...fast)).toBe(10);
  });
});

describe('WaitMemory', () => {
  const key = costOf({ ...config, warmStart: { ...config.warmStart, recorded: true } });

  it('outlives the page, and takes no nonsense from storage', () => {
    new WaitMemory().remember(config, { prepare: 5 });
    expect(new WaitMemory().of(config)).toEqual({ prepare: 5 });
    localStorage.setItem('agentlet.waits', `[["${key}",{"prepare":"x"}],["${key}",{"try":7}],3]`);
    expect(new WaitMemory().of(config)).toEqual({ try: 7 });
    localStorage.setItem('agentlet.waits', '{');
    expect(new WaitMemory().of(config)).toEqual({});
  });

  it('keeps the latest only', () => {
    const memory = new WaitMemory();
    const wide = (width: number): RunConfig => ({ ...config, model: { ...config.model, width } });
    for (let i = 0; i < 50; i++) memory.remember(wide(i), { try: i });
    expect([memory.of(wide(0)), memory.of(wide(49))]).toEqual([{}, { try: 49 }]);
    expect(localStorage.getItem('agentlet.waits')!.length).toBeLessThan(1000);
  });

  it('does not ask whether the start was to be recorded', () => {
    const memory = new WaitMemory();
    memory.remember({ ...config, warmStart: { ...config.warmStart, recorded: false } }, { copy: 9000 });
    expect(memory.of({ ...config, warmStart: { ...config.warmStart, recorded: true } })).toEqual({ copy: 9000 });
  });
});

describe('copyMs', () => {
  const settings: RunConfig = {
    ...config,
    algorithm: { ...config.algorithm, epochs: 2 },
    rollout: { ...config.rollout, tasks: 4, group: 4 },
    warmStart: { ...config.warmStart, demonstrations: 100, steps: 50, batch: 8 },
  };

  it('is what it took before', () => {
    expect(copyMs(settings, { copy: 9000 }, null)).toBe(9000);
  });

  it('goes by the pace of an iteration with the same model, and is unknown without', () => {
    expect(copyMs(settings, {}, { config: settings, trainMs: 320 })).toBe(10 * 50 * 8);
    const wider = { ...settings, model: { ...settings.model, width: 128 } };
    expect(copyMs(wider, {}, { config: settings, trainMs: 320 })).toBeNull();
    expect(copyMs(settings, {}, null)).toBeNull();
  });
});

describe('LiveRun', () => {
  it('goes through its parts and tells the next run of that kind how long it will be', () => {
    const run = new LiveRun();
    run.clear('preparing');
    run.take(begun('trained'), 0);
    run.take(progress('compiling', 1, 3), 100);
    expect([run.part, run.wait]).toEqual(['prepare', null]);
    run.take(progress('warm-start', 0, 20), 4000);
    run.take(progress('warm-start', 5, 20), 9000);
    expect([run.part, run.wait]).toEqual(['copy', { ms: 15_000, atLeast: true }]);
    run.tick(12_000);
    expect(run.wait).toEqual({ ms: 12_000, atLeast: true });
    run.take(progress('warm-start', 20, 20), 24_000);
    run.take({ type: 'state', state: 'running' }, 25_000);
    expect([run.part, run.progress]).toEqual(['try', null]);
    run.take(point, 28_000);
    expect(run.wait).toBeNull();

    run.clear('preparing');
    run.take(begun('trained'), 100_000);
    expect(run.wait).toEqual({ ms: 28_000, atLeast: false });
  });

  it('has its first point before that is validated, and counts it once', () => {
    const run = new LiveRun();
    run.take(begun('recorded'), 0);
    run.take({ type: 'state', state: 'running' }, 3000);
    run.take({ type: 'first-point', metrics: { ...metricsRow(1), validationSuccess: null }, rollouts: [] }, 5000);
    expect([run.iteration, run.wait, run.metrics[0].validationSuccess]).toEqual([1, null, null]);
    run.take(
      { type: 'iteration', metrics: { ...metricsRow(1), validationSuccess: 0.5 }, rollouts: [], fingerprint: [] },
      9000,
    );
    expect(run.metrics.map((each) => each.validationSuccess)).toEqual([0.5]);
    expect(run.waits.of(config)).toMatchObject({ prepare: 3000, try: 2000 });
  });

  it('has no examples to copy where the start is recorded', () => {
    const run = new LiveRun();
    run.waits.remember(config, { prepare: 4000, copy: 90_000, try: 3000 });
    run.take(begun('recorded'), 0);
    expect(run.wait).toEqual({ ms: 7000, atLeast: false });
  });

  it('goes on copying after a pause in the middle of it', () => {
    const run = new LiveRun();
    run.take(begun('trained'), 0);
    run.take(progress('warm-start', 5, 20), 1000);
    for (const state of ['pausing', 'paused', 'running'] as const) run.take({ type: 'state', state }, 2000);
    expect(run.part).toBe('copy');
    run.take(progress('warm-start', 20, 20), 3000);
    run.take({ type: 'state', state: 'running' }, 4000);
    expect(run.part).toBe('try');
  });
});
