/** The setup being edited: which preset it is compared with, its titles and plans, and its quick changes. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { presetByName } from '../../src/config/presets';
import type { RunPlan } from '../../src/rl/memory';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';

let setup: Setup;
beforeEach(() => {
  setup = new Setup();
  setup.adopt(catalogOf('calculator', 'bandit'));
});

const { config: bandit } = presetByName('bandit');

describe('a config', () => {
  test('is at first that of the first preset', () => {
    expect([setup.preset?.name, setup.edited, setup.problem]).toEqual(['calculator', false, null]);
    expect(setup.config).toBe(setup.preset?.config);
  });

  test('of a link is compared with the preset that it names, else with the first', () => {
    setup.loadLinked('bandit', { ...bandit, seed: 9 });
    expect([setup.preset?.name, setup.isEdited(['seed']), setup.isEdited(['device'])]).toEqual(['bandit', true, false]);
    setup.loadLinked('gone', bandit);
    expect([setup.preset?.name, setup.config]).toEqual(['calculator', bandit]);
  });

  test('of a saved run is compared with the preset of its world', () => {
    setup.loadLike({ ...bandit, seed: 9 });
    expect([setup.preset?.name, setup.config?.seed]).toEqual(['bandit', 9]);
  });

  test('can be put back, one value or all', () => {
    setup.set(['seed'], 9);
    setup.set(['rollout', 'tasks'], 3);
    expect(setup.edited).toBe(true);
    setup.restore(['seed']);
    expect([setup.config?.seed, setup.config?.rollout.tasks]).toEqual([setup.preset!.config.seed, 3]);
    const { loads } = setup;
    setup.restoreAll();
    expect([setup.edited, setup.loads]).toEqual([false, loads + 1]);
  });

  test('is named by its preset, its environment or its own code', () => {
    expect(setup.titleOf(bandit)).toBe(presetByName('bandit').title);
    expect(setup.titleOf({ ...bandit, environment: { name: 'gone', options: {} } })).toBeNull();
    expect(setup.algorithmTitle(bandit)).toBe('GRPO');
    setup.sources = { builtIn: { bandit: 'its code' }, templates: [] };
    expect(setup.sourceOf(bandit)).toBe('its code');
    expect(setup.sourceOf({ ...bandit, environment: { name: 'own', options: {}, source: 'mine' } })).toBe('mine');
  });
});

test('an environment that is not built in is named by where it is from, and by its title once that is known', () => {
  const own = { ...bandit, environment: { name: 'own', options: {}, source: 'export {}' } };
  setup.loadLinked('', own);
  expect(setup.preset?.title).toBe('From a link');
  setup.describe('export {}', { ...setup.catalog!.presets[0].environment, title: 'Corner shop' });
  expect(setup.preset?.title).toBe('From a link: Corner shop');
  setup.loadLike({ ...own, environment: { ...own.environment, source: 'export default 1' } });
  expect(setup.preset?.title).toBe('From a saved run');
  setup.loadOwn(own, { ...setup.catalog!.presets[0].environment, title: 'Corner shop' });
  expect(setup.preset?.title).toBe('Your own: Corner shop');
  setup.loadOwn(own, { ...setup.catalog!.presets[0].environment, title: '' });
  expect(setup.preset?.title).toBe('Your own environment');
});

describe('a value out of range', () => {
  test('is the problem of the setup until another is written or a config is loaded', () => {
    setup.setError(['seed'], 'Too large.');
    setup.setError(['rollout', 'tasks'], 'Too many.');
    expect(setup.problem).toBe('Too large.');
    setup.set(['seed'], 3);
    expect(setup.errors).toEqual({ 'rollout.tasks': 'Too many.' });
    setup.setError(['rollout', 'tasks'], null);
    expect(setup.problem).toBeNull();
    setup.setError(['seed'], 'Too large.');
    setup.choosePreset('bandit');
    expect(setup.problem).toBeNull();
  });
});

describe('a quick change', () => {
  test('halves the tasks, then the group, and the demonstrations of a step, down to one', () => {
    const sizes = () => [setup.config!.rollout.tasks, setup.config!.rollout.group, setup.config!.warmStart.batch];
    setup.set(['rollout', 'tasks'], 2);
    setup.set(['rollout', 'group'], 4);
    setup.set(['warmStart', 'batch'], 3);
    const seen = [1, 2, 3, 4].map(() => {
      setup.halveBatch();
      return sizes();
    });
    expect(seen).toEqual([
      [1, 4, 1],
      [1, 2, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  test('halves the rate, starts from scratch and takes it back', () => {
    const { learningRate } = setup.config!.optimizer;
    setup.halveRate();
    expect(setup.config?.optimizer.learningRate).toBe(learningRate / 2);
    expect(setup.fromScratch).toBe(false);
    setup.setFromScratch(true);
    expect([setup.fromScratch, setup.config?.warmStart.demonstrations]).toEqual([true, 0]);
    setup.setFromScratch(false);
    expect(setup.config?.warmStart.demonstrations).toBe(setup.preset!.config.warmStart.demonstrations);
  });

  test('of the seed draws one below 100,000', () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
      (array as Uint32Array)[0] = 1_234_567;
      return array;
    });
    setup.newSeed();
    expect(setup.config?.seed).toBe(34_567);
  });
});

describe('plans', () => {
  const planOf = (parameters: number, problems: readonly string[] = []) =>
    ({ parameters, totalBytes: 1, warmStart: 'none', problems, notices: [] }) as RunPlan;

  test('are of the config and of each model; a problem of the first is that of the setup', async () => {
    setup.catalog = { ...setup.catalog!, modelPresets: [{ name: 'S', model: { ...bandit.model, width: 64 } }] };
    await setup.askPlans(async ({ model }) => planOf(model.width, model.width === 64 ? [] : ['It does not fit.']));
    setup.set(['model', 'width'], 32);
    await setup.askPlans(async ({ model }) => planOf(model.width, model.width === 64 ? [] : ['It does not fit.']));
    expect([setup.plan?.parameters, setup.presetPlans.S.parameters]).toEqual([32, 64]);
    expect(setup.problem).toBe('It does not fit.');
  });

  test('of a config that has changed since are dropped', async () => {
    const asked = setup.askPlans(async () => planOf(1));
    setup.set(['seed'], 9);
    await asked;
    expect(setup.plan).toBeNull();
  });
});
