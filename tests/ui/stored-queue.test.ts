/** A queue that another version, another page of the origin or a fault has left in this browser's storage. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { configProblems } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import { Failures, Notices } from '../../src/ui/base/notices.svelte';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { queueKey } from '../../src/ui/base/stored';
import { Pace } from '../../src/ui/state/run/pace.svelte';
import { maxQueued, readQueue } from '../../src/ui/state/queue/queue-store';
import { RunQueue } from '../../src/ui/state/queue/run-queue.svelte';
import { knownTimes, totalMs } from '../../src/ui/state/run/pace.svelte';
import { soon } from '../helpers/soon';

const {
  config: { environment, ...config },
} = presetByName('calculator-mini');
const item = (more: object = {}) => ({ id: 'a', name: 'one', environment: 0, config, ...more });
const queueOf = (...items: unknown[]) => ({ environments: [environment], items });
const without = (name: keyof typeof config) => ({ ...config, [name]: undefined });

let stored: Map<string, string>;
const store = (value: unknown) => stored.set(queueKey, typeof value === 'string' ? value : JSON.stringify(value));

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

function open() {
  const notices = new Notices();
  const run = new LiveRun();
  const queue = new RunQueue({
    run,
    notices,
    failures: new Failures(),
    canTrain: () => true,
    api: () => ({
      runs: async () => [],
      labelRun: async () => undefined,
      save: async () => undefined,
      configProblems: async (configs) => configs.map((each) => configProblems(each)[0] ?? null),
    }),
    commands: {
      waitsFor: null,
      isHeld: false,
      trainQueued: () => undefined,
      train: { why: null, run: () => undefined },
      pause: { why: null, run: () => undefined },
    },
  });
  return { queue, notices };
}

test.each<[string, unknown]>([
  ['no JSON', '{"items"'],
  ['null', 'null'],
  ['a number', 7],
  ['a list', []],
  ['no environments', { items: [item()] }],
  ['items that are none', { environments: [], items: 'abc' }],
  ['10,000 lists', '['.repeat(10_000) + ']'.repeat(10_000)],
])('%s is no queue', (_, value) => {
  store(value);
  expect(readQueue()).toBeNull();
  expect(open().queue.items).toEqual([]);
});

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'abc'],
  ['a list', [1]],
  ['an id that is none', item({ id: 1 })],
  ['an empty id', item({ id: '' })],
  ['a name that is none', item({ name: {} })],
  ['no config', item({ config: undefined })],
  ['a config that is none', item({ config: 'abc' })],
  ['an environment that is not there', item({ environment: 5 })],
  ['an environment by another name', item({ environment: '__proto__' })],
  ['no algorithm', item({ config: without('algorithm') })],
  ['no critic', item({ config: without('critic') })],
  ['no rollout', item({ config: without('rollout') })],
  ['an algorithm that is a list', item({ config: { ...config, algorithm: [] } })],
  ['a nested setting', item({ config: { ...config, model: { layers: { a: { b: { c: 1 } } } } } })],
  ['a list of settings', item({ config: { ...config, model: { ...config.model, layers: [1] } } })],
  ['no number of iterations', item({ config: without('iterations') })],
])('an item with %s is left out, and it is said', (_, broken) => {
  store(queueOf(broken, item({ id: 'whole' })));
  expect(readQueue()!.map(({ id }) => id)).toEqual(['whole']);
  const { queue, notices } = open();
  expect(queue.items).toHaveLength(1);
  expect(notices.list.map(({ sentence }) => sentence)).toEqual([
    '1 run of the queue was left out: what this browser has stored of it is not of this version.',
  ]);
  expect(
    totalMs(
      queue.items.map((each) => each.config),
      knownTimes(queue.items, [], { device: null, pace: new Pace() }, { catalog: null }),
    ),
  ).toBeNull();
});

test.each<[string, object, RegExp]>([
  ['a setting of another version', { ...config, algorithm: { ...config.algorithm, name: 'dpo' } }, /algorithm\.name/],
  ['a setting too many', { ...config, colour: 'red' }, /colour/],
  ['too large a model', { ...config, model: { ...config.model, layers: 99 } }, /model\.layers/],
  ['settings that do not fit together', { ...config, model: { ...config.model, heads: 3 } }, /heads/],
])('an item with %s is left out once the trainer has looked, and it is said why', async (_, wrong, why) => {
  store(queueOf(item({ id: 'wrong', config: wrong }), item({ id: 'whole' })));
  const { queue, notices } = open();
  queue.follow();
  await soon(() => expect(queue.items.map(({ id }) => id)).toEqual(['whole']));
  expect(notices.list[0].sentence).toMatch(/^1 run of the queue was left out: .* not of this version \(/);
  expect(notices.list[0].sentence).toMatch(why);
  expect(readQueue()!.map(({ id }) => id)).toEqual(['whole']);
});

test('two items of one id are one, and no more wait than may', () => {
  store(queueOf(item(), item({ name: 'two' }), ...Array.from({ length: 20_000 }, (_, i) => item({ id: `${i}` }))));
  const items = readQueue()!;
  expect(items).toHaveLength(maxQueued);
  expect(new Set(items.map(({ id }) => id)).size).toBe(maxQueued);
  expect(items[0].name).toBe('one');
  store(queueOf(...Array.from({ length: 500 }, (_, i) => item({ id: `${i}`, end: 'done' })), item({ id: 'last' })));
  expect(
    readQueue()!
      .slice(-2)
      .map(({ id }) => id),
  ).toEqual(['499', 'last']);
  expect(readQueue()).toHaveLength(101);
});

test('what else an item says is left out if it is of another kind, and names are plain lines', () => {
  store(queueOf(item({ name: 'a\u202e\nb\u0001', runId: 4, end: 'maybe', reason: [], ms: 'long', extra: 1 })));
  expect(readQueue()).toEqual([{ id: 'a', name: 'a? b?', config: { ...config, environment } }]);
});
