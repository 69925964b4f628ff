/** Bisection: what a test tells, that no demonstration halves, and how far policies that do not halve get. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn } from '../../src/agent/env';
import type { Json, Task } from '../../src/agent/types';
import { presetByName } from '../../src/config/presets';
import { mean } from '../../src/lib/mean';
import { OpenEnvironment, type Played } from './open';

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 128;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const commitsOf = (task: Task) => (task.data as unknown as { readonly left: number }).left;
const log2 = (commits: number) => Math.ceil(Math.log2(commits));
const binary = (commit: number) => commit.toString(2).padStart(7, '0');
const writes = (commit: string) => ({ calls: [{ name: 'test', arguments: { commit } }] });
const testOf = (commit: number) => writes(binary(commit));

beforeAll(async () => {
  environment = await OpenEnvironment.open('bisect');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

const playAll = (split: string, policy?: string) => environment.playAll(drawn.get(split)!, policy);

const shareSolved = (episodes: readonly Played[]) => mean(episodes.map(({ success }) => Number(success)));
const meanTests = (episodes: readonly Played[]) => mean(episodes.map(({ results }) => results.length));

/** A row of twenty commits, of which the seventh is the first bad one. */
const row: Task = { id: 'x', prompt: 'first 7 in 20 commits', data: { left: 20, first: 7, bug: 0 } };
/** A row of five, with the bug where it is hardest to find. */
const hard: Task = { id: 'x', prompt: 'bug 1 in 5 commits', data: { left: 5, first: null, bug: 1 } };

describe('tasks', () => {
  test('training has 16 to 32 commits, the other split 33 to 64', () => {
    const between = (least: number, most: number) =>
      new Set(Array.from({ length: most - least + 1 }, (_, i) => least + i));
    for (const split of ['train', 'validation'])
      expect(new Set(drawn.get(split)!.map(commitsOf))).toEqual(between(16, 32));
    const outside = new Set(drawn.get('out-of-distribution')!.map(commitsOf));
    expect([Math.min(...outside), Math.max(...outside)]).toEqual([33, 64]);
    expect(outside.size).toBeGreaterThan(25);
  });

  test('no prompt is in two splits', () => {
    const [train, validation, outside] = splits.map((split) => new Set(drawn.get(split)!.map(({ prompt }) => prompt)));
    expect([...validation, ...outside].filter((prompt) => train.has(prompt))).toEqual([]);
    expect([...outside].filter((prompt) => validation.has(prompt))).toEqual([]);
  });
});

describe('a test of a commit', () => {
  test('says how many commits can still be the first bad one, until one can', async () => {
    const { results, success, terms } = await environment.play(row, [10, 5, 2, 1, 1].map(testOf));
    expect(results).toEqual([
      'bad left 0001010',
      'good left 0000101',
      'bad left 0000010',
      'good left 0000001',
      'nothing new',
    ]);
    expect({ success, terms }).toEqual({ success: true, terms: { found: 1 } });
  });

  test('is of the row that a message names, with or without its last word', async () => {
    for (const prompt of ['first 21 in 64 commits', 'first 21 in 64'])
      expect((await environment.play({ ...row, prompt }, [testOf(32)])).results).toEqual(['bad left 0100000']);
  });

  test('leaves more commits rather than fewer where the first bad one is not named', async () => {
    expect((await environment.play(hard, [testOf(1)])).results).toEqual(['good left 0000100']);
    expect((await environment.play(hard, [testOf(4)])).results).toEqual(['bad left 0000100']);
  });

  test('that halves leaves either half, by the number of the bug', async () => {
    const said = [];
    for (let bug = 1; bug <= 20; bug++) {
      const task = { ...hard, prompt: `bug ${bug} in 4 commits`, data: { left: 4, first: null, bug } };
      said.push(...(await environment.play(task, [testOf(2)])).results);
    }
    expect(new Set(said)).toEqual(new Set(['bad left 0000010', 'good left 0000010']));
  });

  test.each([0, 20, 127])('%s tells nothing new', async (commit) => {
    const { results, success, terms } = await environment.play(row, [testOf(commit)]);
    expect({ results, success, terms }).toEqual({ results: ['nothing new'], success: false, terms: { found: 0 } });
  });

  test.each(['', '1', '05', '0000002', '00000101', 'five', '-000001'])('of %j is refused', async (commit) => {
    expect((await environment.play(row, [writes(commit)])).results[0]).toContain('seven binary digits');
  });

  test('may be one too many and no more', async () => {
    const few = [10, 5, 4, 3, 2, 1].map(testOf);
    expect(await environment.play(row, few.slice(0, 3))).toMatchObject({ success: false, terms: { found: 0 } });
    const { results, success } = await environment.play(row, [10, 5, 1, 1, 2].map(testOf));
    expect({ last: results.at(-1), success }).toEqual({ last: 'nothing new', success: true });
    const many = await environment.play(row, [1, 1, 1, 1, 1, 1, 1, 12, 11].map(testOf));
    expect(many.success).toBe(false);
  });

  test('shows the agent how many are left alone', async () => {
    const messages = [{ role: 'user', content: 'first 7 in 20 commits' }];
    const seen = await environment.ask('context', { messages, state: { left: 9, first: 7, bug: 0 } });
    expect(seen).toEqual([{ role: 'user', content: 'left 0001001' }]);
  });
});

