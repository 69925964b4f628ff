/**
 * An environment of one's own in the terminal: checked before it is trained, and not trained if that finds a problem.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { moduleOf } from '../environments/own';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-env-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sound = join(folder, 'shop.js');
const faulty = join(folder, 'faulty.js');
writeFileSync(sound, moduleOf());
writeFileSync(faulty, moduleOf({ reward: 'export const reward = async () => ({ success: true, exact: 1 });' }));
const sentence =
  /PROBLEM The demonstration: the environment failed in 32 of 32 episodes: TypeError: reward returned a promise/;

test('check prints what came of it and ends with 0, or with 1 if there is a problem', async () => {
  const { stdout } = await runCommand('env', 'check', sound);
  expect(stdout).toMatch(/^Shop: 32 tasks were played\.\n/);
  expect(stdout).toContain('good    The demonstration solves 32 of 32 tasks. Reinforcement has little left to learn.');
  const { code, stdout: problems, stderr } = await runCommand('env', 'check', faulty);
  expect(code).toBe(1);
  expect(problems).toMatch(sentence);
  expect(stderr).not.toContain('    at ');
});

test('train refuses an environment with a problem, and leaves no folder', async () => {
  const out = join(folder, 'run');
  const { code, stderr } = await runCommand('train', faulty, '--out', out);
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr).toContain('Nothing was trained: mend what is marked PROBLEM and start again.');
  expect(existsSync(out)).toBe(false);
});
