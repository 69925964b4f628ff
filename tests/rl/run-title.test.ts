/** A run is called by its preset: two of them may have one environment. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { titleOfRun } from '../../src/config/run-title';

const { config } = presetByName('calculator-mini');
const withOptions = (options: Record<string, number>) => ({
  ...config,
  environment: { ...config.environment, options },
});

test('is the title of the preset with the same environment and options, in whatever order', () => {
  expect(titleOfRun(config, 'Calculator')).toBe('Calculator, mini');
  expect(titleOfRun(withOptions({ max: 20, operations: 1 }), 'Calculator')).toBe('Calculator, mini');
  expect(titleOfRun({ ...config, seed: 9, iterations: 2 }, 'Calculator')).toBe('Calculator, mini');
  expect(titleOfRun(presetByName('calculator').config, 'Calculator')).toBe('Calculator');
});

test('is the title of the environment where no preset has it', () => {
  expect(titleOfRun(withOptions({ operations: 1, max: 9 }), 'Calculator')).toBe('Calculator');
  const own = { ...config, environment: { ...config.environment, source: 'export const meta = {};' } };
  expect(titleOfRun(own, 'My world')).toBe('My world');
});
