/** What a person may give a command instead of a whole config, and what is said of what cannot be. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { givenRun, settingsHelp } from '../../src/cli/run-config';
import { valuesOf } from '../../src/cli/settings';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { configFields } from '../../src/config/fields';
import { presetByName, presets } from '../../src/config/presets';
import { openRunLink, runLink } from '../../src/config/run-link';
import { randomRun } from '../fuzz/link-maker';
import { Choices } from '../fuzz/random';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-given-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const source = readFileSync('tests/helpers/shop.js', 'utf8');
const shop = write('Corner shop.js', source);
const { config: calculator } = presetByName('calculator');
const { config: bandit } = presetByName('bandit');
const own = { name: 'corner-shop', options: { shelves: 4 }, source };

describe('what may be given', () => {
  test('a preset', async () => {
    expect(await givenRun('bandit')).toMatchObject({ preset: 'bandit', name: 'bandit', config: bandit });
  });

  test('an environment’s file: its own weights and options, on the settings of the first preset', async () => {
    const { preset, name, config } = await givenRun(shop);
    expect([preset, name]).toEqual([null, 'corner-shop']);
    expect(config).toEqual({ ...calculator, environment: own, rewards: { sold: 1, asked: 0.1 } });
  });

  test('an environment whose text has whole words gets a tokenizer of words', async () => {
    const words = write('words.js', source.replace('examples:', "words: ['apple'],\n  examples:"));
    expect((await givenRun(words)).config.text.tokenizer).toBe('word');
  });

  test('an environment’s file on a preset', async () => {
    const { config } = await givenRun(shop, { preset: 'bandit' });
    expect(config).toEqual({ ...bandit, environment: own, rewards: { sold: 1, asked: 0.1 } });
  });

  test('any field, by its path or by its key', async () => {
    const set = ['lr=3e-4', 'model.tied=off', 'mlp=gelu', 'rewards.asked=-2', 'opt.shelves=2', 'evaluation.every=9'];
    const { config } = await givenRun(shop, { set, seed: 7, iterations: 3, scratch: true });
    expect(config).toMatchObject({
      seed: 7,
      iterations: 3,
      environment: { options: { shelves: 2 } },
      optimizer: { learningRate: 3e-4 },
      model: { tied: false, mlp: 'gelu' },
      rewards: { sold: 1, asked: -2 },
      evaluation: { every: 9 },
      warmStart: { demonstrations: 0 },
    });
  });

  test('an algorithm brings its settings along, whatever the order', async () => {
    const dapo = withAlgorithm(bandit, 'dapo');
    const { config } = await givenRun('bandit', { set: ['clipLow=0.3', 'algorithm.name=dapo'] });
    expect(config).toEqual({ ...dapo, algorithm: { ...dapo.algorithm, clipLow: 0.3 } });
  });

  test('a part of a config over a preset', async () => {
    const file = write('part.json', {
      preset: 'bandit',
      seed: 3,
      optimizer: { learningRate: 1e-3 },
      rewards: { best: 0.5 },
    });
    const { preset, config } = await givenRun(file, { set: ['seed=4'] });
    expect(preset).toBe('bandit');
    expect(config).toEqual({
      ...bandit,
      seed: 4,
      optimizer: { ...bandit.optimizer, learningRate: 1e-3 },
      rewards: { best: 0.5, pay: 1 },
    });
  });

  test('a part of a config that names a module beside it', async () => {
    const file = write('own.json', {
      environment: { file: 'Corner shop.js', options: { shelves: 2 } },
      rewards: { asked: 0 },
    });
    const { config } = await givenRun(file);
    expect(config).toEqual({
      ...calculator,
      environment: { ...own, options: { shelves: 2 } },
      rewards: { sold: 1, asked: 0 },
    });
  });

  test('a whole config as it stands, and what `config` printed', async () => {
    const { config } = await givenRun(shop, { seed: 5 });
    expect((await givenRun(write('whole.json', config))).config).toEqual(config);
    expect((await givenRun(write('run.json', { config, success: null }))).config).toEqual(config);
    const terse = { ...config, rewards: {}, environment: { ...own, options: {} } };
    expect((await givenRun(write('terse.json', terse))).config, 'nothing is filled in').toEqual(terse);
  });

  test('a built-in environment on another preset has its own weights and options', async () => {
    const { preset, config } = await givenRun('calculator', { set: ['env=bandit'] });
    expect(preset).toBeNull();
    expect(config).toEqual({ ...calculator, environment: bandit.environment, rewards: bandit.rewards });
  });
});

describe('a link', () => {
  test('gives the config that it gives the page', { timeout: 60_000 }, async () => {
    for (let seed = 0; seed < 30; seed++) {
      const { config } = randomRun(new Choices(-1 - seed));
      if (config.environment.source !== undefined) continue;
      const link = await runLink(config, null);
      expect((await givenRun(link)).config, link).toEqual((await openRunLink(link)).config);
    }
  });

  test.each(presets.map(({ name }) => name))('of an environment of one’s own on %s, too', async (name) => {
    const config = {
      ...presetByName(name).config,
      environment: { ...own, options: { shelves: 2 } },
      rewards: { sold: 2, asked: 0 },
    };
    for (const each of [config, { ...config, rewards: {}, environment: { ...own, options: {} } }]) {
      const given = await givenRun(await runLink(each, null));
      expect(given).toMatchObject({ preset: null, config: each, source });
      expect(given.config).toEqual(each);
    }
  });
});

describe('what cannot be is a sentence', () => {
  test.each<[string, Parameters<typeof givenRun>[1], string]>([
    ['calculater', {}, 'There is no preset called "calculater"'],
    ['calculater', {}, 'Did you mean calculator?'],
    ['/no/such.js', {}, 'There is no file /no/such.js.'],
    ['bandit', { preset: 'calculator' }, '--preset is for a file that names no preset. bandit is bandit.'],
    ['bandit', { set: ['lr'] }, '--set takes a field and its value, like --set lr=3e-4, but it is "lr".'],
    ['bandit', { set: ['lt=3'] }, '--set lt=3: there is no setting called "lt". Did you mean lr?'],
    ['bandit', { set: ['optimiser.learnigRate=3'] }, 'Did you mean optimizer.learningRate?'],
    ['bandit', { set: ['learningrate=3'] }, 'Did you mean optimizer.learningRate?'],
    [
      'bandit',
      { set: ['lr=abc'] },
      'Learning rate (optimizer.learningRate) cannot be "abc"; it takes numbers from 1e-7 to 0.1.',
    ],
    [
      'bandit',
      { set: ['lr=5'] },
      '--set lr=5: Learning rate (optimizer.learningRate) cannot be 5; it takes numbers from 1e-7 to 0.1.',
    ],
    ['bandit', { set: ['steps=1.5'] }, 'it takes whole numbers from 1 to 10000.'],
    ['bandit', { set: ['algo=ppoo'] }, 'Did you mean ppo?'],
    ['bandit', { set: ['tied=perhaps'] }, 'cannot be "perhaps"; it takes on or off.'],
    [
      'bandit',
      { set: ['rewards.bets=1'] },
      'rewards.bets: the environment has no such reward term; it has best, pay. Did you mean best?',
    ],
    [
      'bandit',
      { set: ['opt.ods=80'] },
      'environment.options.ods: the environment has no such option; it has odds. Did you mean odds?',
    ],
    ['bandit', { set: ['opt.odds=81'] }, 'environment.options.odds cannot be 81; it takes 60, 70, 80, 90, 100.'],
    ['bandit', { set: ['env=calculater'] }, 'There is no environment called calculater'],
    ['bandit', { set: ['heads=3'] }, 'model.width: 32 does not divide by 3 heads'],
    ['v=1&preset=bandit&sed=7', {}, 'The link: there is no setting called "sed". Did you mean seed?'],
    ['v=1&preset=bandit&seed=7&lr=abc', {}, 'The link: Learning rate (optimizer.learningRate) cannot be "abc"'],
    ['v=1&preset=bandid', {}, 'There is no preset called "bandid"'],
    ['v=1&preset=bandit&seed=7&seed=8', {}, 'This link cannot be opened.'],
    ['v=1&preset=bandit&x=broken', {}, 'This link cannot be opened.'],
  ])('%s %j: %s', async (subject, flags, sentence) => {
    await expect(givenRun(subject, flags)).rejects.toThrow(sentence);
  });

  test.each([
    ['', 'is empty.'],
    ['{\n  "seed": 3,\n  "iterations" 4\n}', 'is not JSON: line 3, column 16 cannot be read.'],
    ['[1]', 'holds no run config: it must be an object'],
    ['{"seed": 3}', 'names neither a preset nor an environment.'],
    ['{"preset": "bandit", "sed": 3}', 'there is no setting called "sed". Did you mean seed?'],
    ['{"preset": "bandit", "optimizer": {"learningrate": 3}}', 'Did you mean optimizer.learningRate?'],
    ['{"preset": "bandit", "optimizer": 3}', 'there is no setting called "optimizer".'],
    [
      '{"preset": "bandit", "model": {"layers": "two"}}',
      'Layers (model.layers) cannot be "two"; it takes whole numbers from 1 to 12.',
    ],
    ['{"preset": "bandit", "model": {"layers": [2]}}', 'cannot be [2]'],
    ['{"preset": "bandid"}', 'Did you mean bandit?'],
    ['{"environment": {"file": "missing.js"}}', 'There is no file'],
    ['{"environment": {"fil": "missing.js"}}', 'Did you mean environment.file?'],
  ])('a file with %j', async (content, sentence) => {
    const file = write('wrong.json', content);
    const error = (await givenRun(file).catch((caught: unknown) => caught)) as Error;
    expect(error.message).toContain(sentence);
    if (!sentence.includes('bandit')) expect(error.message).toContain(folder);
  });
});

test('the help lists every preset and every field with what it takes', () => {
  const help = settingsHelp();
  for (const { name } of presets) expect(help).toContain(`\n  ${name} `);
  for (const { path, key, help: what } of configFields()) {
    const line = help.split('\n').find((each) => each.trim().startsWith(`${path} `));
    expect(line).toMatch(new RegExp(`^  \\S+ +${key} `));
    expect(line).toContain(what);
  }
});

test('the authors’ page lists every field with its key and what it takes', () => {
  const page = readFileSync('src/environments/README.md', 'utf8').replace(/ +/g, ' ');
  for (const field of configFields())
    expect(page).toContain(`| \`${field.key}\` | \`${field.path}\` | ${valuesOf(field)} |`);
});
