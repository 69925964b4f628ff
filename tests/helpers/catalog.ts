/** A catalog as the page has it, of these presets. */
import { aboutAlgorithms } from '../../src/algorithms/table';
import { adapterFields, configFields } from '../../src/config/fields';
import { presetByName } from '../../src/config/presets';
import { allDefaults } from '../../src/config/with-algorithm';
import type { Catalog } from '../../src/config/catalog';
import { calculatorDescription } from '../agent/plain-sandbox';

export const catalogOf = (...presets: readonly string[]): Catalog => ({
  engineVersion: '1',
  presets: presets.map((name) => ({ ...presetByName(name), environment: calculatorDescription })),
  modelPresets: [],
  fields: [...configFields(), ...adapterFields()],
  algorithms: allDefaults(),
  aboutAlgorithms: aboutAlgorithms(),
});
