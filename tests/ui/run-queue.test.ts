/** The queue of runs, with a Lab whose trainer is played by hand. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { configProblems, type RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import { Failures, Notices } from '../../src/ui/base/notices.svelte';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { text as lab } from '../../src/ui/state/run/text';
import { queueKey } from '../../src/ui/base/stored';
import { readQueue, writeQueue } from '../../src/ui/state/queue/queue-store';
import { RunQueue } from '../../src/ui/state/queue/run-queue.svelte';
import type { KeptRun } from '../../src/run/store/saved-run';
import type { RunState } from '../../src/run/events';

const { config } = presetByName('calculator-mini');
const planned = (...seeds: number[]) =>
  seeds.map((seed) => ({ name: `calculator, seed ${seed}`, config: { ...config, seed } }));

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('location', { hash: '#/runs' });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** What the trainer has kept, by id. */
type Kept = Map<string, Partial<KeptRun>>;

class PlayedLab {
  readonly run = new LiveRun();
  readonly notices = new Notices();
  readonly failures = new Failures();
  /** Orders that were given: seeds, `resume ID`, `train`, `pause`. */
  readonly orders: string[] = [];
  canTrain = true;
  readonly queue: RunQueue;

  constructor(readonly kept: Kept = new Map()) {
    const { run, notices, failures } = this;
    this.queue = new RunQueue({
      run,
      notices,
      failures,
      canTrain: () => this.canTrain,
      api: () => ({
        runs: async () => [...kept].map(([id, each]) => ({ id, name: '', ...each }) as KeptRun),
        labelRun: async (id, label) => void kept.set(id, { ...kept.get(id), ...label }),
        save: async () => undefined,
        configProblems: async (configs) => configs.map((each) => configProblems(each)[0] ?? null),
      }),
      commands: {
        waitsFor: null,
        isHeld: false,
        trainQueued: (each, saved, quiet) => this.#begin(saved ? `resume ${saved.id}` : `${each.seed}`, quiet),
        train: { why: null, run: () => this.#take('train', 'running') },
        pause: { why: null, run: () => this.#take('pause', 'paused') },
      },
    });
  }

  #begin(order: string, quiet: boolean): void {
    this.orders.push(quiet ? `${order} quietly` : order);
    this.failures.clear();
    this.run.clear('preparing');
  }

  #take(order: string, state: RunState): void {
    this.orders.push(order);
    this.run.expect(state);
    this.queue.follow();
  }

  /** Queues these seeds and presses Start; the run of the first begins as `a`. */
  async start(...seeds: number[]): Promise<void> {
    this.queue.add(planned(...seeds));
    this.queue.start();
    await this.settle();
    await this.begin('a', { ...config, seed: seeds[0] });
  }

  /** The trainer begins the run that was ordered, or one of the Lab. */
  async begin(id: string, of: RunConfig): Promise<void> {
    if (this.run.begun) this.run.clear('preparing');
    this.run.take({ type: 'begun', id, config: of, warmStart: 'none', configChanges: [] }, 0);
    await this.become('running');
  }

  async become(state: RunState): Promise<void> {
    const { begun } = this.run;
    if (begun && state === 'finished') this.kept.set(begun.id, { ...this.kept.get(begun.id), finished: true });
    if (state === 'idle') this.run.clear(null);
    this.run.take({ type: 'state', state }, 0);
    await this.settle();
  }

  async fail(sentence: string, button = 'Start over'): Promise<void> {
    this.failures.show(sentence, { label: button, act: () => undefined });
    await this.become('failed');
  }

  async settle(): Promise<void> {
    this.queue.follow();
    await new Promise((resolve) => setTimeout(resolve));
  }

  get ends(): unknown[] {
    return this.queue.items.map(({ end }) => end ?? 'waits');
  }

  get notice(): string | undefined {
    return this.notices.list.find(({ kind }) => kind === 'queue')?.sentence;
  }
}

test('runs are trained one after another, named, and then compared', async () => {
  const before = Math.floor(performance.now());
  const played = new PlayedLab();
  const { queue } = played;
  queue.add(planned(2, 3));
  await played.settle();
  expect(played.orders, 'a press starts it').toEqual([]);
  queue.start();
  await played.settle();
  expect(played.orders).toEqual(['2']);
  await played.begin('a', { ...config, seed: 2 });
  expect([queue.current?.name, queue.waiting.length, queue.line]).toEqual([
    'calculator, seed 2',
    1,
    'Queue, run 1 of 2: calculator, seed 2',
  ]);
  await played.become('finished');
  expect(queue.said).toBe('calculator, seed 2 is done. 1 run left.');
  expect(played.orders, 'it is kept, so no Undo is offered').toEqual(['2', '3 quietly']);
  await played.begin('b', { ...config, seed: 3 });
  await played.become('finished');
  expect([...played.kept.values()].map(({ name }) => name)).toEqual(['calculator, seed 2', 'calculator, seed 3']);
  expect([queue.going, played.ends, played.notice]).toEqual([
    false,
    ['done', 'done'],
    'The queue is done: 2 runs finished.',
  ]);
  const longest = Math.ceil(performance.now()) - before;
  expect(queue.items.every(({ ms }) => Number.isInteger(ms) && ms! >= 0 && ms! <= longest)).toBe(true);
  queue.compare();
  expect([queue.wanted, played.notices.list.length]).toEqual([['a', 'b'], 0]);
  queue.clearEnded();
  expect([queue.items, stored.has(queueKey)]).toEqual([[], false]);
});

