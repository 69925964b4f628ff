/** Two tools: what each knows of a name, how long it says it, and how the scripted policies fare. */
import { beforeAll, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Question {
  readonly subject: string;
  readonly book: string;
  readonly target: string;
  readonly relation: string;
}

const count = 128;
const options = { results: 'short', questions: 'all' };
let environment: OpenEnvironment;
let drawn: Task[];
const factOf: Readonly<Record<string, string>> = { people: 'age', places: 'houses' };
const questionOf = (task: Task) => task.data as unknown as Question;

beforeAll(async () => {
  environment = await OpenEnvironment.open('two-tools');
  drawn = await environment.draw('train', 5, count, options);
});

async function lookUp(task: Task, tool: string): Promise<string> {
  const calls = [{ name: tool, arguments: { name: questionOf(task).subject } }];
  return (await environment.play(task, [{ calls }])).results[0];
}

async function successOf(policy?: string): Promise<number> {
  let solved = 0;
  for (const [i, task] of drawn.entries()) {
    const { success } = await environment.play(task, await environment.script(task, i, policy));
    solved += success ? 1 : 0;
  }
  return solved / count;
}

test('both tools know every name, and only the right one what the question asks of it', async () => {
  for (const task of drawn) {
    const { book, relation } = questionOf(task);
    const asked = relation === '' ? factOf[book] : relation;
    for (const tool of ['people', 'places']) {
      const card = await lookUp(task, tool);
      expect(card.split(' . ')).toHaveLength(3);
      expect(card.match(/\d+/g)).toHaveLength(1);
      expect(card.split(' ').includes(asked), `${task.prompt} ${tool} ${card}`).toBe(tool === book);
    }
  }
});

test('most questions begin with places, and most look up twice, or all if asked to', async () => {
  const twice = (task: Task) => questionOf(task).relation !== '';
  const share = (isOne: (task: Task) => boolean) => drawn.filter(isOne).length / count;
  for (const isOne of [twice, (task: Task) => questionOf(task).book === 'places']) {
    expect(share(isOne)).toBeGreaterThan(0.5);
    expect(share(isOne)).toBeLessThan(0.8);
  }
  expect((await environment.draw('train', 5, 64, { ...options, questions: 'crossing' })).every(twice)).toBe(true);
});

test('two look-ups cross to the other tool in training, and never out of distribution', async () => {
  for (const [split, crosses] of [
    ['train', true],
    ['validation', true],
    ['out-of-distribution', false],
  ] as const) {
    const twice = (await environment.draw(split, 5, 64, options)).map(questionOf).filter(({ relation }) => relation);
    expect(twice.length).toBeGreaterThan(16);
    for (const { book, target } of twice) expect(book !== target).toBe(crosses);
  }
});

test('long results say the same in 60 to 80 words', async () => {
  const task = drawn[0];
  const long = { ...task, data: { ...(task.data as object), results: 'long' } };
  for (const tool of ['people', 'places']) {
    const [short, passages] = [await lookUp(task, tool), await lookUp(long, tool)];
    const count = passages.split(' ').length;
    expect(count).toBeGreaterThanOrEqual(60);
    expect(count).toBeLessThanOrEqual(80);
    for (const entry of short.split(' . ')) expect(passages).toContain(` has ${entry} near `);
  }
});

test('the oracle solves every question, and the habit those that people know', async () => {
  expect(await successOf('oracle')).toBe(1);
  const people = drawn.filter((task) => questionOf(task).book === 'people').length / count;
  const habit = await successOf('habit');
  expect(habit).toBeGreaterThanOrEqual(people);
  expect(habit).toBeLessThan(people + 0.05);
  expect(await successOf('random')).toBeLessThan(0.15);
});

test('the habit opens people, then ends at a number of the name that is asked for', async () => {
  for (const [i, task] of drawn.entries()) {
    const fact = factOf[questionOf(task).target];
    const turns = await environment.script(task, i, 'habit');
    expect(turns[0]).toMatchObject({ calls: [{ name: 'people' }] });
    const { results } = await environment.play(task, turns);
    expect(results.some((result) => result.split(' ').includes(fact))).toBe(true);
  }
});

test('the first call and the useful ones are counted', async () => {
  const task = drawn.find((each) => questionOf(each).book !== questionOf(each).target)!;
  const { subject, book, target } = questionOf(task);
  const call = (name: string) => ({ calls: [{ name, arguments: { name: subject } }] });
  const right = await environment.play(task, [call(book), call(book), { answer: '?' }]);
  expect(right).toMatchObject({ success: false, terms: { correct: 0, opened: 1, useful: 1 } });
  const wrong = await environment.play(task, [call(target), call(book), { answer: '?' }]);
  expect(wrong).toMatchObject({ success: false, terms: { correct: 0, opened: 0, useful: 1 } });
});

test('a name that nobody has and a sum that is none are refused', async () => {
  const say = async (name: string, args: Record<string, string>) =>
    (await environment.play(drawn[0], [{ calls: [{ name, arguments: args }] }])).results[0];
  expect(await say('people', { name: 'tom' })).toContain('nobody');
  expect(await say('calc', { expression: '12 + 5' })).toBe('17');
  expect(await say('calc', { expression: '12 5' })).toContain('like 12 + 5');
});
