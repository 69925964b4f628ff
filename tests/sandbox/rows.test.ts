/** Rows of data: which are refused, which split has each, and what of them a guest gets. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EnvironmentClient } from '../../src/agent/environment-client';
import { rowsDigest, splitRows } from '../../src/agent/rows';
import { askedAbout } from '../../src/config/rows';
import { maxRowsBytes } from '../../src/lib/text-caps';
import type { Task } from '../../src/agent/types';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { emptySandbox, moduleOf } from '../environments/own';
import { rowsModule, rowsText } from '../environments/rows-module';
import { openPool, request } from './open';

const parsed = (text: string) => {
  const { train, validation } = splitRows(text);
  return { train: JSON.parse(train) as unknown[], validation: JSON.parse(validation) as unknown[] };
};

test('every row is in one split, a quarter of them in validation, wherever it stands and however it is written', () => {
  const { train, validation } = parsed(rowsText(4000));
  expect(train.length + validation.length).toBe(4000);
  expect(Math.abs(validation.length - 1000)).toBeLessThan(140);
  const asText = (rows: unknown[]) => rows.map((row) => JSON.stringify(row));
  const held = new Set(asText(validation));
  expect(asText(train).filter((row) => held.has(row))).toEqual([]);
  const shuffled = rowsText(4000).split('\n').reverse().join('\r\n\n');
  expect(new Set(asText(parsed(shuffled).validation))).toEqual(held);
  const twice = parsed('{"a":1,"b":[2, 3]}\n{ "b": [2,3], "a": 1.0 }\n{"a":1,"b":[2,3]}');
  expect([twice.train.length, twice.validation.length].sort()).toEqual([0, 3]);
});

test('the digest has the number of rows and the SHA-256 of the file', async () => {
  const text = `\uFEFF${rowsText(3)}\n\n`;
  const sha = createHash('sha256').update(text).digest('hex');
  expect(await rowsDigest(text)).toBe(`3-${sha}`);
});

test.each([
  ['', 'There is no row in the run’s rows: write one JSON value a line.'],
  ['\n \n', 'There is no row in the run’s rows: write one JSON value a line.'],
  ['{"a":1}\n\n{"a":}\n', 'Line 3 of the run’s rows is not JSON: column 6 cannot be read.'],
  ['{"a":1}\n{"a":\n1}\n', 'Line 2 of the run’s rows is not JSON: column 6 cannot be read.'],
  ['[1,2', 'Line 1 of the run’s rows is not JSON: column 5 cannot be read.'],
  ['1\nnull\n' + '['.repeat(40) + ']'.repeat(40), 'Line 3 of the run’s rows nests deeper than 32 levels.'],
  ['['.repeat(900_000), 'Line 1 of the run’s rows is not JSON'],
  ['"' + 'x'.repeat(maxRowsBytes) + '"', 'There are 2000002 bytes in the run’s rows, and 2000000 is the most.'],
])('%.20j is refused in a sentence', async (text, sentence) => {
  expect(() => splitRows(text)).toThrow(sentence);
  await expect((await emptySandbox()).load(rowsModule, text)).rejects.toThrow(sentence);
});

test('a question about rows has one line of JSON for each, and is refused where a line is none', () => {
  expect(askedAbout('how many ?', '\uFEFF{"a": 1}\r\n\n  {"a":2}\n')).toBe('how many ?\n{"a": 1}\n{"a":2}');
  expect(() => askedAbout('how many ?', '{"a":1}\n{"a":}')).toThrow('Line 2 of the file is not JSON: column 6');
});

const draw = async (sandbox: LocalSandbox, split: 'train' | 'validation', count = 200, seed = 1): Promise<Task[]> =>
  new EnvironmentClient(sandbox).tasks(split, seed, 0, count, {});

test('tasks of a split are made of its rows alone, whatever their ids; the guest keeps no others', async () => {
  const sandbox = await emptySandbox();
  await sandbox.load(rowsModule, rowsText(40));
  const { train, validation } = parsed(rowsText(40));
  const asData = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  const drawn = async (split: 'train' | 'validation') =>
    [...new Set((await draw(sandbox, split, 400)).map(({ data }) => JSON.stringify(data)))].sort();
  expect(await drawn('train')).toEqual(asData(train));
  expect(await drawn('validation')).toEqual(asData(validation));
  expect(await draw(sandbox, 'train', 20)).toEqual((await draw(sandbox, 'train', 40)).slice(0, 20));
});

test('the rows cannot be changed, and a module without the parameter is told', async () => {
  const sandbox = await emptySandbox();
  const pushing = rowsModule.replace('const row = rng.pick(rows);', 'rows.push({}); const row = rows[0];');
  await sandbox.load(pushing, rowsText(40));
  await expect(draw(sandbox, 'train', 1)).rejects.toThrow(/tasks failed: TypeError: .*environment\.js:\d+/);
  await expect(sandbox.load(moduleOf(), rowsText(40))).rejects.toThrow(
    'there are rows, and tasks does not take them; write it as tasks(rng, split, options, rows)',
  );
});

test('without rows tasks gets an empty list, and ids decide the split', async () => {
  const sandbox = await emptySandbox();
  const counting = rowsModule.replace(
    'const row = rng.pick(rows);',
    "const row = { q: 'q ' + rng.integer(1, 999), a: String(rows.length) };",
  );
  await sandbox.load(counting);
  const [train, validation] = [await draw(sandbox, 'train'), await draw(sandbox, 'validation')];
  expect(new Set(train.map(({ data }) => (data as { a: string }).a))).toEqual(new Set(['0']));
  const held = new Set(validation.map(({ id }) => id));
  expect(train.filter(({ id }) => held.has(id))).toEqual([]);
});

test('a split without rows is a sentence', async () => {
  const sandbox = await emptySandbox();
  await sandbox.load(rowsModule, '{"q":"q","a":"a"}');
  const split = parsed('{"q":"q","a":"a"}').train.length === 1 ? 'validation' : 'train';
  await expect(draw(sandbox, split, 1)).rejects.toThrow(
    `no row is in the split ${split}; a quarter of different rows falls into validation: give more`,
  );
});

test('2 MB of rows fit; rows that are too much for the memory of a guest end in a sentence', async () => {
  const sandbox = await emptySandbox();
  const rows = rowsText(10_000, 'x'.repeat(160));
  expect(rows.length).toBeGreaterThan(1_900_000);
  await sandbox.load(rowsModule, rows);
  expect(await draw(sandbox, 'train', 64)).toHaveLength(64);
  const many = `[${'{},'.repeat(600_000)}{}]`;
  await expect(sandbox.load(rowsModule, many)).rejects.toThrow(
    'The environment cannot be loaded: its rows need more memory than the sandbox has; give it fewer.',
  );
});

test('a worker that replaces a dead one has the rows', async () => {
  const { pool, faults, close } = await openPool({ size: 1, silenceMs: 20_000 });
  try {
    await pool.load(rowsModule, rowsText(40));
    const ask = () => pool.call([request('tasks', { split: 'validation', seed: 1, start: 0, count: 4, options: {} })]);
    const before = await ask();
    expect(before).toMatchObject([{ kind: 'value' }]);
    await faults.kill(0);
    expect(await ask()).toEqual(before);
  } finally {
    await close();
  }
});
