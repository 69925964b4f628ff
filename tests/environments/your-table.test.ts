/** Questions about a table: names that are new, what a forgotten condition costs, and what a visitor asks. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn } from '../../src/agent/env';
import { fuelLimits } from '../../src/agent/sandbox';
import type { Json, Task } from '../../src/agent/types';
import { askedAbout } from '../../src/config/rows';
import { jsonLinesOfCsv } from '../../src/lib/csv';
import { mean } from '../../src/lib/mean';
import { OpenEnvironment } from './open';

interface Table {
  readonly columns: string[];
  readonly rows: (string | number)[][];
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 96;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const tableOf = (task: Task) => task.data as unknown as Table;
const conditionsOf = ({ prompt }: Task) => / where (.+) \?$/.exec(prompt)![1].split(' and ');
const filter = (condition: string): DemonstrationTurn => ({ calls: [{ name: 'filter', arguments: { condition } }] });
const report = (name: string, column?: string): DemonstrationTurn => ({
  calls: [{ name, arguments: column === undefined ? {} : { column } }],
});
const names = (task: Task) => [...tableOf(task).columns, ...tableOf(task).rows.flat()].filter((each) => isNaN(+each));
const solved = async (split: string, policy?: string) =>
  mean((await environment.playAll(drawn.get(split)!, policy)).map(({ success }) => Number(success)));

beforeAll(async () => {
  environment = await OpenEnvironment.open('your-table');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

describe('tasks', () => {
  test.each(splits)('of %s have one to four conditions, as their tags say', (split) => {
    const tasks = drawn.get(split)!;
    for (const task of tasks) expect(task.tags).toEqual([`conditions-${conditionsOf(task).length}`]);
    expect(new Set(tasks.map(({ tags }) => tags![0])).size).toBe(4);
  });

  test('no name out of distribution is in training, where most names are in one task alone', async () => {
    const known = new Map<string | number, number>();
    for (const task of drawn.get('train')!)
      for (const name of new Set(names(task))) known.set(name, (known.get(name) ?? 0) + 1);
    const once = [...known.values()].filter((times) => times === 1).length;
    expect(once / known.size).toBeGreaterThan(0.8);
    const far = new Set(drawn.get('out-of-distribution')!.flatMap(names));
    expect([...far].filter((name) => known.has(name))).toEqual([]);
  });

  test('no task is in two splits, task i depends on seed, split and i alone', async () => {
    expect(new Set(splits.flatMap((split) => drawn.get(split)!.map(({ id }) => id))).size).toBe(3 * count);
    expect(await environment.draw('train', 5, 5, {}, 10)).toEqual(drawn.get('train')!.slice(10, 15));
  });

  test('each condition changes the answer', async () => {
    for (const split of splits)
      for (const task of drawn.get(split)!.slice(0, 32)) {
        const turns = await environment.script(task, 1, 'oracle');
        for (const at of conditionsOf(task).keys()) {
          const others = turns.filter((_, i) => i !== at).slice(0, -1);
          const { results } = await environment.play(task, others);
          const played = await environment.play(task, [...others, { answer: results.at(-1)! }]);
          expect(played.success, `${task.prompt} without ${conditionsOf(task)[at]}`).toBe(false);
        }
      }
  });
});

describe('policies', () => {
  test.each(splits)('the oracle solves every task of %s, and the reflex few of several conditions', async (split) => {
    expect(await solved(split, 'oracle')).toBe(1);
    const isOne = drawn.get(split)!.map((task) => Number(conditionsOf(task).length === 1));
    const reflex = await solved(split, 'reflex');
    expect(reflex).toBeGreaterThanOrEqual(mean(isOne));
    expect(reflex - mean(isOne)).toBeLessThan(0.25);
    expect(await solved(split, 'random')).toBeLessThan(0.05);
  });

  test('demonstrations solve about half: most of several conditions forget the last', async () => {
    const share = await solved('train');
    expect(Math.abs(share - 0.475)).toBeLessThan(0.12);
  });
});

describe('a table of one’s own', () => {
  const csv =
    'City,Team name,Price,Since\nNew York City,The Reds,20,2001\nNew York,Blue-Jays,31.25,1999\nYork,The Reds,7,\n' +
    'Köln,The Reds,-4,2014\n';
  const rows = jsonLinesOfCsv(csv, 'teams.csv');
  const asked = (question: string): Task => ({ ...drawn.get('validation')![0], prompt: askedAbout(question, rows) });
  const answerTo = async (question: string) => {
    const task = asked(question);
    const turns = await environment.script(task, 1, 'oracle');
    const { success } = await environment.play(task, turns);
    return { answer: (turns.at(-1) as { answer: string }).answer, success };
  };

  test.each([
    ['total price where team name the reds ?', '23'],
    ['Total price where Team Name The Reds and price above 0', '27'],
    ['highest price where city new york?', '31.25'],
    ['highest price where city New York City ?', '20'],
    ['lowest price where team-name the-reds', '-4'],
    ['lowest since where team name The Reds', '2001'],
    ['how many rows where since above 1998', '3'],
    ['how many rows where price below -3.5', '1'],
    ['how many rows where city Köln', '1'],
    ['how many rows', '4'],
    ['total price', '54.25'],
  ])('%s', async (question, answer) => {
    expect(await answerTo(question)).toEqual({ answer, success: true });
  });

  test('long names are cut to what the agent can copy, and none is like another', async () => {
    const kinds = ['Wholesale trade', 'Wholesale traders', 'Wholesale trading', 'Wholesale trades'];
    const csv = kinds.map((kind, i) => `${kind},${i + 7}\n`).join('');
    const long = jsonLinesOfCsv(`Customer type,Customer typology\n${csv}`, 'a.csv');
    const task = (question: string) => ({ ...asked(''), prompt: askedAbout(question, long) });
    const sees = async (question: string) =>
      (await environment.ask<{ state: { prompt: string } }>('start', { task: task(question) })).state.prompt;
    const questions = kinds.map((kind) => `total customer typology where customer type ${kind}`);
    expect(await sees(questions[1])).toBe('total custome-1 where customer-ty wholesa-3 ?');
    for (const [i, question] of questions.entries()) {
      expect((await environment.script(task(question), 1, 'oracle')).at(-1)).toEqual({ answer: String(i + 7) });
    }
  });

  test('a table of the greatest length leaves fuel', async () => {
    const table = Array.from({ length: 400 }, (_, i) => ({
      city: `t ${i}`,
      price: i + 0.5,
      is: `no ${i}`,
      since: 1900 + i,
    }));
    const lines = table
      .map((row) => JSON.stringify(row))
      .join('\n')
      .slice(0, 7_900);
    const whole = lines.slice(0, lines.lastIndexOf('\n'));
    const task = { ...asked(''), prompt: askedAbout('total price where city t 7 and since above 1900', whole) };
    const turns = await environment.script(task, 1, 'oracle');
    const { success, fuel } = await environment.play(task, turns);
    expect({ success, answer: turns.at(-1) }).toEqual({ success: true, answer: { answer: '7.5' } });
    expect(fuel).toBeLessThan(0.9 * fuelLimits.call);
    expect((await environment.verdict('start', { task })).fuel).toBeLessThan(0.9 * fuelLimits.call);
  });

  test('the agent is shown the question in the table’s words, and no row', async () => {
    const task = asked('Highest price where City New York City and Price above 3 ?');
    const { state } = await environment.ask<{ state: Json }>('start', { task: { ...task } });
    const messages: Record<string, Json>[] = [
      { role: 'user', content: task.prompt },
      { role: 'assistant', content: 'call', step: 0 },
      { role: 'tool', content: 'left 2' },
    ];
    const content = 'highest price where city new-york-ci and price above 3 ?';
    expect(await environment.ask<Json>('context', { messages, state })).toEqual([
      { ...messages[0], content },
      ...messages.slice(1),
    ]);
  });

  test.each(['what is the price of gold ?', 'total colour where city york', 'total city', '?'])(
    '%j has no answer, so none is right',
    async (question) => {
      for (const answer of ['', '0', '-', 'null'])
        expect((await environment.play(asked(question), [{ answer }])).success).toBe(false);
    },
  );

  test('too long a table ends in a sentence', async () => {
    const line = JSON.stringify({ city: 'york', price: 20 });
    const task = { ...asked(''), prompt: `total price ?${`\n${line}`.repeat(300)}` };
    expect(await environment.verdict('start', { task: { ...task } })).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('the table has 8113 characters, and 8000 is the most'),
    });
  });
});

describe('an episode', () => {
  test('tools say what was wrong with a call', async () => {
    const task = drawn
      .get('train')!
      .find((each) => each.prompt.startsWith('total') && each.tags![0] === 'conditions-1')!;
    const [condition] = conditionsOf(task);
    const [name, value] = [condition.split(' ')[0], tableOf(task).columns.find((each) => isNaN(+each))!];
    const text = tableOf(task).columns.find((_, i) => typeof tableOf(task).rows[0][i] === 'string')!;
    const turns = [filter(`nothing ${value}`), filter(name), filter(`${name} near 3`), report('sum', 'nothing')];
    const { results, terms } = await environment.play(task, [...turns, report('sum', text), filter(`${text} nothing`)]);
    const errors = ['no such column', 'column value', 'column value', 'no such column', 'no such column'];
    errors.forEach((sentence, i) => expect(results[i]).toContain(sentence));
    expect(results.at(-1)).toBe('left 0');
    expect(terms).toEqual({ correct: 0, filters: 0, wasted: 5 });
    const empty = await environment.play(task, [filter(`${text} nothing`), report('max', name), report('count')]);
    expect(empty.results.slice(1)).toEqual([expect.stringMatching(/no rows|no such column/), '0']);
  });

  test('conditions count once, and a repeated one is wasted', async () => {
    const task = drawn.get('train')!.find((each) => each.tags![0] === 'conditions-2')!;
    const [first, second] = conditionsOf(task);
    const { terms } = await environment.play(task, [filter(first), filter(second), filter(first)]);
    expect(terms).toEqual({ correct: 0, filters: 2, wasted: 1 });
  });
});
