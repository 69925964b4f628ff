/** Orders for the queue: what runs they make, what these are called, how long they take, and what is refused. */
import { expect, test } from 'vitest';
import type { WorldCard } from '../../src/cli/build/world-cards';
import { configProblems, type RunConfig } from '../../src/config/config';
import { configFields } from '../../src/config/fields';
import { presetByName } from '../../src/config/presets';
import type { Field } from '../../src/config/fields';
import { firstProblem, plannedRuns, readValues, type Value } from '../../src/config/sweep';
import { maxQueued, tooMany, type QueueItem } from '../../src/ui/state/queue/queue-store';
import { knownTimes, totalMs } from '../../src/ui/state/run/pace.svelte';
import {
  baseOfRun,
  baseOfSetup,
  settingsToVary,
  Variation,
  worldSettings,
} from '../../src/ui/state/queue/variation.svelte';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import type { KeptRun } from '../../src/run/store/saved-run';
import { catalogOf } from '../helpers/catalog';

const catalog = catalogOf('calculator');
const { config } = presetByName('calculator');
const field = (path: string): Field => configFields().find((each) => each.path === path)!;
const setup = new Setup();
setup.adopt(catalog);
const base = baseOfSetup(setup)!;

const planned = (path: string | null, values: readonly Value[], seeds: number, known: readonly RunConfig[] = []) =>
  plannedRuns({ base, field: path === null ? null : field(path), values, seeds }, catalog, known);
const names = (...args: Parameters<typeof planned>) => planned(...args).map(({ name }) => name);

/** What the form of the Lab makes of the same wish. */
function byHand(path: string, value: Value, seed = 1): RunConfig {
  const form = new Setup();
  form.adopt(catalog);
  form.set(path.split('.'), value);
  form.set(['seed'], seed);
  return form.config!;
}

test('more seeds are the next that no run of this setup has', () => {
  expect(planned(null, [], 2)).toEqual([
    { name: 'calculator, seed 2', config: byHand('seed', 2, 2) },
    { name: 'calculator, seed 3', config: byHand('seed', 3, 3) },
  ]);
  const known = [byHand('seed', 2, 2), byHand('iterations', 3, 3), byHand('seed', 4, 4)];
  expect(names(null, [], 2, known)).toEqual(['calculator, seed 3', 'calculator, seed 5']);
  const last = { ...base, config: { ...base.config, seed: 2 ** 32 - 1 } };
  const [next] = plannedRuns({ base: last, field: null, values: [], seeds: 1 }, catalog, []);
  expect(next.config.seed).toBe(0);
});

test('a sweep takes each number, and each seed has all of them before the next', () => {
  const path = 'optimizer.learningRate';
  expect(planned(path, [1e-3, 3e-4], 1)).toEqual([
    { name: 'calculator, learning rate 0.001', config: byHand(path, 1e-3) },
    { name: 'calculator, learning rate 3e-4', config: byHand(path, 3e-4) },
  ]);
  expect(names('algorithm.klCoefficient', [0, 0.1], 2)).toEqual([
    'calculator, KL coefficient 0, seed 1',
    'calculator, KL coefficient 0.1, seed 1',
    'calculator, KL coefficient 0, seed 2',
    'calculator, KL coefficient 0.1, seed 2',
  ]);
});

test('a switch or a choice is set as the form sets it: an algorithm brings its settings', () => {
  expect(planned('algorithm.advantageMask', [true, false], 1)).toEqual([
    { name: 'calculator, advantage mask on', config: byHand('algorithm.advantageMask', true) },
    { name: 'calculator, advantage mask off', config: byHand('algorithm.advantageMask', false) },
  ]);
  const [, ppo] = planned('algorithm.name', ['grpo', 'ppo'], 1);
  expect(ppo.config).toEqual(byHand('algorithm.name', 'ppo'));
  expect(ppo.config.critic.network).toBe('separate');
});

test('every number, choice and switch can be varied but seed and device', () => {
  const paths = (kind: 'number' | 'choice') =>
    settingsToVary(configFields(), kind).flatMap(({ fields }) => fields.map(({ path }) => path));
  const all = [...paths('number'), ...paths('choice'), 'seed', 'device'];
  expect(all.sort()).toEqual(
    configFields()
      .map(({ path }) => path)
      .sort(),
  );
  expect(paths('number')[0]).toBe('optimizer.learningRate');
  expect(paths('choice')[0]).toBe('algorithm.name');
});

test('the options and the reward weights of the world can be varied, too', () => {
  const option = { name: 'size', title: 'Size', description: 'How large.', values: [1, 2, 4], default: 2 };
  const rewards = { speed: { description: 'For this.', weight: 0.5 } };
  const world = worldSettings({ ...base.preset.environment, options: [option], rewards });
  const variation = new Variation(config, configFields(), world);
  variation.choose('choice');
  variation.vary('environment.options.size');
  expect(variation.values, 'of a config that does not name it').toEqual([1, 2]);
  const order = { base, field: variation.field, values: [1, 4], seeds: 1 };
  expect(plannedRuns(order, catalog, []).map(({ name, config }) => [name, config.environment.options.size])).toEqual([
    ['calculator, size 1', 1],
    ['calculator, size 4', 4],
  ]);
  variation.choose('number');
  variation.vary('rewards.speed');
  expect([variation.written, variation.values]).toEqual(['0.5', [0.5]]);
  variation.written = '0, 11';
  expect(variation.values).toContain('Reward weight: speed must be a number from');
  const [run] = plannedRuns({ ...order, field: variation.field, values: [-1] }, catalog, []);
  expect([run.name, run.config.rewards]).toEqual([
    'calculator, reward weight: speed -1',
    { ...config.rewards, speed: -1 },
  ]);
});

