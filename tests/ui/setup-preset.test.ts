/** Which preset the form compares a run with: a saved run of the small calculator is no edit of the large one. */
import { expect, test } from 'vitest';
import { configFields } from '../../src/rl/config/fields';
import { presetByName } from '../../src/rl/config/presets';
import { Setup } from '../../src/ui/setup/setup.svelte';
import type { PresetInfo } from '../../src/worker/protocol';
import { calculatorDescription } from '../agent/plain-sandbox';

const presets: PresetInfo[] = ['calculator', 'calculator-mini'].map((name) => ({
  ...presetByName(name),
  environment: calculatorDescription,
  source: '',
}));

test.each(['calculator', 'calculator-mini'])('a saved run of the preset %s finds its preset again', (name) => {
  const setup = new Setup();
  setup.adopt({
    ...{
      engineVersion: '1',
      presets,
      modelPresets: [],
      fields: configFields(),
      templates: [],
      sourceBytes: 65536,
      rowsBytes: 2_000_000,
    },
    algorithms: {} as never,
    aboutAlgorithms: {} as never,
  });
  setup.loadLike({ ...presetByName(name).config, seed: 7 });
  expect(setup.preset!.name).toBe(name);
});
