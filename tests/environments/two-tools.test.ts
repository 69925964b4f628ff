/** Two tools: what each knows of a name, which chains are asked, and how the scripted policies fare. */
import { beforeAll, expect, test } from 'vitest';
import type { Json, Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Question {
  readonly subject: string;
  readonly books: readonly string[];
  readonly sign: string;
}

const count = 128;
let environment: OpenEnvironment;
let drawn: Task[];
const factOf: Readonly<Record<string, string>> = { people: 'age', places: 'houses' };
const questionOf = (task: Task) => task.data as unknown as Question;
const lookUpsOf = (task: Task) => questionOf(task).books.length;

beforeAll(async () => {
  environment = await OpenEnvironment.open('two-tools');
  drawn = await environment.draw('train', 5, count);
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
    const { books } = questionOf(task);
    const [, asked] = task.prompt.split(" 's ");
    for (const tool of ['people', 'places']) {
      const card = await lookUp(task, tool);
      expect(card.split(' . ')).toHaveLength(3);
      expect(card.match(/\d+/g)).toHaveLength(1);
      expect(card.split(' ').includes(asked.split(' ')[0]), `${task.prompt} ${tool} ${card}`).toBe(tool === books[0]);
    }
  }
});

test('most questions begin with places, chains take one to three look-ups, and some compute', () => {
  const share = (isOne: (task: Task) => boolean) => drawn.filter(isOne).length / count;
  expect(share((task) => questionOf(task).books[0] === 'places')).toBeGreaterThan(0.5);
  expect(share((task) => questionOf(task).books[0] === 'places')).toBeLessThan(0.8);
  for (const lookUps of [1, 2, 3]) expect(share((task) => lookUpsOf(task) === lookUps)).toBeGreaterThan(0.2);
  expect(share((task) => questionOf(task).sign !== '')).toBeGreaterThan(0.2);
});

test('questions of training and validation begin with other names, and new ones take four look-ups', async () => {
  const validation = await environment.draw('validation', 5, count);
  const known = new Set(drawn.map((task) => questionOf(task).subject));
  expect(validation.filter((task) => known.has(questionOf(task).subject))).toEqual([]);
  const beyond = await environment.draw('out-of-distribution', 5, count);
  expect([...new Set(beyond.map(lookUpsOf))]).toEqual([4]);
});

test('the agent is shown what is left of the question, and what the last call said', async () => {
  const question = { role: 'user', content: "bara 's boss 's home 's houses plus 7 ?" };
  const called = { role: 'assistant', content: 'bara', step: 0 };
  const said = { role: 'tool', content: 'friend deno . home gora . age 7' };
  const shown = (messages: Json[], lookUps: number) =>
    environment.ask('context', { messages, state: { lookUps, calls: lookUps } });
  expect(await shown([question], 0)).toEqual([question]);
  const left = (content: string) => [{ role: 'user', content }, said];
  expect(await shown([question, called, said], 1)).toEqual(left("boss 's home 's houses plus 7 ?"));
  for (const lookUps of [3, 4]) expect(await shown([question, called, said], lookUps)).toEqual(left('houses plus 7 ?'));
});

test('a question allows as many calls as it takes', async () => {
  const task = drawn.find((each) => lookUpsOf(each) === 2 && questionOf(each).sign !== '')!;
  const call = { calls: [{ name: 'people', arguments: { name: 'bara' } }] };
  const sum = { calls: [{ name: 'calc', arguments: { expression: '1 + 1' } }] };
  const unknown = { calls: [{ name: 'people', arguments: { name: 'tom' } }] };
  const { results } = await environment.play(task, [call, unknown, call, sum, call, sum]);
  expect(results.map((result) => result.includes('no call is left'))).toEqual([false, false, false, false, true, true]);
});

test('the oracle solves every question, and the habit those that people know', async () => {
  expect(await successOf('oracle')).toBe(1);
  const people = drawn.filter((task) => questionOf(task).books[0] === 'people').length / count;
  const habit = await successOf('habit');
  expect(habit).toBeGreaterThanOrEqual(people);
  expect(habit).toBeLessThan(people + 0.05);
  expect(await successOf('random')).toBeLessThan(0.25);
});

test('the habit opens people, then ends at a number of the kind that is asked for', async () => {
  for (const [i, task] of drawn.entries()) {
    if (lookUpsOf(task) === 1) continue;
    const fact = factOf[questionOf(task).books.at(-1)!];
    const turns = await environment.script(task, i, 'habit');
    expect(turns[0]).toMatchObject({ calls: [{ name: 'people' }] });
    const { results } = await environment.play(task, turns);
    expect(results.some((result) => result.split(' ').includes(fact))).toBe(true);
  }
});

test('the first call and the useful ones are counted', async () => {
  const task = drawn.find((each) => lookUpsOf(each) === 2 && questionOf(each).books[0] === 'people')!;
  const { subject } = questionOf(task);
  const call = (name: string) => ({ calls: [{ name, arguments: { name: subject } }] });
  const right = await environment.play(task, [call('people'), call('people'), { answer: '?' }]);
  expect(right).toMatchObject({ success: false, terms: { correct: 0, opened: 1, useful: 1 } });
  const wrong = await environment.play(task, [call('places'), call('people'), { answer: '?' }]);
  expect(wrong).toMatchObject({ success: false, terms: { correct: 0, opened: 0, useful: 1 } });
});

test('a name that nobody has and a sum that is none are refused', async () => {
  const say = async (name: string, args: Record<string, string>) =>
    (await environment.play(drawn[0], [{ calls: [{ name, arguments: args }] }])).results[0];
  expect(await say('people', { name: 'tom' })).toContain('nobody');
  expect(await say('calc', { expression: '12 + 5' })).toBe('17');
  expect(await say('calc', { expression: '12 5' })).toContain('like 12 + 5');
});