test('numbers stand between commas, each once, or a sentence says what is wrong', () => {
  expect(readValues('1e-3, 3e-4,0.001', field('optimizer.learningRate'))).toEqual([1e-3, 3e-4]);
  expect(readValues('1e-3, 3', field('optimizer.learningRate'))).toContain('Learning rate must be a number from');
  expect(readValues('8, 8.5', field('rollout.group'))).toContain('Group size must be a whole number from 1 to 64');
  expect(readValues('', field('rollout.group'))).toContain('must be');
});

test('the form begins with the value of the base, and of a choice with another one', () => {
  const variation = new Variation(config, configFields());
  expect([variation.kind, variation.values]).toEqual(['seeds', []]);
  variation.choose('number');
  expect([variation.field?.path, variation.written, variation.values]).toEqual([
    'optimizer.learningRate',
    '4e-4',
    [4e-4],
  ]);
  variation.choose('choice');
  expect(variation.values).toHaveLength(2);
  expect(variation.values).toContain('grpo');
  variation.vary('algorithm.lossMask');
  expect(variation.values).toEqual([true, false]);
  variation.tick(true, false);
  variation.tick(false, false);
  expect(variation.values).toBe('Tick at least one way.');
});

test('a name says what differs, and a long beginning gives way to it', () => {
  const run = { config, title: 'Calculator', name: 'High rate, seed 4' } as KeptRun;
  expect(baseOfRun(run, catalog)).toEqual({ name: 'High rate', preset: catalog.presets[0], config });
  expect(baseOfRun({ ...run, name: '' }, catalog)?.name).toBe('calculator');
  const own = { ...config, environment: { ...config.environment, name: 'own', source: 'export default 1' } };
  expect(baseOfRun({ ...run, name: '', config: own, title: 'My world' }, catalog)?.name).toBe('My world');
  const [long] = plannedRuns(
    { base: { ...base, name: 'x'.repeat(60) }, field: null, values: [], seeds: 1 },
    catalog,
    [],
  );
  expect(long.name).toHaveLength(60);
  expect(long.name).toMatch(/^x+, seed 2$/);
});

test('at most so many runs wait, and none that cannot be trained', async () => {
  expect(tooMany(maxQueued, 0)).toBeNull();
  expect(tooMany(maxQueued + 1, 0)).toContain('at most 24');
  expect(tooMany(2, maxQueued - 1)).toContain('beside the 23 that wait');
  let asked = 0;
  const plan = async (each: RunConfig) => {
    asked++;
    return { problems: configProblems(each) };
  };
  expect(await firstProblem(planned(null, [], 5), plan)).toBeNull();
  expect(asked, 'seeds make no difference').toBe(1);
  expect(await firstProblem(planned('model.heads', [4, 7], 2), plan)).toEqual({
    name: 'calculator, heads 7, seed 1',
    problem: expect.stringMatching(/^model\.width: 64 does not divide by 7 heads/),
  });
});

test('the time is that of a run that has ended, else that of the recorded run here, by iterations', () => {
  const trainer = {
    device: { runsOn: { auto: 'cpu', gpu: 'gpu', cpu: 'cpu' } },
    pace: { msHere: (ms: number, kind: string) => (kind === 'cpu' ? ms / 2 : null) },
  } as never;
  const cards = [{ preset: 'calculator', recordedMs: 40_000 }] as WorldCard[];
  const known = knownTimes([], cards, trainer, setup);
  expect(totalMs([byHand('seed', 2, 2), byHand('iterations', 20, 3)], known)).toBe(30_000);
  expect(totalMs([byHand('optimizer.learningRate', 1e-3)], known)).toBe(20_000);
  expect(totalMs([byHand('algorithm.name', 'rloo')], known)).toBe(20_000);
  expect(totalMs([byHand('algorithm.name', 'ppo')], known), 'a second network').toBeNull();
  expect(totalMs([byHand('seed', 2, 2), byHand('model.width', 128)], known)).toBeNull();
  expect(totalMs([byHand('device', 'gpu')], known)).toBeNull();
  const before = knownTimes([], cards, { ...(trainer as object), device: null } as never, setup);
  expect(totalMs([byHand('seed', 2, 2)], before), 'before the device is known').toBeNull();
  const ended: QueueItem[] = [{ id: 'a', name: 'a', config: byHand('model.width', 128), end: 'done', ms: 9000 }];
  expect(totalMs([byHand('model.width', 128, 7)], knownTimes(ended, cards, trainer, setup))).toBe(9000);
});
