/** A catalog as the trainer gives it, of these presets. */
import { aboutAlgorithms } from '../../src/rl/algorithms/table';
import { configFields } from '../../src/rl/config/fields';
import { presetByName } from '../../src/rl/config/presets';
import { allDefaults } from '../../src/rl/config/with-algorithm';
import type { Catalog } from '../../src/worker/protocol';
import { calculatorDescription } from '../agent/plain-sandbox';

export const catalogOf = (...presets: readonly string[]): Catalog => ({
  engineVersion: '1',
  presets: presets.map((name) => ({ ...presetByName(name), environment: calculatorDescription, source: '' })),
  modelPresets: [],
  fields: configFields(),
  algorithms: allDefaults(),
  aboutAlgorithms: aboutAlgorithms(),
  templates: [],
  sourceBytes: 65536,
  rowsBytes: 2_000_000,
});