describe('a visitor', () => {
  const says = async (prompt: string) =>
    (await environment.ask<{ state: Json }>('start', { task: { ...hard, prompt } })).state;

  test('names a bug or the first bad commit, and how many there are', async () => {
    expect(await says('bug 17 in 64 commits')).toEqual({ left: 64, first: null, bug: 17 });
    expect(await says('first 21 in 64 commits')).toEqual({ left: 64, first: 21, bug: 0 });
  });

  test.each([
    'hello',
    'first 0 in 9 commits',
    'first 10 in 9 commits',
    'bug 1 in 65 commits',
    'bug 1 in 1 commits',
    '',
  ])('who says %j gets the row of the task', async (prompt) => {
    expect(await says(prompt)).toEqual(hard.data);
  });
});

describe('policies', () => {
  test('half of the tests of demonstrations scan; none is of the middle third of eight or more', async () => {
    const scans = [];
    for (const [i, task] of drawn.get('train')!.entries()) {
      let left = commitsOf(task);
      for (const turn of await environment.script(task, i)) {
        const commit = testedIn(turn);
        if (left >= 8) expect(Math.min(commit, left - commit) / left).toBeLessThanOrEqual(1 / 3);
        if (left >= 8) scans.push(Number(commit === 1));
        left = Math.max(commit, left - commit);
      }
    }
    expect(mean(scans)).toBeGreaterThan(0.45);
    expect(mean(scans)).toBeLessThan(0.65);
  });

  test.each(splits)('in %s halving takes log2 n tests, a scan takes all but one', async (split) => {
    const halved = await playAll(split, 'oracle');
    expect(shareSolved(halved)).toBe(1);
    const scanned = await playAll(split, 'scan');
    for (const [i, task] of drawn.get(split)!.entries()) {
      expect(halved[i].results.length).toBeLessThanOrEqual(log2(commitsOf(task)));
      expect(scanned[i].results.length).toBe(commitsOf(task) - 1);
    }
  });

  test.each(splits)('in %s demonstrations and reflexes solve less than one task in four', async (split) => {
    for (const policy of [undefined, 'scan', 'five-on', 'anywhere', 'random'])
      expect(shareSolved(await playAll(split, policy)), policy).toBeLessThan(0.25);
    expect(meanTests(await playAll(split))).toBeGreaterThan(8);
  });

  test.each(splits)('in %s neither a fixed step nor a share of a third solves half', (split) => {
    const rules = [
      ...Array.from({ length: 64 }, (_, i) => (left: number) => Math.min(i + 1, left - 1)),
      (left: number) => Math.max(1, Math.floor(left / 3)),
    ];
    for (const rule of rules) {
      const solved = drawn.get(split)!.filter((task) => {
        let tests = 0;
        for (let left = commitsOf(task); left > 1; tests++) left = Math.max(rule(left), left - rule(left));
        return tests <= log2(commitsOf(task)) + 1;
      });
      expect(solved.length / count, String(rule)).toBeLessThan(0.5);
    }
  });
});

test('the longest scan fits into the turns of the preset', () => {
  expect(presetByName('bisect').config.rollout.maxTurns).toBeGreaterThanOrEqual(63);
});

function testedIn(turn: DemonstrationTurn): number {
  if ('answer' in turn) throw new Error('a search ends by a test');
  return parseInt((turn.calls[0].arguments as unknown as { readonly commit: string }).commit, 2);
}
