/** Chat in the terminal: the agent of a preset's warm start, with its tool calls. */
import { expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
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

test('what is no run and no preset is named', async () => {
  const { code, stderr } = await runCommand('chat', 'bandti');
  expect(code).toBe(1);
  expect(stderr).toContain('Did you mean bandit?');
});
