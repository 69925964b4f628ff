/** A catalog as the page has it, of these presets. */
import { aboutAlgorithms } from '../../src/rl/algorithms/table';
import { configFields } from '../../src/rl/config/fields';
import { presetByName } from '../../src/rl/config/presets';
import { allDefaults } from '../../src/rl/config/with-algorithm';
import type { Catalog } from '../../src/rl/config/catalog';
import { calculatorDescription } from '../agent/plain-sandbox';

export const catalogOf = (...presets: readonly string[]): Catalog => ({
  engineVersion: '1',
  presets: presets.map((name) => ({ ...presetByName(name), environment: calculatorDescription })),
  modelPresets: [],
  fields: configFields(),
  algorithms: allDefaults(),
  aboutAlgorithms: aboutAlgorithms(),
  sourceBytes: 65536,
  rowsBytes: 2_000_000,
});
