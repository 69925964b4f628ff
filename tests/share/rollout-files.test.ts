/** Files of rollouts of other trainers: recognised by their fields, grouped, and refused in a sentence. */
import { expect, test } from 'vitest';
import {
  advantagesFollow,
  maxRolloutFileBytes,
  readRolloutFile,
  rolloutsOf,
  type RolloutFile,
} from '../../src/share/rollout-files/rollout-file';
import type { FileRow } from '../../src/share/rollout-files/format';
import { format as trl } from '../../src/share/rollout-files/formats/trl';
import { format as verl } from '../../src/share/rollout-files/formats/verl';
import { maxGroup } from '../../src/share/rollout-files/step-limits';
import { bytesOf, linesOf, manyTokens, ownColumns, trlRows, unipoLog, verlRows } from '../helpers/rollout-files';

const read = (text: string, name = 'r.jsonl') => readRolloutFile(bytesOf(text), name);
const weightsOf = ({ terms }: RolloutFile) => terms.map(({ weight }) => weight);
const groupsOf = (file: RolloutFile, step: number) =>
  rolloutsOf(file, step, weightsOf(file)).map(({ group, reward }) => [group, reward]);

test('TRL: columns of numbers are rewards, null is none, and equal prompts of a step are a group', () => {
  const file = read(linesOf(trlRows));
  expect(file).toMatchObject({ name: 'r.jsonl', format: 'TRL', steps: [5, 10], hasLogProbs: false });
  expect(file.terms).toEqual([
    { name: 'accuracy_reward', weight: 1 },
    { name: 'format_reward', weight: 1 },
  ]);
  expect(groupsOf(file, 10)).toEqual([
    [0, 1.5],
    [0, 0],
    [1, 1],
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  expect(file.rollouts[1]).toEqual({
    step: 10,
    prompt: 'What is 2 + 2?',
    response: 'It is 4.',
    rewards: [1, 0.5],
    advantages: [1.4999],
  });
  expect(rolloutsOf(file, 10, [0, 2])[0].reward).toBe(1);
});

const columns = Object.keys(trlRows[0]) as (keyof (typeof trlRows)[0])[];
const byRow = <T>(cell: (row: (typeof trlRows)[0]) => T) => Object.fromEntries(trlRows.map((row, i) => [i, cell(row)]));
test.each<[string, unknown]>([
  ['a list of objects', trlRows],
  ['columns and data, as W&B keeps tables', { columns, data: trlRows.map((row) => columns.map((name) => row[name])) }],
  ['columns of cells by row, as pandas writes them', Object.fromEntries(columns.map((c) => [c, byRow((r) => r[c])]))],
  ['columns of lists', Object.fromEntries(columns.map((name) => [name, trlRows.map((row) => row[name])]))],
])('TRL as %s is the same', (_, json) => {
  const { rollouts } = read(linesOf(trlRows));
  expect(read(JSON.stringify(json)).rollouts).toEqual(rollouts);
  expect(read(`\uFEFF${JSON.stringify(json, null, 2)}\r\n`).rollouts).toEqual(rollouts);
});

test('brackets in a text are no lists', () => {
  const prompt = '[{"\\'.repeat(5000);
  const [row] = trlRows;
  expect(read(linesOf([{ ...row, prompt }])).rollouts[0].prompt).toBe(prompt);
});

test('TRL without advantages, with steps as text, and with a reward function that not all steps had', () => {
  const rows = trlRows.map(({ advantage: _, ...row }) => ({ ...row, step: String(row.step) }));
  const file = read(linesOf([...rows, { ...rows[0], step: '11', length_reward: 2 }]));
  expect(file.rollouts[0]).not.toHaveProperty('advantages');
  expect(file.terms.map(({ name }) => name)).toEqual(['accuracy_reward', 'format_reward', 'length_reward']);
  expect(groupsOf(file, 11)).toEqual([[0, 3]]);
  expect(groupsOf(file, 5)).toEqual([[0, 1]]);
});

test('the advantages of a file tell whether its reward is the right one', () => {
  const file = read(linesOf(trlRows));
  expect(advantagesFollow(rolloutsOf(file, 10, [1, 1]))).toBe(true);
  const rows = trlRows.map((row, i) => ({ ...row, response_length: 10 * i }));
  const longer = read(linesOf(rows));
  expect(advantagesFollow(rolloutsOf(longer, 10, [1, 1, 1]))).toBe(false);
  expect(advantagesFollow(rolloutsOf(longer, 10, [1, 1, 0]))).toBe(true);
  expect(advantagesFollow(rolloutsOf(longer, 10, [-1, -1, 0]))).toBe(false);
  expect(advantagesFollow(rolloutsOf(read(linesOf(verlRows)), 7, [1, 0]))).toBe(true);
});

test('verl: the score is the reward, and other keys are terms that count 0 until somebody weighs them', () => {
  const file = read(linesOf(verlRows), '7.jsonl');
  expect(file).toMatchObject({ format: 'verl', steps: [7], hasLogProbs: false });
  expect(file.terms).toEqual([
    { name: 'score', weight: 1 },
    { name: 'acc', weight: 0 },
  ]);
  expect(groupsOf(file, 7)).toEqual([1, -1, -1, 1].map((score) => [0, score]));
  expect(file.rollouts[0]).toMatchObject({ response: 'Answer: 3', rewards: [1, 1] });
  const { gts: _, ...older } = verlRows[0];
  expect(read(JSON.stringify(older)).rollouts).toHaveLength(1);
});

test('UNIPO: responses have their tokens, and entries with metrics alone are passed over', () => {
  const file = read(JSON.stringify(unipoLog), 'run.json');
  expect(file).toMatchObject({ format: 'UNIPO', steps: [0], hasLogProbs: true });
  expect(file.rollouts.map(({ tokens, rewards, advantages }) => [tokens, rewards, advantages])).toEqual([
    [4, [1], [1, 1.1, 1.2, 1.3]],
    [2, [0], [-1, -0.9]],
  ]);
  const { header, entries } = unipoLog;
  const lines = linesOf([{ type: 'header', ...header }, ...entries.map((each) => ({ type: 'step', ...each }))]);
  expect(read(lines).rollouts).toEqual(file.rollouts);
  expect(read(JSON.stringify({ ...entries[0], metrics: undefined })).rollouts).toEqual(file.rollouts);
});

test('a group of one is a group', () => {
  expect(groupsOf(read(linesOf(verlRows.slice(0, 1))), 7)).toEqual([[0, 1]]);
});

const trlWith = (change: object) => linesOf([trlRows[0], { ...trlRows[1], ...change }]);
const unipo = (change: object) => {
  const [entry] = structuredClone(unipoLog.entries) as unknown as { prompts: { responses: object[] }[] }[];
  Object.assign(entry.prompts[0].responses[1], change);
  return JSON.stringify({ ...unipoLog, entries: [entry] });
};
test.each<[string, string, string]>([
  ['an empty file', '', 'r.jsonl is empty. Choose a file that holds rollouts.'],
  ['white space', '\n \n', 'r.jsonl is empty.'],
  ['no rows', '[]', 'r.jsonl holds no rows. Choose a file that holds rollouts.'],
  ['a number', '7', 'r.jsonl: it is 7, and must be an object of fields.'],
  ['a row that is none', '[null]', 'Row 1 of r.jsonl: it is null, and must be an object of fields.'],
  ['text', 'hello', 'r.jsonl is not JSON: line 1, column 1 cannot be read. Write the file again.'],
  [
    'a line cut short',
    linesOf(trlRows).slice(0, -20),
    'Line 7 of r.jsonl: it is not JSON, it ends too early. Remove the line, or write the file again.',
  ],
  ['19 MB of opened lists', '['.repeat(19_000_000), 'Line 1 of r.jsonl nests more than 1000 lists or objects.'],
  ['lists in lists', `{}\n${'['.repeat(1001)}`, 'Line 2 of r.jsonl nests more than 1000 lists or objects.'],
  ['lists beside lists', `[${'[],'.repeat(1_000_000)}[]]`, 'r.jsonl has more than a million lists and objects.'],
  [
    'a list cut short',
    JSON.stringify(trlRows, null, 1).slice(0, -20),
    'r.jsonl is not JSON: line 56, it ends too early.',
  ],
  [
    'NaN, as Python writes it',
    linesOf(verlRows).replace('"score":-1', '"score": NaN'),
    'Line 2 of r.jsonl: it is not JSON, column 112 has NaN, which JSON does not have: write null there.',
  ],
  [
    'another format',
    '{"question":"a","answer":"b"}',
    'r.jsonl is of no known format: it has question, answer. A file of TRL has step, prompt, completion and rewards; ' +
      'UNIPO has header and entries; verl has input, output, score and step.',
  ],
  ['no fields', '{}', 'r.jsonl is of no known format: its first row is empty.'],
  [
    'a text for a reward',
    trlWith({ accuracy_reward: 'NaN' }),
    'Line 2 of r.jsonl: accuracy_reward is the text "NaN", and must be a number. ' +
      'Write null where the reward function gave none, or remove the row.',
  ],
  [
    'too large a reward',
    trlWith({}).replace('"accuracy_reward":1,"format_reward":0.5', '"accuracy_reward":1e999'),
    'Line 2 of r.jsonl: accuracy_reward is too large a number',
  ],
  [
    'no reward',
    trlWith({ accuracy_reward: null, format_reward: null }),
    'Line 2 of r.jsonl: there is no reward. Add a column',
  ],
  ['no step', trlWith({ step: undefined }), 'Line 2 of r.jsonl: step is missing, and must be a whole number from 0.'],
  ['half a step', trlWith({ step: 1.5 }), 'Line 2 of r.jsonl: step is 1.5, and must be'],
  [
    'a prompt of messages',
    trlWith({ prompt: [{ role: 'user' }] }),
    'Line 2 of r.jsonl: prompt is a list, and must be text.',
  ],
  ['no completion', trlWith({ completion: null }), 'Line 2 of r.jsonl: completion is null, and must be text.'],
  [
    'a text for an advantage',
    trlWith({ advantage: '1' }),
    'Line 2 of r.jsonl: advantage is the text "1", and must be a number.',
  ],
  [
    'verl without a score',
    linesOf([verlRows[0], { ...verlRows[0], score: null }]),
    'Line 2 of r.jsonl: score is null, and must be a number.',
  ],
  [
    'UNIPO without a reward',
    unipo({ reward: undefined }),
    'r.jsonl, entry 1, prompt 1, response 2: reward is missing, and must be a number.',
  ],
  ['UNIPO without tokens', unipo({ tokens: { ids: [] } }), 'r.jsonl, entry 1, prompt 1, response 2: it has no tokens.'],
  [
    'UNIPO with values for some tokens',
    unipo({ tokens: { ids: [1, 2], values: [0.5] } }),
    'r.jsonl, entry 1, prompt 1, response 2, tokens: values is not a list of 2 numbers, one a token.',
  ],
  [
    'UNIPO’s file of metrics',
    JSON.stringify({ ...unipoLog, entries: unipoLog.entries.slice(1) }),
    'r.jsonl: no entry has prompts with responses. Open the log that was given to its build script.',
  ],
  ['Parquet', 'PAR1\u0015', 'r.jsonl is a Parquet file. Write it as JSON lines first: pandas.read_parquet(file)'],
])('%s is answered with a sentence', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

test('bytes that are no text, too many bytes and too large a group are answered with a sentence', () => {
  expect(() => readRolloutFile(Uint8Array.of(0x7b, 0xff, 0xfe), 'r.json')).toThrow('r.json is not text in UTF-8.');
  expect(() => readRolloutFile(new Uint8Array(maxRolloutFileBytes + 1), 'r.json')).toThrow(
    'r.json has 20.0 MB, and 20 MB is the most. Keep the rows of fewer steps.',
  );
  const many = linesOf(Array.from({ length: maxGroup + 1 }, () => verlRows[0]));
  expect(() => read(many)).toThrow('r.jsonl has more than 1024 rollouts of one prompt in step 7. Keep fewer of them.');
});

test('a file of nearly 20 MB is read', () => {
  const output = 'x'.repeat(100_000);
  const file = read(
    linesOf(Array.from({ length: 190 }, (_, i) => ({ ...verlRows[0], input: `task ${i >> 3}`, output }))),
  );
  expect(new Set(groupsOf(file, 7).map(([group]) => group)).size).toBe(24);
});

test('names of columns that mean something to JavaScript are names', () => {
  const file = read('{"step":1,"prompt":"a","completion":"b","__proto__":1,"constructor":2}');
  expect(file.terms.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  expect(groupsOf(file, 1)).toEqual([[0, 3]]);
});

const trlRow = { step: 1, prompt: 'p', completion: '' };
const [verlRow] = verlRows;
/** A row with that many columns of this value. */
const wide = (row: object, count: number, value: unknown) =>
  linesOf([{ ...row, ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, value])) }]);

test.each<[string, string, string]>([
  [
    'TRL with columns for each row',
    ownColumns(25),
    'Line 1 of r.jsonl: it brings the 65th column of numbers, and 64 reward terms are the most. Remove the columns',
  ],
  [
    'verl with columns for each row',
    ownColumns(25, 100, verlRow),
    'Line 1 of r.jsonl: it brings the 65th column of numbers, and 64 reward terms are the most. Remove the columns',
  ],
  ['TRL with columns of text', wide({ ...trlRow, r: 1 }, 1100, 'x'), 'r.jsonl: it brings the 1025th column'],
  ['verl with columns of text', wide(verlRow, 1100, 'x'), 'r.jsonl: it brings the 1025th column'],
  [
    'a table of many columns',
    JSON.stringify({ columns: Array.from({ length: 1025 }, (_, i) => `c${i}`), data: [[]] }),
    'r.jsonl has 1025 columns, and 1024 are the most. Remove columns.',
  ],
  [
    'a table whose columns have no names',
    '{"columns":[{"toString":1,"valueOf":1}],"data":[[1]]}',
    'r.jsonl: the name of column 1 is an object, and must be text. Write the table again.',
  ],
  [
    'a table with two columns of one name',
    '{"columns":["r","r"],"data":[[1,2]]}',
    'r.jsonl: two columns are called r. Rename one of them.',
  ],
  [
    'a long name of a reward',
    JSON.stringify({ ...trlRow, ['r'.repeat(201)]: 1 }),
    'r.jsonl: the name of a column has 201 characters, and 200 are the most. Shorten it.',
  ],
  [
    'more tokens than a step may have',
    manyTokens(100_001),
    'r.jsonl has more than 200000 tokens in step 4. Keep fewer rollouts of the step.',
  ],
  [
    'more rollouts than a step may have',
    linesOf(Array.from({ length: 16_385 }, (_, i) => ({ ...trlRow, prompt: `p${i >> 6}`, r: 1 }))),
    'r.jsonl has more than 16384 rollouts in step 1. Keep fewer of them.',
  ],
  [
    'more groups than a step may have',
    linesOf(Array.from({ length: 1025 }, (_, i) => ({ ...trlRow, prompt: `p${i}`, r: 1 }))),
    'r.jsonl has more than 1024 prompts in step 1. Keep fewer of them.',
  ],
  [
    'more steps than a file may have',
    linesOf(Array.from({ length: 2049 }, (_, step) => ({ ...trlRow, step, r: 1 }))),
    'r.jsonl has more than 2048 steps. Keep fewer of them.',
  ],
  [
    'more rollouts than a file may have',
    linesOf(Array.from({ length: 100_001 }, (_, i) => ({ ...trlRow, step: i >> 8, prompt: '', r: 1 }))),
    'r.jsonl has 100001 rollouts, and 100000 are the most. Keep the rows of fewer steps.',
  ],
])('%s is refused before anything is built', (_, text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

test('64 rewards are read, and so are columns of text beside them', () => {
  const { terms, rollouts } = read(wide(trlRow, 64, 1));
  expect([terms.length, rollouts[0].rewards.length]).toEqual([64, 64]);
  expect(read(wide({ ...trlRow, r: 1 }, 900, 'x')).terms).toHaveLength(1);
  expect(read(manyTokens(100_000)).rollouts).toHaveLength(2);
});

test.each([
  ['TRL', trl, trlRow],
  ['verl', verl, verlRow],
])('%s: no row is read behind the one that brings too many columns', (_, format, base) => {
  const read: number[] = [];
  const rows = Array.from({ length: 50 }, (_row, i) => {
    const fields: FileRow['fields'] = { ...base, ...Object.fromEntries([...'abcdef'].map((name) => [name + i, 1])) };
    return {
      place: `Row ${i + 1}`,
      get fields() {
        read.push(i);
        return fields;
      },
    };
  });
  expect(() => format.read(rows)).toThrow('Row 11: it brings the 65th column of numbers');
  expect(read).toEqual(Array.from({ length: 11 }, (_row, i) => i));
});
