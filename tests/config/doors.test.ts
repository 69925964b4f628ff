/**
 * A value from outside meets one rule whichever door it takes: a link in the page, a link in the terminal, `--set`, a
 * file of settings, an experiment, a whole config (a checkpoint, a stored queue), and the environment that declares it.
 */
import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { descriptionSchema } from '../../src/agent/env';
import { baseConfig, readExperiment } from '../../src/cli/experiment/plan';
import { setting, settingFromFlag, settingFromText, settingsFromObject, withSettings } from '../../src/cli/settings';
import { configProblems, parseConfig, type RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import { engineVersion, openRunLink } from '../../src/config/run-link';
import { maxCodeBytes } from '../../src/lib/text-caps';
import { packBlob } from '../../src/share/blob';
import { encodeLink } from '../../src/share/link';

const { config } = presetByName('bandit');
const source = '// of somebody else';
const link = (scalars: Record<string, string>) =>
  encodeLink({ preset: 'bandit', engineVersion, shared: true, scalars: { env: 'own', ...scalars }, source });

/** Whether a name becomes a key of the rewards, by each door. */
const rewardDoors: Readonly<Record<string, (name: string) => unknown>> = {
  'a link in the page': async (name) => (await openRunLink(await link({ [`reward.${name}`]: '1' }))).config?.rewards,
  'a link in the terminal': (name) =>
    withSettings(config, [settingFromText(`reward.${name}`, '1', 'The link')]).rewards,
  '--set': (name) => withSettings(config, [settingFromFlag(`rewards.${name}=1`)]).rewards,
  'a file of settings': (name) =>
    withSettings(config, settingsFromObject({ rewards: named(name) }, 'settings.json')).rewards,
  'an experiment': (name) => {
    const changes = named(`rewards.${name}`);
    return baseConfig(readExperiment({ ...plan, changes }), config).rewards;
  },
  'a whole config': (name) => parseConfig({ ...config, rewards: { ...config.rewards, ...named(name) } }).rewards,
  'a module': (name) => {
    const rewards = Object.fromEntries([[name, { description: 'pays', weight: 1 }]]);
    return v.parse(descriptionSchema, { ...description, rewards }).rewards;
  },
};
const named = (name: string): object => Object.fromEntries([[name, 1]]);
const plan = {
  name: 'x',
  title: 'X',
  question: 'Q?',
  base: 'bandit',
  rows: [{ name: 'one', title: 'One', kind: 'train' }],
};
const description = {
  title: 'T',
  task: 'T.',
  watch: 'W.',
  tools: [],
  rewards: {},
  options: [],
  alphabet: 'a',
  examples: [],
};

async function takes(door: (name: string) => unknown, name: string): Promise<boolean> {
  try {
    return Object.hasOwn(Object((await door(name)) ?? {}) as object, name);
  } catch {
    return false;
  }
}

describe.each([
  ...[true, false].flatMap((isIn) =>
    (isIn
      ? ['pay', 'Pay_2', '_a', 'a'.repeat(32)]
      : [
          'a.b',
          'a b',
          ' a',
          '2a',
          'a-b',
          'ä',
          'a\u202eb',
          'a\u0001',
          '<b>',
          '',
          'a'.repeat(33),
          '__proto__',
          'toString',
        ]
    ).map((name) => [name, isIn] as const),
  ),
])('the name %j', (name, isIn) => {
  test.each(Object.entries(rewardDoors))('by %s', async (_, door) => {
    expect(await takes(door, name)).toBe(isIn);
  });
});

const many = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`n${i}`, 1]));
test.each<[string, (names: Record<string, number>) => unknown]>([
  ['a link', async (names) => (await openRunLink(await link(prefixed('reward.', names)))).config?.rewards],
  ['a whole config', (rewards) => parseConfig({ ...config, rewards }).rewards],
  ['a file of settings', (rewards) => parseConfig(withSettings(config, settingsFromObject({ rewards }, 'f'))).rewards],
])('%s brings at most 32 names of rewards', async (_, door) => {
  let taken: unknown = {};
  try {
    taken = await door(many);
  } catch (error) {
    expect((error as Error).message).toMatch(/32/);
  }
  expect(Object.keys(Object(taken) as object).length).toBeLessThanOrEqual(32);
});
const prefixed = (prefix: string, names: object) =>
  Object.fromEntries(Object.entries(names).map(([name, value]) => [prefix + name, String(value)]));

test.each<[string, (source: string) => unknown]>([
  ['a whole config', (source) => configProblems(withSource(source))],
  [
    'a file of settings',
    (source) => configProblems(withSettings(config, [setting('environment.source', source, 'f')])),
  ],
  [
    'a link',
    async (source) => {
      const { problem } = await openRunLink(`v=1&preset=bandit&env=own&x=${await packBlob({ source })}`);
      return problem === null ? [] : [problem];
    },
  ],
])('%s brings code of at most 64 KiB, in bytes', async (_, door) => {
  expect(await door(`//${'ü'.repeat(maxCodeBytes / 2 - 1)}`)).toEqual([]);
  expect(await door(`//${'ü'.repeat(maxCodeBytes / 2)}`)).not.toEqual([]);
  expect(await door(`//${'a'.repeat(maxCodeBytes)}`)).not.toEqual([]);
});
const withSource = (source: string): RunConfig => ({ ...config, environment: { ...config.environment, source } });
