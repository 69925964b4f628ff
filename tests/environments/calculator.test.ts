/** The calculator as an agent meets it: through the sandbox, never imported. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Demonstration, DemonstrationTurn, EnvironmentDescription } from '../../src/agent/env';
import type { Json, Task } from '../../src/agent/types';
import type { Sandbox, Verdict } from '../../src/agent/sandbox';
import { builtInEnvironments } from '../../src/environments/built-in';
import { openLocal, request } from '../sandbox/open';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openLocal(builtInEnvironments.calculator);
});

function valueOf<T>(verdict: Verdict): T {
  if (verdict.kind !== 'value') throw new Error(JSON.stringify(verdict));
  return verdict.value as T;
}

async function ask<T>(method: string, args: Json): Promise<T> {
  return valueOf<T>((await sandbox.call([request(method, args)]))[0]);
}

const draw = (split: string, seed: number, count: number, options: Json = {}, start = 0) =>
  ask<Task[]>('tasks', { split, seed, start, count, options });
const calc = async (expression: Json) =>
  (await sandbox.call([request('execute', { tool: 'calc', arguments: { expression }, task: null, state: null })]))[0];
const wrong = { kind: 'error', message: 'one operation at a time, like 37*4' };

describe('tasks', () => {
  test('task i depends on seed, split and i alone', async () => {
    const tasks = await draw('train', 7, 20);
    expect(await draw('train', 7, 20)).toEqual(tasks);
    expect(await draw('train', 7, 5, {}, 10)).toEqual(tasks.slice(10, 15));
    expect(await draw('train', 8, 20)).not.toEqual(tasks);
    expect(new Set(tasks.map((task) => task.prompt)).size).toBe(20);
  });

  test('no validation task is drawn for training, whatever the seed, even where tasks are few', async () => {
    for (const options of [
      { operations: 2, max: 99 },
      { operations: 1, max: 9 },
    ]) {
      const held = new Set<string>();
      for (let seed = 0; seed < 6; seed++)
        for (const task of await draw('validation', seed, 64, options)) held.add(task.prompt);
      for (let seed = 0; seed < 12; seed++)
        for (const task of await draw('train', seed, 64, options))
          expect(held.has(task.prompt), task.prompt).toBe(false);
    }
  });

  for (const operations of [1, 2, 3]) {
    for (const max of [9, 99]) {
      test(`${operations} operations on numbers 2 to ${max}, every shape and sign`, async () => {
        const prompts = (await draw('train', 3, 200, { operations, max })).map((task) => task.prompt);
        const shapes = new Set(prompts.map((prompt) => prompt.replace(/\d+/g, 'n').replace(/[-+*]/g, 'o')));
        expect(shapes).toEqual(
          new Set(
            [
              ['non'],
              ['(non)on', 'no(non)'],
              ['((non)on)on', '(no(non))on', '(non)o(non)', 'no((non)on)', 'no(no(non))'],
            ][operations - 1],
          ),
        );
        const numbers = prompts.flatMap((prompt) => prompt.match(/\d+/g)!.map(Number));
        expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([2, max]);
        for (const sign of '+-*') expect(prompts.some((prompt) => prompt.includes(sign))).toBe(true);
      });
    }
  }

  test('an option that does not exist is a sentence', async () => {
    const args = (options: Json) => request('tasks', { split: 'train', seed: 1, start: 0, count: 1, options });
    expect(await sandbox.call([args({ max: 12 }), args({ depth: 2 })])).toMatchObject([
      { kind: 'error', message: 'TypeError: option max is 12; choose one of 9, 20, 99' },
      { kind: 'error', message: 'TypeError: there is no option depth' },
    ]);
  });
});

describe('the tool', () => {
  test.each([
    ['37*4', '148'],
    ['148-16', '132'],
    ['-3*-4', '12'],
    ['5--3', '8'],
    ['0*-3', '0'],
    [' 2 + 2 ', '4'],
    ['94109401-99', '94109302'],
  ])('%s is %s', async (expression, text) => {
    expect(await calc(expression)).toMatchObject({ kind: 'value', value: { text } });
  });

  test.each(['', '37', '37*', '1+2+3', '(1+2)', '1/2', '1.5+1', '37x4', '٣+1', '1e3+1', '+1+1', '1234567890123456+1'])(
    '%j is refused in words',
    async (expression) => {
      expect(await calc(expression)).toMatchObject(wrong);
    },
  );

  test('anything but a string is refused, and so is a result that is not exact', async () => {
    for (const expression of [null, 3, ['1+1'], { a: 1 }]) expect(await calc(expression)).toMatchObject(wrong);
    expect(await calc('999999999999*999999999999')).toMatchObject({ kind: 'error', message: 'too large' });
  });
});

/** Plays a demonstration against the tool, as the loop would, and returns its reward. */
async function play(task: Task, turns: readonly DemonstrationTurn[]) {
  const steps: Json[] = [];
  let answer: string | undefined;
  for (const turn of turns) {
    if ('answer' in turn) answer = turn.answer;
    else {
      const toolCalls = [];
      for (const call of turn.calls) {
        const [verdict] = await sandbox.call([
          request('execute', { tool: call.name, arguments: call.arguments, task: { ...task }, state: null }),
        ]);
        toolCalls.push({
          ...call,
          ...(verdict.kind === 'value'
            ? { result: valueOf<{ text: string }>(verdict).text }
            : { result: JSON.stringify(verdict), error: 'tool-error' }),
        });
      }
      steps.push({ toolCalls });
    }
  }
  return ask<{ terms: Record<string, number>; success: boolean }>('reward', {
    task: { ...task },
    answer: answer ?? null,
    steps,
  });
}