test('a name that the visitor gave stays', async () => {
  const played = new PlayedLab(new Map([['a', { name: 'Mine' }]]));
  await played.start(2);
  await played.become('finished');
  expect(played.kept.get('a')).toEqual({ name: 'Mine', finished: true });
});

test('a failed run says why, the next begins, and it can be tried again', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  await played.start(2, 3);
  await played.fail('There is too little memory.');
  expect(queue.items[0]).toMatchObject({ end: 'failed', reason: 'There is too little memory.' });
  expect(queue.said).toBe('calculator, seed 2 failed: There is too little memory.');
  expect(played.orders.at(-1)).toBe('3 quietly');
  await played.begin('b', { ...config, seed: 3 });
  queue.retry(queue.items[0]);
  await played.become('finished');
  expect(played.orders.at(-1), 'what was not saved begins anew').toBe('2 quietly');
});

test('a queue that is done counts what finished and what failed, and compares only what finished', async () => {
  const ended = async (...ends: boolean[]) => {
    stored.clear();
    const played = new PlayedLab();
    await played.start(...ends.map((_, i) => i + 2));
    for (const [i, isGood] of ends.entries()) {
      if (i > 0) await played.begin(`run ${i}`, { ...config, seed: i + 2 });
      await (isGood ? played.become('finished') : played.fail('There is too little memory.'));
    }
    const { notice, notices, queue } = played;
    notices.list.find(({ kind }) => kind === 'queue')!.action!.act();
    return [notice, queue.wanted];
  };
  expect(await ended(true, false)).toEqual(['The queue is done: 1 run finished, 1 failed.', ['a']]);
  expect(await ended(false)).toEqual(['The queue is done: 0 runs finished, 1 failed.', null]);
});

test('the list says why the last run failed, the page only where there is no trainer', async () => {
  const failed = async (canTrain: boolean) => {
    const played = new PlayedLab();
    await played.start(2);
    played.canTrain = canTrain;
    await played.fail('There is too little memory.');
    return [played.queue.items[0].end, played.failures.current?.sentence];
  };
  expect(await failed(true)).toEqual(['failed', undefined]);
  expect(await failed(false)).toEqual(['failed', 'There is too little memory.']);
});

test('a run that is done is none of the queue when it is opened again', async () => {
  const played = new PlayedLab();
  await played.start(2);
  await played.become('finished');
  await played.begin('a', { ...config, seed: 2 });
  expect([played.queue.current, played.ends]).toEqual([null, ['done']]);
});

test('where no run can begin the queue pauses, and nothing is marked as failed', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  queue.add(planned(2, 3));
  queue.start();
  await played.settle();
  await played.fail('Another tab of this browser is training.', lab.remedy['try-again']);
  expect([queue.going, played.ends, played.orders]).toEqual([false, ['waits', 'waits'], ['2']]);
  expect(queue.reason).toContain('Another tab of this browser is training.');
  queue.start();
  await played.settle();
  expect([queue.reason, played.orders.length]).toEqual(['', 2]);
});

test('a run that is reset waits again where it was saved, and the queue says so', async () => {
  const played = new PlayedLab(new Map([['a', { resumable: true }]]));
  const { queue } = played;
  await played.start(2, 3);
  await played.become('idle');
  expect([queue.going, queue.current, played.ends]).toEqual([false, null, ['waits', 'waits']]);
  expect(played.notice).toContain('its run was reset: calculator, seed 2');
  expect(played.kept.get('a')?.name, 'what is kept of it has its name').toBe('calculator, seed 2');
  queue.start();
  await played.settle();
  expect(played.orders).toEqual(['2', 'resume a']);
  expect(played.notice).toBeUndefined();
});

test('another run in the place of its own pauses the queue; its own run may be brought back by hand', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  await played.start(2, 3);
  await played.become('paused');
  await played.begin('other', { ...config, seed: 9 });
  expect([queue.going, queue.current]).toEqual([false, null]);
  expect(played.notice).toContain('another run took the place');
  await played.become('finished');
  await played.begin('a', { ...config, seed: 2 });
  expect(queue.current?.name).toBe('calculator, seed 2');
  await played.become('finished');
  expect([played.ends, played.orders]).toEqual([['done', 'waits'], ['2']]);
});

