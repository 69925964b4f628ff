/** Settings with names that every object inherits: no door lets them in, and the realm stays as it was. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { baseConfig, readExperiment, rowConfig } from '../../src/cli/experiment/plan';
import { givenRun } from '../../src/cli/run-config';
import { setting, settingFromFlag, withSettings } from '../../src/cli/settings';
import { configProblems } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import { census, changes, settle } from '../attacks/realm';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const { config } = presetByName('bandit');
const source = 'tests/helpers/shop.js';

const paths = ['opt.', 'reward.', 'rewards.', 'environment.options.'].flatMap((prefix) =>
  [
    '__proto__',
    '__proto__.polluted',
    '__proto__.toString',
    'constructor',
    'constructor.keys',
    'constructor.prototype.valueOf',
    'prototype',
    'toString',
    'hasOwnProperty.call',
    '__defineGetter__',
    'a.b',
    'a.__proto__.b',
    `${'a'.repeat(33)}`,
  ].map((name) => prefix + name),
);
const fields = ['__proto__.x', 'constructor.keys', 'model.__proto__.x', 'environment.__proto__.x', 'toString', 'a.b.c'];

/** The one sentence that ends it. */
async function sentenceOf(action: () => unknown): Promise<string> {
  const before = census();
  let error: unknown;
  try {
    await action();
  } catch (caught) {
    error = caught;
  }
  expect(changes(before, census()), 'what changed in this realm').toEqual([]);
  expect(error, 'it is refused').toBeInstanceOf(Error);
  const { constructor, message } = error as Error;
  expect(constructor, message).toBe(Error);
  expect(message).not.toMatch(/^Assertion|\n/);
  return message;
}

describe.each([...paths, ...fields])('the name %s', (name) => {
  settle();

  test.each(['1', 'PWNED'])('= %s by --set', async (value) => {
    expect(await sentenceOf(() => settingFromFlag(`${name}=${value}`))).toContain(`--set ${name.slice(0, 40)}`);
    await sentenceOf(() => givenRun('bandit', { set: [`${name}=${value}`] }));
  });

  test('by a link, with and without code', async () => {
    expect(await sentenceOf(() => givenRun(`v=1&preset=bandit&${name}=1`))).toContain('The link');
    await sentenceOf(() => givenRun(`v=1&preset=bandit&env=mine&x=&${name}=1`));
  });

  test('by a file, dotted and nested', async () => {
    const nested = name.split('.').reduceRight<string>((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, '1');
    for (const content of [
      `{"preset": "bandit", ${JSON.stringify(name)}: 1}`,
      `{"preset": "bandit", ${nested.slice(1)}`,
    ]) {
      const path = write('settings.json', content);
      expect(await sentenceOf(() => givenRun(path))).toContain('settings.json');
    }
  });

  test('by an experiment: changes of all rows, of one, and its grid', async () => {
    const rows = [{ name: 'one', title: 'One', kind: 'train' }];
    const named = JSON.parse(`{${JSON.stringify(name)}: 1}`) as object;
    const grid = JSON.parse(`{${JSON.stringify(name)}: [1, 2]}`) as object;
    const plan = { name: 'x', title: 'X', question: 'Q?', base: 'bandit', rows };
    for (const more of [{ changes: named }, { rows: [{ ...rows[0], changes: named }] }, { grid }]) {
      await sentenceOf(() => {
        const experiment = readExperiment({ ...plan, ...more });
        rowConfig(experiment, baseConfig(experiment, config), experiment.rows[0], 1);
      });
    }
  });

  test('by a setting made in code', async () => {
    await sentenceOf(() => withSettings(config, [{ path: name, value: 1, where: 'here' }]));
    await sentenceOf(() => withSettings(config, [setting(name, 1, 'here')]));
  });
});

describe('a whole config with such a name', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', async (name) => {
    const text = (part: object) => JSON.stringify({ ...config, ...part }).replace('"NAME"', JSON.stringify(name));
    const wholes = [
      text({ rewards: { NAME: 1 } }),
      text({ environment: { ...config.environment, options: { NAME: 1 } } }),
    ];
    for (const whole of wholes) {
      expect(configProblems(JSON.parse(whole)).join(' ')).toContain(`"${name}"`);
      await sentenceOf(() => givenRun(write('whole.json', whole)));
      await sentenceOf(() => givenRun(write('run.json', `{"config": ${whole}}`)));
    }
  });
});

test('names that are nobody’s are put', async () => {
  const { config: own } = await givenRun(source, { set: ['opt.shelves=2', 'rewards.asked=0.5'] });
  expect([own.environment.options, own.rewards]).toEqual([{ shelves: 2 }, { sold: 1, asked: 0.5 }]);
});
