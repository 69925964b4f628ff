/** Edits of a config: one value by its path, and an algorithm with its settings. */
import { expect, test } from 'vitest';
import { edited, pathOf, valueAt, withValue } from '../../src/config/edit';
import { presetByName } from '../../src/config/presets';
import { allDefaults, withAlgorithm } from '../../src/config/with-algorithm';
import { sameJson } from '../../src/lib/same-json';

const { config: preset } = presetByName('calculator');
const path = ['algorithm', 'name'];
const choose = (config: typeof preset, name: string) => edited(config, path, name, preset, allDefaults());

test('one value is replaced and the rest is shared', () => {
  const config = { a: { b: 1, c: [1, 2] }, d: 'x' };
  const next = withValue(config, ['a', 'b'], 5);
  expect(next).toEqual({ a: { b: 5, c: [1, 2] }, d: 'x' });
  expect(next.a.c).toBe(config.a.c);
  expect(config.a.b).toBe(1);
  expect(valueAt(config, ['a', 'x', 'y'])).toBeUndefined();
});

test('a path is written with dots', () => {
  expect(pathOf('algorithm.clipLow')).toEqual(['algorithm', 'clipLow']);
});

test('equality of JSON does not depend on the order of keys', () => {
  expect(sameJson({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBe(true);
  expect(sameJson({ a: [1, 2] }, { a: [1] })).toBe(false);
  expect(sameJson({ a: [] }, { a: {} })).toBe(false);
  expect(sameJson({ a: undefined }, {})).toBe(true);
});

test('an algorithm brings what the engine gives it, and the preset’s own what the preset tuned', () => {
  const config = withValue(preset, ['algorithm', 'epochs'], 3);
  expect(choose(config, 'ppo')).toEqual(withAlgorithm(config, 'ppo'));
  expect(choose(choose(config, 'ppo'), preset.algorithm.name)).toEqual(config);
});

test('one update a batch, which OPO wants, goes back to the preset’s; that of the user stays', () => {
  const { epochs, miniBatches } = preset.algorithm;
  expect(choose(choose(preset, 'opo'), 'rloo').algorithm).toMatchObject({ epochs, miniBatches });
  const edited = withValue(choose(preset, 'opo'), ['algorithm', 'miniBatches'], 8);
  expect(choose(edited, 'rloo').algorithm.miniBatches).toBe(8);
  expect(choose(choose(preset, 'opo'), 'gpg').algorithm, 'GPG wants it too').toMatchObject({
    epochs: 1,
    miniBatches: 1,
  });
});

test('a config of another version whose algorithm is unknown can have one of these', () => {
  const config = withValue(preset, path, 'future');
  expect(choose(config, 'ppo')).toEqual(withAlgorithm(config, 'ppo'));
});
