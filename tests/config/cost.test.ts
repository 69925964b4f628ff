/** Runs of unlike cost are told apart, so that the time of one is never taken for that of another. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { costOf } from '../../src/config/cost';
import { withValue } from '../../src/config/edit';
import { presetByName } from '../../src/config/presets';

const { config } = presetByName('calculator');

test.each<[string, unknown]>([
  ['device', 'cpu'],
  ['model.width', 128],
  ['algorithm.epochs', 7],
  ['algorithm.miniBatches', 5],
  ['critic.network', 'separate'],
  ['context.rule', 'window'],
  ['rollout.group', 3],
  ['evaluation.every', 99],
  ['environment.source', 'export const meta = {};'],
  ['environment.rows', '{"a":1}'],
])('a run of another %s takes another time', (path, value) => {
  expect(costOf(withValue(config, path.split('.'), value))).not.toBe(costOf(config));
});

test.each<[string, unknown]>([
  ['seed', 99],
  ['iterations', 99],
  ['optimizer.learningRate', 1e-5],
  ['algorithm.name', 'rloo'],
])('%s takes no time', (path, value) => {
  expect(costOf(withValue(config, path.split('.'), value))).toBe(costOf(config));
});

test('the order of keys does not count', () => {
  const turned = Object.fromEntries(Object.entries(config).reverse()) as unknown as RunConfig;
  expect(costOf({ ...turned, model: { ...config.model } })).toBe(costOf(config));
});
