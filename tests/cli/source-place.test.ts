/** A sentence about an environment gets the line and the column of what it speaks of. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileOf, withPlace } from '../../src/cli/source-place';
import { moduleOf, parts } from '../environments/own';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = `export const meta = {
  title: 'Shop',
};
export const tools = [tool({ name: 'look' })];
export function* flow() {}
  export const reward = () => 1;
export async function tasks() {}`;

test.each([
  ['meta lacks task.', 'meta lacks task (shop.js:1:1).'],
  ['meta.title is not as expected: too long.', 'meta.title is not as expected: too long (shop.js:2:3).'],
  ['meta.colour is unknown', 'meta.colour is unknown (shop.js:1:1)'],
  ['TypeError: tool look returned 3; it must', 'TypeError: tool look returned 3; it must (shop.js:4:30)'],
  ['TypeError: flow returned 3', 'TypeError: flow returned 3 (shop.js:5:1)'],
  ['TypeError: tasks returned a promise', 'TypeError: tasks returned a promise (shop.js:7:1)'],
  ['SyntaxError: no (environment.js:9:2).', 'SyntaxError: no (shop.js:9:2).'],
  ['The oracle solves 32 of 32 tasks.', 'The oracle solves 32 of 32 tasks.'],
  ['summary returned 3', 'summary returned 3'],
  ['tool $&(.* returned 3', 'tool $&(.* returned 3'],
])('%j', (sentence, expected) => {
  expect(withPlace(sentence, source, 'shop.js')).toBe(expected);
});

test('the file is the one that the command was given, or the built-in one', () => {
  expect(fileOf('my/shop.js', { name: 'shop', source })).toBe('my/shop.js');
  expect(fileOf('v=1&x=abc', { name: 'shop', source })).toBe('environment.js');
  expect(fileOf('calculator-mini', { name: 'calculator' })).toBe('src/environments/calculator/environment.js');
});

test.each<[string, Partial<typeof parts>, RegExp]>([
  ['a syntax error', { data: 'const things = [;' }, /broken\.js:2:\d+\)/],
  ['an error at loading', { data: 'const price = 1; nothing();' }, /broken\.js:2:\d+\)/],
  ['a field of meta that is missing', { texts: `task: 'x',` }, /meta lacks watch \(.*broken\.js:4:1\)\./],
  [
    'a reward that is no score',
    { reward: '\nexport const reward = () => 3;' },
    /reward returned 3; .*broken\.js:\d+:1\)/,
  ],
])('env check prints line and column of %s', async (_, changed, expected) => {
  const file = join(folder, 'broken.js');
  writeFileSync(file, moduleOf({ data: parts.data, ...changed }));
  const { code, stdout, stderr } = await runCommand('env', 'check', file);
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(expected);
});

test('env check takes the name of a built-in environment and prints what it measured', async () => {
  const { code, stdout } = await runCommand('env', 'check', 'bandit');
  expect(code).toBe(0);
  expect(stdout).toContain('The oracle, 50 episodes: a second play gave the same.');
  expect(stdout).toContain('Random play, 50 episodes: a second play gave the same.');
});
