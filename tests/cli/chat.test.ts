/** Chat in the terminal: the agent of a preset's warm start, with its tool calls. */
import { expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entry } from '../helpers/command-lines';
import { runCommand } from '../helpers/command';

test('a message is answered with the calls that it took', async () => {
  const { code, stdout, stderr } = await runCommand('chat', 'calculator-mini', '17*14', '--device', 'cpu');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^( {2}calc \{.*\} → .*\n)*.+\n$/);
});

test('lines of standard input are answered one after the other, until an empty one', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, 'chat', 'bandit', '--device', 'cpu'], {
    input: 'table 1\ntable 2\n\ntable 3\n',
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('Two-armed bandit, after iteration 0. Ask, for example: ');
  expect(stdout.trimEnd().split('\n').length).toBe(2);
});

test('an episode that a call ended is not said to lack an answer', async () => {
  const { code, stdout, stderr } = await runCommand('chat', 'bisect', 'first 3 in 8 commits', '--device', 'cpu');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^( {2}test \{.*\} → .*\n)+The last call ended the episode\.\n$/);
});

test('a question is about the rows of a file, in a world that takes them', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'chat-')), 'teams.csv');
  writeFileSync(file, 'Team,Price\nThe Reds,20\nBlues,7\nThe Reds,31.25\n');
  const asked = ['how many rows where team the reds', '--device', 'cpu', '--rows', file];
  const { code, stdout, stderr } = await runCommand('chat', 'your-table', ...asked);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('  filter {"condition":"team the-reds"} → left 2\n  count {} → 2\n2\n');
  const refused = await runCommand('chat', 'bandit', 'table 1', '--device', 'cpu', '--rows', file);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('Two-armed bandit is not asked about rows: leave out --rows.');
});

test('what is no run and no preset is named', async () => {
  const { code, stderr } = await runCommand('chat', 'bandti');
  expect(code).toBe(1);
  expect(stderr).toContain('Did you mean bandit?');
});
