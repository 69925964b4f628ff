/** The one time that is told while a visitor waits. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../src/run/events';
import type { RunConfig } from '../../src/config/config';
import { copyMs, FirstPointClock, kindOfRun, WaitMemory, waitParts } from '../../src/ui/state/run/first-point';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { metricsRow } from './metrics-row';

const config = {
  environment: { name: 'calculator', options: { max: 9 } },
  seed: 1,
  iterations: 10,
  algorithm: { name: 'grpo' },
  evaluation: { tasks: 8, every: 4 },
} as unknown as RunConfig;

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

describe('FirstPointClock', () => {
  it('knows nothing before anything was measured', () => {
    const clock = new FirstPointClock();
    clock.begin(waitParts, {}, 0);
    expect(clock.left(500)).toBeNull();
  });

  it('calls the pace of one phase a lower bound while the others were never measured', () => {
    const clock = new FirstPointClock();
    clock.begin(waitParts, {}, 0);
    clock.enter('copy', 3000);
    clock.pace(40_000, 5000);
    expect(clock.left(6000)).toEqual({ ms: 39_000, atLeast: true });
  });

  it('adds what the later phases took before, and counts down between two reports', () => {
    const clock = new FirstPointClock();
    clock.begin(waitParts, { prepare: 5000, copy: 20_000, try: 4000 }, 0);
    expect(clock.left(1000)).toEqual({ ms: 28_000, atLeast: false });
    clock.enter('copy', 8000);
    expect(clock.left(9000)).toEqual({ ms: 23_000, atLeast: false });
    clock.pace(50_000, 10_000);
    expect(clock.left(11_000)).toEqual({ ms: 53_000, atLeast: false });
    clock.enter('try', 61_000);
    expect(clock.left(70_000)).toEqual({ ms: 0, atLeast: false });
    expect(clock.end(71_000)).toEqual({ prepare: 8000, copy: 53_000, try: 10_000 });
    expect(clock.left(71_000)).toBeNull();
  });

  it('learns nothing from a wait that was broken off', () => {
    const clock = new FirstPointClock();
    clock.begin(waitParts, {}, 0);
    clock.stop();
    clock.enter('try', 60_000);
    expect(clock.end(61_000)).toBeNull();
  });
});

describe('WaitMemory', () => {
  it('outlives the page, and takes no nonsense from storage', () => {
    new WaitMemory().remember('a', { prepare: 5 });
    expect(new WaitMemory().of('a')).toEqual({ prepare: 5 });
    localStorage.setItem('agentlet.waits', '[["a",{"prepare":"x"}],["b",{"try":7}],3]');
    const memory = new WaitMemory();
    expect([memory.of('a'), memory.of('b')]).toEqual([{}, { try: 7 }]);
    localStorage.setItem('agentlet.waits', '{');
    expect(new WaitMemory().of('a')).toEqual({});
  });

  it('keeps the latest kinds only', () => {
    const memory = new WaitMemory();
    for (let i = 0; i < 50; i++) memory.remember(`${i}`, { try: i });
    expect([memory.of('0'), memory.of('49')]).toEqual([{}, { try: 49 }]);
    expect(localStorage.getItem('agentlet.waits')!.length).toBeLessThan(1000);
  });

  it('tells runs apart by what takes time, not by their seed', () => {
    expect(kindOfRun({ ...config, seed: 9, iterations: 99 })).toBe(kindOfRun(config));
    expect(kindOfRun({ ...config, evaluation: { tasks: 64, every: 4 } })).not.toBe(kindOfRun(config));
  });
});

describe('copyMs', () => {
  const settings = {
    ...config,
    model: { layers: 1 },
    algorithm: { name: 'grpo', epochs: 2 },
    rollout: { tasks: 4, group: 4 },
    warmStart: { demonstrations: 100, steps: 50, batch: 8, learningRate: 0.01, recorded: true },
  } as unknown as RunConfig;

  it('is what it took before, whether the start was to be recorded or not', () => {
    const memory = new WaitMemory();
    memory.remember(kindOfRun({ ...settings, warmStart: { ...settings.warmStart, recorded: false } }), { copy: 9000 });
    expect(copyMs(settings, memory.of(kindOfRun(settings)), null)).toBe(9000);
  });

  it('goes by the pace of an iteration with the same model, and is unknown without', () => {
    expect(copyMs(settings, {}, { config: settings, trainMs: 320 })).toBe(10 * 50 * 8);
    const wider = { ...settings, model: { layers: 2 } } as unknown as RunConfig;
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
    expect(run.waits.of(kindOfRun(config))).toMatchObject({ prepare: 3000, try: 2000 });
  });

  it('has no examples to copy where the start is recorded', () => {
    const run = new LiveRun();
    run.waits.remember(kindOfRun(config), { prepare: 4000, copy: 90_000, try: 3000 });
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
