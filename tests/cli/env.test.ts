/**
 * An environment of one's own in the terminal: checked before it is trained, and not trained if that finds a problem.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { givenRun } from '../../src/cli/run-config';
import { openRunLink, runLink } from '../../src/config/run-link';
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

test('a check that names a limit names the flags that lift it, and they do', async () => {
  const small = ['context=32', 'turns=1', 'tokens=4'].flatMap((each) => ['--set', each]);
  const { code, stdout } = await runCommand('env', 'check', sound, ...small);
  expect(code).toBe(1);
  expect(stdout).toContain('It takes 2 turns, with the answer; rollout.maxTurns is 1: add --set turns=2.');
  expect(stdout).toMatch(/A turn takes 5 tokens; rollout\.maxTokens is 4: add --set tokens=5[^\n]*\.\n/);
  const told = [...stdout.matchAll(/--set (\w+=\d+)/g)].flatMap(([, setting]) => ['--set', setting]);
  const lifted = await runCommand('env', 'check', sound, ...small, ...told);
  expect(lifted.stdout).not.toContain('PROBLEM');
  expect(lifted.code).toBe(0);
});

test('a module that proposes limits is checked with them, and explicit settings win', async () => {
  const file = join(folder, 'limits.js');
  writeFileSync(file, moduleOf({ title: "title: 'Shop', limits: { turns: 7, context: 200, tokens: 9 }," }));
  const config = async (...set: string[]) => (await givenRun(file, { set })).config;
  expect(await config()).toMatchObject({ model: { context: 200 }, rollout: { maxTurns: 7, maxTokens: 9 } });
  expect(await config('turns=4', 'model.context=128')).toMatchObject({
    model: { context: 128 },
    rollout: { maxTurns: 4, maxTokens: 9 },
  });
  const { stdout } = await runCommand('env', 'check', file);
  expect(stdout).toMatch(/fits: turns 2 of 7, longest turn 5 of 9 tokens, .* of 200\./);
  const part = join(folder, 'part.json');
  writeFileSync(part, JSON.stringify({ environment: { file: 'limits.js' }, rollout: { maxTurns: 3 } }));
  expect((await givenRun(part)).config.rollout).toMatchObject({ maxTurns: 3, maxTokens: 9 });
  for (const [set, turns] of [
    [[], 7],
    [['turns=4'], 4],
  ] as const) {
    const given = await config(...set);
    const again = (await givenRun(await runLink(given, null))).config;
    expect(again, 'a link has the settings of its run').toEqual({ ...given, environment: again.environment });
    expect(again.rollout.maxTurns).toBe(turns);
    expect((await openRunLink(await runLink(given, null))).config.rollout.maxTurns).toBe(turns);
  }
});

test.each([
  ['{ turns: 65 }', 'meta.limits.turns is not as expected: it takes whole numbers from 1 to 64'],
  ['{ context: 31 }', 'meta.limits.context is not as expected: it takes whole numbers from 32 to 1024'],
  ["{ tokens: '9' }", 'meta.limits.tokens is not as expected: it takes whole numbers from 1 to 512'],
  ['{ turns: 1.5 }', 'meta.limits.turns is not as expected: it takes whole numbers from 1 to 64'],
  ['{ steps: 3 }', 'meta.limits.steps is not as expected: it may have turns, context and tokens'],
  ['{ context: 64, tokens: 64 }', 'tokens of a turn must be fewer than those of the context'],
])('limits of %s are refused in a sentence', async (limits, sentence) => {
  const file = join(folder, 'wrong-limits.js');
  writeFileSync(file, moduleOf({ title: `title: 'Shop', limits: ${limits},` }));
  const { code, stderr } = await runCommand('env', 'check', file);
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).not.toContain('    at ');
});