describe('reward', () => {
  test.each([1, 2, 3])(
    'demonstrations of %i operations solve the task or, three times in five, stop one call early',
    async (operations) => {
      let hasty = 0;
      let count = 0;
      for (const split of ['train', 'validation']) {
        const tasks = await draw(split, 11, 60, { operations });
        const verdicts = await sandbox.call(
          tasks.map((task, i) => ({ ...request('demonstrate', { task: { ...task } }), episode: i, seed: i })),
        );
        for (const [i, task] of tasks.entries()) {
          const turns = valueOf<Demonstration['turns']>(verdicts[i]);
          const calls = turns.length - 1;
          const value = String(new Function(`return ${task.prompt}`)());
          const { terms, success } = await play(task, turns);
          expect(terms).toEqual({ correct: success ? 1 : 0, calls, wasted: 0 });
          const last = turns.at(-1)!;
          expect('answer' in last && (last.answer === value) === success).toBe(true);
          expect(calls).toBeLessThanOrEqual(operations);
          if (!success) hasty++;
          count++;
        }
      }
      expect(hasty / count).toBeGreaterThan(0.5);
      expect(hasty / count).toBeLessThan(0.8);
    },
  );

  test('the oracle makes every call and is right', async () => {
    for (const task of await draw('validation', 2, 40, { operations: 3 })) {
      const turns = await ask<Demonstration['turns']>('demonstrate', { task: { ...task }, policy: 'oracle' });
      expect(await play(task, turns)).toEqual({
        terms: { correct: 1, calls: turns.length - 1, wasted: 0 },
        success: true,
      });
    }
  });

  const task = {
    id: 'a',
    prompt: '(37*4)-16',
    data: { tree: { sign: '-', left: { sign: '*', left: 37, right: 4 }, right: 16 } },
  };
  const call = (expression: string) => ({ calls: [{ name: 'calc', arguments: { expression } }] });

  test.each([
    ['132', 1],
    [' 132  ', 1],
    ['132.0', 0],
    ['+132', 0],
    ['0132', 0],
    ['132\n', 0],
    ['1 32', 0],
    ['133', 0],
    ['', 0],
  ])('answer %j: correct %i', async (answer, correct) => {
    expect(await play(task, [{ answer }])).toEqual({ terms: { correct, calls: 0, wasted: 0 }, success: correct === 1 });
  });

  test('no answer earns nothing', async () => {
    expect((await play(task, [])).terms).toEqual({ correct: 0, calls: 0, wasted: 0 });
  });

  test('useful calls count once; failed and repeated ones are wasted; others are neither', async () => {
    const turns = [call('37*4'), call(' 37 * 4'), call('37*4-16'), call('1+1'), call('148-16'), { answer: '132' }];
    expect((await play(task, turns)).terms).toEqual({ correct: 1, calls: 2, wasted: 2 });
  });
});

test('the alphabet is exactly what its texts contain', async () => {
  const { alphabet } = await ask<EnvironmentDescription>('describe', null);
  const texts = [wrong.message, 'too large'];
  for (const task of await draw('train', 1, 200, { operations: 3 })) texts.push(task.prompt);
  for (const expression of ['1-4', '25*37', '999999*999999'])
    texts.push(valueOf<{ text: string }>(await calc(expression)).text);
  expect(alphabet).toBe([...new Set(texts.join(''))].sort().join(''));
});

test('the description is what the page shows', async () => {
  const description = await ask<EnvironmentDescription>('describe', null);
  expect(description.tools.map((tool) => tool.name)).toEqual(['calc']);
  expect(Object.entries(description.rewards).map(([name, { weight }]) => [name, weight])).toEqual([
    ['correct', 1],
    ['calls', 0],
    ['wasted', 0],
  ]);
  expect(description.options.map((option) => [option.name, option.default])).toEqual([
    ['operations', 2],
    ['max', 99],
  ]);
});
