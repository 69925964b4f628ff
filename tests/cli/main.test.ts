import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const entry = join(import.meta.dirname, '../../src/cli/main.mjs');
const command = (...args: string[]) => spawnSync(process.execPath, [entry, ...args], { encoding: 'utf8', cwd: '/' });

// The first command of a checkout builds the commands, and says so.
beforeAll(() => void command('--help'));

test('--help lists the commands on stdout and succeeds', () => {
  const { status, stdout, stderr } = command('--help');
  expect([status, stderr]).toEqual([0, '']);
  for (const name of ['train', 'eval', 'bench', 'estimators', 'experiment', 'serve', 'record'])
    expect(stdout).toContain(`\n  ${name}`);
});

test.each([
  ['tran', ' Did you mean train?'],
  ['constructor', ''],
  ['', ''],
])('%j is no command: a sentence and the usage on stderr, status 2', (name, hint) => {
  const { status, stdout, stderr } = command(name);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr.startsWith(`There is no command "${name}".${hint}\n\nAgentlet trains`)).toBe(true);
});

test('a link stands in single quotes, in which no shell runs a part of it', () => {
  const root = join(import.meta.dirname, '../..');
  const texts = [
    'README.md',
    'src/environments/README.md',
    ...readdirSync(join(root, 'src/cli')).map((f) => `src/cli/${f}`),
  ];
  const commands = texts
    .filter((path) => /\.(md|ts|mjs)$/.test(path))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/npm run .*[?'" ]v=1.*/g) ?? []);
  expect(commands.length).toBeGreaterThan(0);
  for (const each of commands) expect(each).toMatch(/ '[^']*v=1[^']*'/);
});

test('no command at all prints the usage and does not succeed', () => {
  expect(command().status).toBe(2);
});
