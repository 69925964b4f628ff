/** Questions about a table: their splits, what forgetting a condition costs, and what the tools say. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../../src/agent/scene';
import type { Task } from '../../src/agent/types';
import { marksOf } from '../../src/share/scenes/marks';
import { OpenEnvironment } from './open';

interface Data {
  readonly columns: string[];
  readonly rows: (string | number)[][];
  readonly conditions: string[];
  readonly answer: string;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const dataOf = (task: Task) => task.data as unknown as Data;
const call = (name: string, args: Record<string, string>) => ({ calls: [{ name, arguments: args }] });

beforeAll(async () => {
  environment = await OpenEnvironment.open('table');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

/** Share of a split's tasks that a policy solves. */
async function solved(split: string, policy: string, which = (_: Task) => true): Promise<number> {
  const tasks = drawn.get(split)!.filter(which);
  let sum = 0;
  for (const task of tasks)
    sum += Number((await environment.play(task, await environment.script(task, 1, policy))).success);
  return sum / tasks.length;
}

describe('tasks', () => {
  test('training has one to four conditions, the other split five or six', () => {
    const conditions = (split: string) => new Set(drawn.get(split)!.map((task) => dataOf(task).conditions.length));
    expect(conditions('train')).toEqual(new Set([1, 2, 3, 4]));
    expect(conditions('validation')).toEqual(new Set([1, 2, 3, 4]));
    expect(conditions('out-of-distribution')).toEqual(new Set([5, 6]));
  });

  test('questions of training may ask to show columns, and are as long as the longest of the other split', () => {
    const lengths = (split: string) => drawn.get(split)!.map(({ prompt }) => prompt.split(' ').length);
    const showing = (split: string) => drawn.get(split)!.filter(({ prompt }) => prompt.includes(' show ')).length;
    expect(showing('train')).toBeGreaterThan(count / 2);
    expect(showing('out-of-distribution')).toBe(0);
    expect(Math.max(...lengths('train'))).toBeGreaterThanOrEqual(Math.max(...lengths('out-of-distribution')));
  });

  test('no task is in two splits, and task i depends on seed, split and i alone', async () => {
    expect(new Set(splits.flatMap((split) => drawn.get(split)!.map(({ id }) => id))).size).toBe(3 * count);
    expect(await environment.draw('train', 5, 5, {}, 10)).toEqual(drawn.get('train')!.slice(10, 15));
  });
});

describe('policies', () => {
  test.each(splits)('the oracle solves every task of %s, a random policy few', async (split) => {
    expect(await solved(split, 'oracle')).toBe(1);
    expect(await solved(split, 'random')).toBeLessThan(0.15);
  });

  test('a condition that is left out is always wrong', async () => {
    const several = (task: Task) => dataOf(task).conditions.length > 1;
    expect(await solved('train', 'reflex', (task) => !several(task))).toBe(1);
    // It corrects its answer by a guess.
    for (const split of ['train', 'out-of-distribution'])
      expect(await solved(split, 'reflex', several)).toBeLessThan(0.4);
    for (const split of ['train', 'out-of-distribution'])
      for (const task of drawn.get(split)!.filter(several)) {
        const turns = await environment.script(task, 1, 'oracle');
        for (let left = 0; left < dataOf(task).conditions.length; left++) {
          const { results } = await environment.play(task, [...turns.slice(0, left), ...turns.slice(left + 1, -1)]);
          expect(results.at(-1)!.split(' ')[0]).not.toBe(dataOf(task).answer);
        }
      }
  });
});

describe('tools', () => {
  const table = {
    columns: ['city', 'price'],
    rows: [
      ['bara', 7],
      ['deno', 20],
      ['bara', 12],
    ],
    conditions: ['city bara', 'price above 10'],
    answer: '12',
  };
  const task = {
    id: 'one',
    prompt: 'total price where city bara and price above 10 ?',
    data: table,
  } as unknown as Task;

  test.each([
    [
      ['filter city bara', 'filter price above 10', 'sum price'],
      ['left 2', 'left 1', '12'],
    ],
    [
      ['filter price below 20', 'max price', 'min price', 'count'],
      ['left 2', '12', '7', '2'],
    ],
    [
      ['group city', 'sum price', 'count'],
      ['groups 2', 'deno 20 . bara 19', 'bara 2 . deno 1'],
    ],
    [
      ['filter price 12', 'count'],
      ['left 1', '1'],
    ],
  ])('%j', async (calls, results) => {
    const turns = calls.map((text) => {
      const [name, ...words] = text.split(' ');
      const column = words.join(' ');
      return call(name, name === 'count' ? {} : name === 'filter' ? { condition: column } : { column });
    });
    expect((await environment.play(task, turns)).results).toEqual(results);
  });

  test.each([
    ['filter', { condition: 'city' }, 'column value'],
    ['filter', { condition: 'price above' }, 'column value'],
    ['filter', { condition: 'colour red' }, 'no such column'],
    ['sum', { column: 'city' }, 'no such column'],
    ['group', { column: 'none' }, 'no such column'],
  ])('%s %j is refused', async (name, args, message) => {
    expect((await environment.play(task, [call(name, args)])).results[0]).toContain(message);
  });

  test('a report on no rows is refused', async () => {
    const { results } = await environment.play(task, [
      call('filter', { condition: 'city nowhere' }),
      call('count', {}),
    ]);
    expect(results[1]).toContain('no rows');
  });

  test.each([
    [[], task.prompt, ''],
    [['city bara'], 'total price where city: bara and price above 10 ?', ''],
    [['price above 10', 'city bara'], 'total price where city: bara and price: above 10 ?', ''],
    // What the question does not ask for stands behind it.
    [['city deno', 'price above 1'], task.prompt, 'city: deno | price: above 1 | '],
  ])('the agent is shown what is applied: %j', async (kept, question, others) => {
    const state = { prompt: task.prompt, rows: [2], by: 'city', kept, said: 'groups 1' };
    expect(await environment.ask('context', { messages: [], state })).toEqual([
      { role: 'user', content: question },
      { role: 'tool', content: `${others}by city | groups 1` },
    ]);
  });

  test('the longest question is drawn to its end, and says what is applied', async () => {
    const [{ prompt }, ...others] = drawn.get('out-of-distribution')!;
    const longest = others.reduce((longer, { prompt }) => (prompt.length > longer.length ? prompt : longer), prompt);
    const [kept] = longest.split(' where ')[1].split(' and ');
    const state = { prompt: longest, rows: [2], by: '', kept: [kept], said: '' };
    const moment = { steps: [], answer: null, success: null };
    const scene = await environment.ask<Scene>('draw', { task: { ...task, prompt: longest }, state, moment });
    const texts = marksOf(scene).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts.join(' ')).toContain(longest.replace(kept, kept.replace(' ', ': ')));
  });

  test('each condition counts once, and repeating or failing is wasted', async () => {
    const filter = call('filter', { condition: 'city bara' });
    const played = await environment.play(task, [filter, filter, call('sum', { column: 'city' }), { answer: '12' }]);
    expect(played).toMatchObject({ success: true, terms: { correct: 1, filters: 1, wasted: 2 } });
  });
});
