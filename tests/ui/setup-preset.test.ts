/** Which preset the form compares a run with: a saved run of the small calculator is no edit of the large one. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';

test.each(['calculator', 'calculator-mini'])('a saved run of the preset %s finds its preset again', (name) => {
  const setup = new Setup();
  setup.adopt(catalogOf('calculator', 'calculator-mini'));
  setup.loadLike({ ...presetByName(name).config, seed: 7 });
  expect(setup.preset!.name).toBe(name);
});
