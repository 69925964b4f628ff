/**
 * The form's algorithm: choosing one brings its settings, choosing the preset's own brings back what the preset tuned.
 */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';

test('choosing an algorithm brings its settings, and going back brings the preset’s', () => {
  const catalog = catalogOf('calculator');
  const [preset] = catalog.presets;
  const setup = new Setup();
  setup.adopt(catalog);
  setup.set(['algorithm', 'name'], 'dapo');
  expect(setup.config).toEqual(withAlgorithm(preset.config, 'dapo'));
  setup.set(['filter', 'refill'], 5);
  expect(setup.config!.filter.refill).toBe(5);
  setup.set(['algorithm', 'name'], 'opo');
  expect(setup.config).toEqual(withAlgorithm(preset.config, 'opo'));
  setup.set(['algorithm', 'name'], 'rloo');
  expect(setup.config, 'one update a batch was OPO’s wish').toEqual(withAlgorithm(preset.config, 'rloo'));
  setup.set(['algorithm', 'name'], 'ppo');
  expect(setup.config).toEqual(withAlgorithm(preset.config, 'ppo'));
  expect(setup.config).toMatchObject({ algorithm: { lambda: 1 }, critic: { network: 'separate', warmup: 4 } });
  setup.set(['optimizer', 'learningRate'], 1e-3);
  setup.restore(['algorithm', 'name']);
  expect(setup.config).toEqual({ ...preset.config, optimizer: { ...preset.config.optimizer, learningRate: 1e-3 } });
});

test.each(['ppo', 'gspo', 'grpo'] as const)('edited settings that %s does not decide stay as they are', (name) => {
  const catalog = catalogOf('calculator');
  const [preset] = catalog.presets;
  const setup = new Setup();
  setup.adopt(catalog);
  setup.set(['algorithm', 'epochs'], 3);
  setup.set(['algorithm', 'lossMask'], false);
  setup.set(['critic', 'clip'], 7);
  const before = setup.config!;
  if (name === preset.config.algorithm.name) setup.set(['algorithm', 'name'], 'ppo');
  setup.set(['algorithm', 'name'], name);
  expect(setup.config).toEqual(name === preset.config.algorithm.name ? before : withAlgorithm(before, name));
});

test('an algorithm has its title, and one of another version its name', () => {
  const setup = new Setup();
  const named = (name: string) => setup.algorithmTitle({ algorithm: { name } } as RunConfig);
  expect(named('grpo')).toBe('grpo');
  setup.adopt(catalogOf('calculator'));
  expect([named('grpo'), named('future')]).toEqual(['GRPO', 'future']);
});
