/** The reader of results, and the results that ship with the page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResults } from '../../src/share/results';
import { maxResultsBytes, readResultsFile } from '../../src/share/results-file';
import { sampleResults } from '../helpers/results';

const [rag, ppo] = sampleResults.rows;
const withRow = (row: object) => ({ ...sampleResults, rows: [{ ...ppo, ...row }] });

const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ ...ppo, name: `row ${i}` }));
const seedsOf = (count: number) => Array.from({ length: count }, (_, seed) => ({ ...ppo.seeds[0], seed }));
const [change] = ppo.changes;
const changesOf = (count: number) => Array.from({ length: count }, (_, i) => ({ ...change, path: `path.${i}` }));

test('results are read as they were written', () => {
  expect(readResults(JSON.parse(JSON.stringify(sampleResults)))).toEqual(sampleResults);
});

test.each([
  ['it is no object', [], /the file: |format: /],
  ['the title is a book', { ...sampleResults, title: 'x'.repeat(9000) }, /title: /],
  ['the format is newer', { ...sampleResults, format: 2 }, /format: /],
  ['there are no rows', { ...sampleResults, rows: [] }, /rows: /],
  ['the date is none', { ...sampleResults, date: 'yesterday' }, /date: Invalid date/],
  ['a row has no seeds', withRow({ seeds: [] }), /rows\.0\.seeds: /],
  ['a share is none', withRow({ paper: 38.77 }), /rows\.0\.paper: /],
  ['an interval is NaN', withRow({ turns: { mean: NaN, low: 0, high: 1 } }), /rows\.0\.turns\.mean: /],
  ['a seed lacks its end', withRow({ seeds: [{ ...rag.seeds[0], end: undefined }] }), /rows\.0\.seeds\.0\.end: /],
  [
    'a change is an object',
    withRow({ changes: [{ path: 'algorithm', from: {}, to: 1 }] }),
    /rows\.0\.changes\.0\.from: /,
  ],
  ['two rows have one name', { ...sampleResults, rows: [ppo, ppo] }, /rows: Two rows of one name/],
  ['there are 3,000 rows', { ...sampleResults, rows: rowsOf(3000) }, /rows: /],
  ['a row has 65 seeds', withRow({ seeds: seedsOf(65) }), /rows\.0\.seeds: /],
  [
    'a seed is there twice',
    withRow({ seeds: [rag.seeds[0], rag.seeds[0]] }),
    /rows\.0\.seeds: Two results of one seed/,
  ],
  [
    'there are 600 seeds',
    { ...sampleResults, rows: rowsOf(10).map((row) => ({ ...row, seeds: seedsOf(60) })) },
    /rows: More than 500 seeds/,
  ],
  ['a row has no name', withRow({ name: '' }), /rows\.0\.name: /],
  ['a name is long', withRow({ name: 'n'.repeat(201) }), /rows\.0\.name: /],
  ['a title is long', { ...sampleResults, title: 't'.repeat(100_001) }, /title: /],
  ['a setting changes twice', withRow({ changes: [change, change] }), /rows\.0\.changes: Two changes of one setting/],
  ['there are 300 changes', withRow({ changes: changesOf(300) }), /rows\.0\.changes: /],
  [
    'a curve is long',
    withRow({ seeds: [{ ...rag.seeds[0], curves: { success: Array(10_001).fill(1), turns: [] } }] }),
    /rows\.0\.seeds\.0\.curves\.success: /,
  ],
])('%s', (_, json, why) => {
  expect(() => readResults(json)).toThrow(why);
  expect(() => readResults(json)).toThrow(/not a table of results that this version can show.*npm run experiment/);
});

test('the list of the shipped results names all of them, and each can be read', () => {
  const folder = join(import.meta.dirname, '../../public/results');
  const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const files = readdirSync(folder).filter((file) => file !== 'index.json');
  expect(json('index.json')).toEqual(files.map((file) => file.replace(/\.json$/, '')).sort());
  for (const file of files) expect(`${readResults(json(file)).name}.json`).toBe(file);
});

const file = (text: string) => readResultsFile(new TextEncoder().encode(text), 'own.json');

test('a file of results is read, and a hundred rows with it', () => {
  expect(file(JSON.stringify(sampleResults))).toEqual(sampleResults);
  expect(file(JSON.stringify({ ...sampleResults, rows: rowsOf(100) })).rows).toHaveLength(100);
});

test.each([
  ['no JSON', '{"format":1,', 'own.json is not JSON: line 1, column 13 cannot be read. Choose the JSON that'],
  ['no text', '', 'own.json is not JSON: line 1, column 1 cannot be read.'],
  ['lists in lists', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'own.json nests too deeply to be a table of results.'],
  ['lists without an end', '['.repeat(100_000), 'own.json is not JSON: '],
  ['too many bytes', ' '.repeat(maxResultsBytes + 1), 'own.json has 5.0 MB, and 5 MB is the most. Choose the JSON'],
])('a file of %s is answered with a sentence', (_, text, sentence) => {
  expect(() => file(text)).toThrow(sentence);
});

test('bytes that are no text are answered with a sentence, and a name is shown without directions', () => {
  expect(() => readResultsFile(Uint8Array.of(0xff), 'a\u202eb.json')).toThrow('a?b.json is not text in UTF-8.');
});
