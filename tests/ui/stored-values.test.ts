/** Small things that this browser has kept, written by another version or another page: no value breaks a page. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { costOf } from '../../src/config/cost';
import { presetByName } from '../../src/config/presets';
import { Pace } from '../../src/ui/state/run/pace.svelte';
import { WaitMemory } from '../../src/ui/state/run/wait-memory';

const { config } = presetByName('calculator-mini');
const key = costOf({ ...config, warmStart: { ...config.warmStart, recorded: true } });

const values = [
  '',
  'null',
  '7',
  'true',
  '"abc"',
  '[]',
  '{}',
  '[1]',
  '[null]',
  '{"cpu":"fast"}',
  '{"cpu":-1}',
  '{"cpu":null}',
  '{"cpu":0}',
  `[["${key}",5]]`,
  `[["${key}",null]]`,
  '[[1,{}]]',
  `[["${key}",{"copy":"x"}]]`,
  `[["${key}",{"copy":-1}]]`,
  '{"__proto__":{"cpu":1}}',
  '{"items"',
  '['.repeat(10_000),
  'NaN',
  '1 2 3',
  '-1 0 1.5 99999 x',
  '\u202e\u0000\ud800',
  '<img src=x>',
  'dark ',
  'ON',
];

let stored = '';
beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each(values)('%j', async (value) => {
  stored = value;
  const ms = new Pace().msHere(1000, 'cpu');
  expect(ms === null || ms > 0).toBe(true);
  const waits = new WaitMemory();
  for (const time of Object.values(waits.of(config))) expect(time).toBeGreaterThanOrEqual(0);
  waits.remember(config, { copy: 3 });
  expect(waits.of(config).copy).toBe(3);
  const { preferences, themes } = await import('../../src/ui/base/preferences.svelte');
  expect(themes).toContain(preferences.theme);
  expect([preferences.present, preferences.shortcuts].map((each) => typeof each)).toEqual(['boolean', 'boolean']);
  const { progress } = await import('../../src/ui/pages/learn/progress.svelte');
  progress.finish(2);
  expect(progress.has(2)).toBe(true);
  expect(progress.has(-1)).toBe(false);
  const { draft } = await import('../../src/ui/state/setup/draft.svelte');
  expect(draft.text).toBe(value);
  expect(({} as Record<string, unknown>).cpu).toBeUndefined();
});
