/** A row of results opens in the Lab with the config that the experiment trained. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { valueAt, withValue } from '../../src/config/edit';
import { rowConfig } from '../../src/config/result-config';
import { expectOpens, experiments, here, published } from '../helpers/published-rows';
import { sampleResults } from '../helpers/results';

test.each(experiments)('each row of %s opens with its own config, as the CPU trained it', (_, file) =>
  expectOpens(file, (row) => row.seeds.slice(0, 1)),
);

test('a row says why it has no config', () => {
  const methods = published('methods');
  const why = (name: string) =>
    rowConfig(
      methods,
      methods.rows.find((row) => row.name === name)!,
      1,
      here,
    );
  expect(why('naive-rag')).toBe('script');
  expect(why('warm')).toBe('warmStart');
  expect(why('best-of-8')).toBe('warmStart');
  expect(why('expert')).toBe('imitates');
  const grpo = methods.rows.find((row) => row.name === 'grpo')!;
  // Results of older engines do not carry their config.
  const { config, ...old } = methods;
  expect(config).toBeDefined();
  expect(rowConfig({ ...old, base: 'mine.js' }, grpo, 1, here)).toBe('unknownBase');
  const changes = [{ path: 'iterations', from: 31, to: 20 }];
  expect(rowConfig({ ...old, changes }, grpo, 1, here), 'the preset has changed since').toBe('unknownBase');
  const seeds = [{ ...grpo.seeds[0], fingerprint: [], failure: 'It was not finite.' }];
  expect(rowConfig(methods, { ...grpo, seeds }, 1, here)).toBe('failed');
});

test('a run of a GPU keeps its device', () => {
  const base = { ...presetByName('multi-hop').config, rewards: { pay: 1 } };
  const changes = [{ path: 'rewards.pay', from: 1, to: 2 }];
  const [, row] = sampleResults.rows;
  const results = { ...sampleResults, config: base };
  expect(rowConfig(results, { ...row, changes }, 2, here)).toEqual({ ...base, seed: 2, rewards: { pay: 2 } });
});

test.each(['rewards.toString', 'rewards.__proto__', 'model.constructor.keys', '__proto__.x'])(
  'a change of %s, which objects inherit, finds no value to change',
  (path) => {
    expect(valueAt(sampleResults.config ?? {}, path.split('.'))).toBeUndefined();
    const before = Object.getOwnPropertyNames(Object.prototype);
    withValue(presetByName('bandit').config, path.split('.'), 'PWNED');
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect({}.toString.call([])).toBe('[object Array]');
  },
);
