/** Names of a run's files: the task, the seed, and nothing of a stranger's title that a file system could trip over. */
import { expect, test } from 'vitest';
import { presets } from '../../src/config/presets';
import { runName } from '../../src/config/run-name';
import type { Catalog } from '../../src/config/catalog';
import type { RunConfig } from '../../src/config/config';

const catalog = { presets } as unknown as Catalog;
const named = (config: RunConfig, title = '') => runName(config, title, catalog);
const own = (source: string): RunConfig => ({
  ...presets[0].config,
  seed: 7,
  environment: { name: 'own', options: {}, source },
});

test('a run of a preset is named after it and its seed, also with other settings', () => {
  for (const { name, config } of presets) {
    expect(named({ ...config, seed: 5, iterations: 3 })).toBe(`agentlet-${name}-5`);
    expect(named({ ...config, environment: { ...config.environment, options: { other: 1 } } })).toMatch(
      /^agentlet-[a-z-]+-\d+$/,
    );
  }
});

test('a run of an own environment is named after its title', () => {
  expect(named(own('x'), 'Guess the Number!')).toBe('agentlet-guess-the-number-7');
  expect(named(own('x'), '../../étude\u202e\0 "x"')).toBe('agentlet-etude-x-7');
  expect(named(own('x'), '\u{1f3b2}')).toBe('agentlet-run-7');
  expect(named(own('x'), 'a'.repeat(900)).length).toBeLessThan(60);
});
