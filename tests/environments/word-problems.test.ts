/** Word problems: what stories are made of, what the calculator refuses, and how the scripted policies fare. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Story {
  readonly first: number;
  readonly events: { sign: string; number: number }[];
}

const count = 128;
let environment: OpenEnvironment;
let drawn: Task[];
const storyOf = (task: Task) => task.data as unknown as Story;
const stepsOf = (task: Task) => storyOf(task).events.filter(({ sign }) => sign !== '').length;

beforeAll(async () => {
  environment = await OpenEnvironment.open('word-problems');
  drawn = await environment.draw('train', 5, count, { steps: '2 to 5' });
});

async function successOf(policy?: string, tasks = drawn): Promise<number> {
  let solved = 0;
  for (const [i, task] of tasks.entries()) {
    const { success } = await environment.play(task, await environment.script(task, i, policy));
    solved += success ? 1 : 0;
  }
  return solved / tasks.length;
}

describe('stories', () => {
  test('tell each number once', () => {
    for (const task of drawn) {
      const { first, events } = storyOf(task);
      const told = task.prompt.split(' ').filter((word) => /^\d+$/.test(word));
      expect(told.map(Number)).toEqual([first, ...events.map(({ number }) => number)]);
      expect(new Set(told).size).toBe(told.length);
    }
  });

  test('take as many operations as asked for, and six out of distribution', async () => {
    expect([...new Set(drawn.map(stepsOf))].sort()).toEqual([2, 3, 4, 5]);
    for (const steps of ['2', '3', '4', '5'])
      for (const task of await environment.draw('validation', 5, 16, { steps }))
        expect(stepsOf(task)).toBe(Number(steps));
    for (const task of await environment.draw('out-of-distribution', 5, 32, { steps: '2 to 5' }))
      expect(stepsOf(task)).toBe(6);
  });

  test('the same words ask for plus or minus: who gives decides', () => {
    const gifts = drawn.flatMap((task) => {
      const sentences = task.prompt.split(' . ').slice(1);
      return storyOf(task).events.flatMap(({ sign }, i) =>
        sentences[i].includes('gives') ? [{ sign, sentence: sentences[i] }] : [],
      );
    });
    expect(new Set(gifts.map(({ sign }) => sign))).toEqual(new Set(['+', '-', '']));
    for (const { sign, sentence } of gifts) {
      if (/^s?he /.test(sentence)) expect(sign, sentence).toBe('-');
      else expect(sign, sentence).toBe(/ (him|her) /.test(sentence) ? '+' : '');
    }
  });
});

test('the calculator rounds down and refuses what it cannot do', async () => {
  const [task] = drawn;
  const call = async (expression: string) => {
    const { results } = await environment.play(task, [{ calls: [{ name: 'calc', arguments: { expression } }] }]);
    return results[0];
  };
  expect(await Promise.all(['12 + 5', '5 - 12', '12*5', '17 / 5'].map(call))).toEqual(['17', '-7', '60', '3']);
  for (const refused of ['12', '12 + 5 + 1', '4 / 0', 'tom + ann']) expect(await call(refused)).toContain('12 + 5');
  expect(await call('9999 * 9')).toContain('too large');
});

test('the agent is shown which numbers were taken in, and what the last call said', async () => {
  const story = { role: 'user', content: 'tom has 12 apples . ann gives him 8 . he loses 2 . how many apples now ?' };
  const called = { role: 'assistant', content: '12 + 8', step: 0 };
  const said = { role: 'tool', content: '20' };
  const shown = (messages: Json[], state: string[]) => environment.ask('context', { messages, state });
  expect(await shown([story], [])).toEqual([story]);
  expect(await shown([story, called, said], ['8'])).toEqual([
    { role: 'user', content: 'tom has 12 apples . ann gives him ✓ . he loses 2 . how many apples now ?' },
    said,
  ]);
});

test('the oracle solves every story, and adding every number hardly any', async () => {
  expect(await successOf('oracle')).toBe(1);
  expect(await successOf('adds')).toBeLessThan(0.1);
  expect(await successOf('random')).toBeLessThan(0.05);
  expect(await successOf('reflex')).toBeLessThan(0.8);
  const imitated = await successOf();
  expect(imitated).toBeGreaterThan(0.3);
  expect(imitated).toBeLessThan(0.5);
});

test('operations are counted once, calls that repeat or fail as wasted', async () => {
  const task = {
    ...drawn[0],
    data: {
      first: 12,
      events: [
        { sign: '+', number: 5 },
        { sign: '', number: 3 },
      ],
    },
  };
  const calls = ['12 + 5', '12+5', 'twelve', '12 + 3'].map((expression) => ({
    calls: [{ name: 'calc', arguments: { expression } }],
  }));
  const { terms, success } = await environment.play(task, [...calls, { answer: '17' }]);
  expect(terms).toEqual({ correct: 1, operations: 1, wasted: 2 });
  expect(success).toBe(true);
});