test('pausing the queue pauses its run, and so does Pause in the Lab', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  await played.start(2);
  queue.pause();
  expect([queue.stands, played.orders.at(-1)]).toEqual([true, 'pause']);
  queue.start();
  expect([queue.stands, played.orders.at(-1)]).toEqual([false, 'train']);
  await played.become('paused');
  expect(queue.stands, 'in the Lab').toBe(true);
  queue.start();
  expect(played.run.state).toBe('running');
  await played.become('finished');
  expect(queue.items[0].ms, 'a pause is no training').toBeUndefined();
});

test('the queue waits for a run of the Lab, which gives way to a press when it is paused or has failed', async () => {
  for (const state of ['paused', 'failed'] as const) {
    const played = new PlayedLab();
    const { queue } = played;
    await played.begin('own', { ...config, seed: 9 });
    queue.add(planned(2));
    queue.start();
    await played.settle();
    expect(played.orders).toEqual([]);
    await played.become(state);
    expect([played.orders, queue.holds, queue.stands]).toEqual([[], state, true]);
    queue.start();
    await played.settle();
    expect(played.orders, 'not quietly: Undo brings it back').toEqual(['2']);
    stored.clear();
  }
  const played = new PlayedLab();
  played.canTrain = false;
  played.queue.add(planned(2));
  played.queue.start();
  await played.settle();
  expect(played.orders, 'there is no trainer').toEqual([]);
  played.canTrain = true;
  await played.settle();
  expect(played.orders).toEqual(['2']);
});

test('a run of the Lab with the config of one that waits is that one', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  queue.add(planned(2, 3));
  await played.begin('own', { ...config, seed: 3 });
  expect(queue.current?.name).toBe('calculator, seed 3');
  await played.become('finished');
  expect([played.ends, queue.going]).toEqual([['waits', 'done'], false]);
});

test('after a reload everything is there, a press starts it, and what was saved goes on', async () => {
  const before = new PlayedLab();
  await before.start(2, 3, 4);
  await before.become('finished');
  await before.begin('b', { ...config, seed: 3 });

  vi.stubGlobal('location', { hash: '#/lab' });
  const played = new PlayedLab(new Map([['b', { resumable: true }]]));
  const { queue } = played;
  await played.settle();
  expect([queue.going, played.ends, played.orders]).toEqual([false, ['done', 'waits', 'waits'], []]);
  expect(played.notice).toBe('2 runs wait in the queue since your last visit.');
  queue.start();
  await played.settle();
  expect(played.orders).toEqual(['resume b']);

  const late = new PlayedLab(new Map([['b', { finished: true, resumable: true }]]));
  late.queue.start();
  await late.settle();
  await late.settle();
  expect([late.ends, late.orders], 'it had finished').toEqual([['done', 'done', 'waits'], ['4']]);
});

test('a queue that is emptied while it goes rests without a word', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  queue.add(planned(2));
  queue.start();
  for (const item of queue.items) queue.remove(item);
  await played.settle();
  await played.settle();
  expect([queue.going, queue.items, played.notices.list.filter(({ kind }) => kind === 'queue')]).toEqual([
    false,
    [],
    [],
  ]);
});

test('items are moved, removed, and shared with other tabs', async () => {
  const played = new PlayedLab();
  const { queue } = played;
  queue.add(planned(2, 3, 4));
  queue.moveFirst(queue.items[2]);
  queue.remove(queue.items[1]);
  expect(queue.items.map(({ config: { seed } }) => seed)).toEqual([4, 3]);
  const other = new PlayedLab();
  other.queue.add(planned(5));
  queue.moveFirst(queue.items[1]);
  expect(queue.items.map(({ config: { seed } }) => seed)).toEqual([3, 4, 5]);
});

test('the stored queue has each environment once, and a damaged one is none', () => {
  const own = { ...config, environment: { ...config.environment, rows: '{"a":1}'.repeat(1000) } };
  const items = [2, 3].map((seed) => ({ id: `${seed}`, name: 'a', config: { ...own, seed } }));
  expect(writeQueue(items)).toBe(true);
  expect(readQueue()).toEqual(items);
  expect(stored.get(queueKey)!.length).toBeLessThan(15_000);
  stored.set(queueKey, '{"items":[{"id":1}],"environments":[]}');
  expect(readQueue()).toEqual([]);
  stored.set(queueKey, '{"items"');
  expect(readQueue()).toBeNull();
});

test('where the browser keeps nothing the queue lasts as long as the page', async () => {
  const played = new PlayedLab();
  played.queue.add(planned(2));
  vi.stubGlobal('localStorage', {
    ...localStorage,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  played.queue.add(planned(3));
  expect([played.queue.items.length, played.queue.isStored, stored.size]).toEqual([2, false, 0]);
  played.queue.remove(played.queue.items[0]);
  expect(played.queue.items.length).toBe(1);
});

test('what another tab has written of the queue is read, and what it has written of else is not', () => {
  const { queue } = new PlayedLab();
  queue.add(planned(2));
  stored.clear();
  queue.reread('agentlet.theme');
  expect(queue.items).toHaveLength(1);
  queue.reread(queueKey);
  expect(queue.items).toEqual([]);
});
