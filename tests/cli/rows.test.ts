/** `--rows`: small rows travel with run, checkpoint and link; large ones are named by digest and asked for. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rowsDigest } from '../../src/agent/rows';
import { readCheckpointHead } from '../../src/rl/checkpoint';
import { rowsModule, rowsText } from '../environments/rows-module';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const quiz = write('quiz.js', rowsModule);
const smallRows = rowsText(60);
const largeRows = rowsText(400, 'x'.repeat(100));
const small = write('small.jsonl', smallRows);
const large = write('large.jsonl', largeRows);
const other = write('other.jsonl', rowsText(500, 'x'.repeat(100)));
const settings = 'layers=1 width=32 ff=32 demos=16 warm=4 warmBatch=8 tasks=2 group=4 turns=2 tokens=12 evalTasks=8';
const set = settings.split(' ').flatMap((each) => ['--set', each]);
const train = async (name: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runCommand('train', ...args, '--json', '--out', join(folder, name));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { fingerprint: string; link: string };
};
const recordOf = (name: string) => JSON.parse(readFileSync(join(folder, name, 'run.json'), 'utf8')).config;
const headOf = (name: string) => readCheckpointHead(readFileSync(join(folder, name, 'checkpoint.safetensors'))).config;
const refusal = async (...args: string[]) => {
  const { code, stderr } = await runCommand(...(args as [string, ...string[]]));
  expect(code).toBe(1);
  expect(stderr).not.toContain('    at ');
  return stderr;
};

test('small rows are in run.json, the checkpoint and the link, which repeats the run', async () => {
  const first = await train('small', quiz, '--rows', small, '--iterations', '2', '--device', 'cpu', ...set);
  expect(recordOf('small').environment).toEqual({ name: 'quiz', options: {}, source: rowsModule, rows: smallRows });
  expect(headOf('small')).toEqual(recordOf('small'));
  const again = await train('small-again', first.link);
  expect(again.fingerprint).toBe(first.fingerprint);
  expect((await runCommand('eval', join(folder, 'small'))).code).toBe(0);
});

test('a table in CSV is rows, too', async () => {
  const table = write(
    'data.csv',
    ['question,answer', ...Array.from({ length: 40 }, (_, i) => `q${i},${i}`)].join('\n'),
  );
  const { code, stdout } = await runCommand('config', quiz, '--rows', table);
  expect(code).toBe(0);
  const { rows } = (JSON.parse(stdout) as { environment: { rows: string } }).environment;
  expect(rows.split('\n').slice(0, 2)).toEqual(['{"question":"q0","answer":0}', '{"question":"q1","answer":1}']);
  const bad = write('bad.csv', 'question,answer\nq1\n');
  expect(await refusal('config', quiz, '--rows', bad)).toContain('Line 2 of bad.csv has 1 values');
});

test('large rows are named by their digest, asked for, and compared with it', async () => {
  const first = await train('large', quiz, '--rows', large, '--iterations', '2', '--device', 'cpu', ...set);
  const digest = await rowsDigest(largeRows);
  expect(recordOf('large').environment).toEqual({ name: 'quiz', options: {}, source: rowsModule, rowsDigest: digest });
  expect(headOf('large')).toEqual(recordOf('large'));
  const sha = digest.split('-')[1];
  const missing =
    `The tasks of this run are made from a file of 400 rows (SHA-256 ${sha}), which is too large to come with ` +
    `it: give it with --rows FILE, or drop it on the page.`;
  const run = join(folder, 'large');
  expect(await refusal('train', first.link)).toContain(missing);
  expect(await refusal('env', 'check', first.link)).toContain(missing);
  expect(await refusal('eval', run)).toContain(missing);
  expect(await refusal('train', '--resume', run)).toContain(missing);
  expect(await refusal('eval', run, '--rows', other)).toContain(
    `This run was made with 400 rows (SHA-256 ${sha}), and other.jsonl are 500 rows (SHA-256 `,
  );
  const again = await train('large-again', first.link, '--rows', large);
  expect(again.fingerprint).toBe(first.fingerprint);
  expect((await runCommand('eval', run, '--rows', large)).code).toBe(0);
  expect((await runCommand('train', '--resume', run, '--rows', large)).code).toBe(0);
});

test('env check plays an environment with rows, and finds no task in two splits', async () => {
  const { code, stdout } = await runCommand('env', 'check', quiz, '--rows', large, ...set);
  expect(stdout).toContain('The demonstration: solves 50 of 50');
  expect(stdout).toContain('No id and no prompt is in two splits');
  expect(code).toBe(0);
});

test.each<[string, string | Buffer, string]>([
  ['not JSON', '{"q":1}\nq: 2\n', 'Line 2 of bad.jsonl is not JSON: column 1 cannot be read.'],
  ['empty', '\n', 'There is no row in bad.jsonl: write one JSON value a line.'],
  ['too large', `"${'x'.repeat(2_000_000)}"`, 'There are 2000002 bytes in bad.jsonl, and 2000000 is the most.'],
  ['no text', Buffer.from([0x22, 0xff, 0x22]), 'bad.jsonl cannot be read as UTF-8 text.'],
])('rows that are %s end in a sentence', async (_, content, sentence) => {
  const path = join(folder, 'bad.jsonl');
  writeFileSync(path, content);
  expect(await refusal('env', 'check', quiz, '--rows', path)).toContain(sentence);
});

test('no such file, and rows for an environment that takes none, end in a sentence', async () => {
  expect(await refusal('env', 'check', quiz, '--rows', join(folder, 'none.jsonl'))).toContain('There is no file ');
  expect(await refusal('env', 'check', 'calculator', '--rows', small)).toContain(
    'there are rows, and tasks does not take them; write it as tasks(rng, split, options, rows)',
  );
});
