/** The bandit: what its arms pay, and that nothing but the arm matters. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EnvironmentDescription } from '../../src/agent/env';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

let environment: OpenEnvironment;
beforeAll(async () => {
  environment = await OpenEnvironment.open('bandit');
});

async function meanPay(task: Task, answer: string, pulls: number): Promise<number> {
  let sum = 0;
  for (let seed = 0; seed < pulls; seed++) sum += (await environment.play(task, [{ answer }], seed)).terms.pay;
  return sum / pulls;
}

describe('tasks', () => {
  test('task i depends on seed, split and i alone', async () => {
    const tasks = await environment.draw('train', 7, 20);
    expect(await environment.draw('train', 7, 5, {}, 10)).toEqual(tasks.slice(10, 15));
    expect(await environment.draw('train', 8, 20)).not.toEqual(tasks);
  });

  test('no validation task is drawn for training, whatever the seed', async () => {
    const held = new Set<string>();
    for (let seed = 0; seed < 6; seed++)
      for (const task of await environment.draw('validation', seed, 64)) held.add(task.prompt);
    for (let seed = 0; seed < 12; seed++)
      for (const task of await environment.draw('train', seed, 64))
        expect(held.has(task.prompt), task.prompt).toBe(false);
  });

  test('there is no third split', async () => {
    expect(
      await environment.verdict('tasks', { split: 'out-of-distribution', seed: 1, start: 0, count: 1, options: {} }),
    ).toMatchObject({
      kind: 'error',
      message: 'TypeError: there is no split out-of-distribution; there are train and validation',
    });
  });
});

describe('arms', () => {
  test.each([60, 80, 100])(
    'at odds of %i the better arm pays that often, the other as often as it does not',
    async (odds) => {
      const [task] = await environment.draw('train', 1, 1, { odds });
      // Five standard deviations of a mean of 400 coins.
      const slack = 5 * Math.sqrt(((odds / 100) * (1 - odds / 100)) / 400) + 1e-9;
      expect(Math.abs((await meanPay(task, 'right', 400)) - odds / 100)).toBeLessThan(slack);
      expect(Math.abs((await meanPay(task, 'left', 400)) - 1 + odds / 100)).toBeLessThan(slack);
    },
  );

  test('the same pull of the same seed pays the same', async () => {
    const [task] = await environment.draw('train', 1, 1);
    for (let seed = 0; seed < 20; seed++)
      expect(await environment.play(task, [{ answer: 'left' }], seed)).toEqual(
        await environment.play(task, [{ answer: 'left' }], seed),
      );
  });

  test.each(['', 'up', 'left right', 'RIGHT'])('%j is no arm and pays nothing', async (answer) => {
    const [task] = await environment.draw('train', 1, 1, { odds: 100 });
    expect((await environment.play(task, [{ answer }])).terms).toEqual({ best: 0, pay: 0 });
  });

  test('pulling none pays nothing', async () => {
    const [task] = await environment.draw('train', 1, 1, { odds: 100 });
    expect(await environment.play(task, [])).toMatchObject({ terms: { best: 0, pay: 0 }, success: false });
  });
});

test('the oracle always pulls the better arm; demonstrations and the random player either', async () => {
  const pulls = { oracle: 0, random: 0, demonstration: 0 };
  const tasks = await environment.draw('validation', 3, 200);
  for (const [i, task] of tasks.entries()) {
    pulls.oracle += Number((await environment.play(task, await environment.script(task, i, 'oracle'))).success);
    pulls.random += Number((await environment.play(task, await environment.script(task, i, 'random'))).success);
    pulls.demonstration += Number((await environment.play(task, await environment.script(task, i))).success);
  }
  expect(pulls.oracle).toBe(200);
  for (const either of [pulls.random, pulls.demonstration]) expect(Math.abs(either - 100)).toBeLessThan(36);
});

test('a policy that is not there is a sentence', async () => {
  const [task] = await environment.draw('train', 1, 1);
  for (const policy of ['greedy', 'constructor']) {
    expect(await environment.verdict('demonstrate', { task: { ...task }, policy })).toMatchObject({
      kind: 'error',
      message: `TypeError: the module exports no policy ${policy}`,
    });
  }
});

test('it describes itself: no tool, two terms, and pay is what counts', async () => {
  const { tools, rewards, policies, alphabet } = await environment.ask<EnvironmentDescription>('describe', null);
  expect(tools).toEqual([]);
  expect(Object.entries(rewards).map(([name, { weight }]) => [name, weight])).toEqual([
    ['best', 0],
    ['pay', 1],
  ]);
  expect(policies).toEqual(['oracle', 'random', 'reflex']);
  for (const { prompt } of await environment.draw('train', 2, 64))
    for (const character of prompt) expect(alphabet).toContain(character);
});
