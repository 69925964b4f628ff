import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '../../src/cli/main.mjs');
const command = (...args: string[]) => spawnSync(process.execPath, [entry, ...args], { encoding: 'utf8', cwd: '/' });

test('--help lists the commands on stdout and succeeds', () => {
  const { status, stdout, stderr } = command('--help');
  expect([status, stderr]).toEqual([0, '']);
  for (const name of ['train', 'eval', 'bench', 'estimators', 'experiment', 'record'])
    expect(stdout).toContain(`\n  ${name}`);
});

test.each([['tran'], ['constructor'], ['']])(
  '%j is no command: a sentence and the usage on stderr, status 2',
  (name) => {
    const { status, stdout, stderr } = command(name);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(`There is no command "${name}".\n`)).toBe(true);
  },
);

test('no command at all prints the usage and does not succeed', () => {
  expect(command().status).toBe(2);
});
