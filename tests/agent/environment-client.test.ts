import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { taskSchema } from '../../src/agent/env';
import { EnvironmentClient } from '../../src/agent/environment-client';
import { calculator, calculatorDescription, Killed, PlainSandbox, type Guest } from './plain-sandbox';

const client = (guest: Guest = {}) => new EnvironmentClient(new PlainSandbox({ ...calculator, ...guest }));
const describing = (change: object): Guest => ({ describe: () => ({ ...calculatorDescription, ...change }) });

describe('EnvironmentClient', () => {
  it('gives the description as the module says it', async () => {
    expect(await client().describe()).toEqual(calculatorDescription);
  });

  it('makes plain lines of what people read, and leaves what the model reads', async () => {
    const hostile = 'X\n\n## Results\u202e\u0001\ud800\u200b![](https://evil.example/p.png)';
    const plain = 'X ## Results????![](https://evil.example/p.png)';
    const [tool] = calculatorDescription.tools;
    const said = await client(
      describing({
        title: hostile,
        task: hostile,
        watch: hostile,
        outOfDistribution: hostile,
        system: hostile,
        rewards: { exact: { description: hostile, weight: 1 } },
        options: [{ name: 'max', title: hostile, description: hostile, values: [1], default: 1 }],
        tools: [{ ...tool, description: hostile }],
      }),
    ).describe();
    const { title, task, watch, outOfDistribution, rewards, options } = said;
    const [option] = options;
    for (const text of [
      title,
      task,
      watch,
      outOfDistribution,
      rewards.exact.description,
      option.title,
      option.description,
    ])
      expect(text).toBe(plain);
    expect([said.system, said.tools[0].description]).toEqual([hostile, hostile]);
  });

  it.each(['a\u202eb', 'a\nb', 'a\u0001', '=1+1', '<b>', 'a b', '[x](y)', '\ud800'])(
    'takes %j as no name of a tool, a reward or an option, and as no tag',
    async (hostile) => {
      const [tool] = calculatorDescription.tools;
      const option = { name: hostile, title: '', description: '', values: [1], default: 1 };
      for (const changed of [
        { tools: [{ ...tool, name: hostile }] },
        { rewards: { [hostile]: { description: '', weight: 1 } } },
        { options: [option] },
      ])
        await expect(client(describing(changed)).describe()).rejects.toThrow(/is not as expected/);
      if (hostile !== 'a b')
        expect(v.is(taskSchema, { id: 'a', prompt: 'b', data: null, tags: [hostile] })).toBe(false);
    },
  );

  it.each<[string, object, RegExp]>([
    ['without a title', { title: undefined }, /^meta lacks title\.$/],
    ['with an unknown field', { colour: 'red' }, /meta has a field "colour", which is not known/],
    [
      'with a forged tool name',
      { tools: [{ ...calculatorDescription.tools[0], name: '<call>' }] },
      /^tools\.0\.name is not as expected: a name is a letter/,
    ],
    [
      'with two tools of one name',
      { tools: [calculatorDescription.tools[0], calculatorDescription.tools[0]] },
      /two tools called calc/,
    ],
    [
      'with a schema that runs a regular expression',
      {
        tools: [
          { name: 'calc', description: '', parameters: { properties: { x: { type: 'string', pattern: '(a+)+$' } } } },
        ],
      },
      /tools\.calc\.parameters\.x uses "pattern"/,
    ],
    [
      'with a weight that is no number',
      { rewards: { exact: { description: '', weight: '1' } } },
      /^meta\.rewards\.exact\.weight is not as expected/,
    ],
    [
      'with 33 reward terms',
      {
        rewards: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`term${i}`, { description: '', weight: 1 }])),
      },
      /^meta\.rewards is not as expected: there may be at most 32 reward terms\.$/,
    ],
    [
      'with a reward term that every object has',
      { rewards: { toString: { description: '', weight: 1 } } },
      /^meta\.rewards\.toString is not as expected: every JavaScript object has something of this name/,
    ],
    [
      'with an option that every object has',
      { options: [{ ...calculatorDescription.options[0], name: 'constructor' }] },
      /^meta\.options\.0\.name is not as expected: every JavaScript object/,
    ],
    [
      'with a default that is no choice',
      { options: [{ ...calculatorDescription.options[0], default: 9 }] },
      /default 9/,
    ],
  ])('refuses a description %s', async (_, change, message) => {
    await expect(client(describing(change)).describe()).rejects.toThrow(message);
  });

  it('asks for tasks in parts of one message and joins them in order', async () => {
    const sandbox = new PlainSandbox(calculator);
    const tasks = await new EnvironmentClient(sandbox).tasks('train', 5, 100, 10, { level: 2 });
    expect(tasks.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => `t${100 + i}`));
    expect(sandbox.messages).toHaveLength(1);
    expect(sandbox.messages[0].map(({ args }) => args)).toEqual([
      { split: 'train', seed: 5, start: 100, count: 4, options: { level: 2 } },
      { split: 'train', seed: 5, start: 104, count: 4, options: { level: 2 } },
      { split: 'train', seed: 5, start: 108, count: 2, options: { level: 2 } },
    ]);
  });

  it('awaits the hook before each batch of at most 32 requests', async () => {
    const sandbox = new PlainSandbox(calculator);
    const asked = new EnvironmentClient(sandbox);
    const seen: number[] = [];
    const beforeSubmit = async () => void seen.push(sandbox.messages.length);
    const tasks = await asked.tasks('train', 5, 0, 33 * 4, {}, beforeSubmit);
    expect(tasks.at(-1)!.id).toBe(`t${33 * 4 - 1}`);
    expect(await asked.demonstrate(tasks.slice(0, 70), 1, undefined, beforeSubmit)).toHaveLength(70);
    expect(sandbox.messages.map((message) => message.length)).toEqual([32, 1, 32, 32, 6]);
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(sandbox.messages.slice(2).flatMap((message) => message.map(({ seed }) => seed))).size).toBe(70);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['too few', () => [], /gave 0 tasks where 2/],
    ['no list', () => 'tasks', /at the top/],
    ['a task without a prompt', () => [{ id: 'a', data: null }], /at 0\.prompt/],
    [
      'a tower of lists',
      () => Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 1),
      /nests deeper than 32/,
    ],
    [
      'an exception',
      () => {
        throw new Error('no idea');
      },
      /tasks failed: no idea/,
    ],
    [
      'a guest that was stopped',
      () => {
        throw new Killed('fuel');
      },
      /tasks failed: The environment was stopped: it used up its fuel/,
    ],
  ])('refuses %s in place of tasks', async (_, tasks, message) => {
    await expect(client({ tasks }).tasks('validation', 1, 0, 2, {})).rejects.toThrow(message);
  });

  it('gives demonstrations of the tasks', async () => {
    const [task] = await client().tasks('train', 1, 3, 1, {});
    expect(await client().demonstrate([task], 1)).toEqual([
      { task, turns: [{ calls: [{ name: 'calc', arguments: { expression: '3+1' } }] }, { answer: '4' }] },
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no turns', [], /at the top/],
    ['a turn of neither kind', [{ say: 'hello' }], /a turn is/],
  ])('refuses a demonstration with %s', async (_, turns, message) => {
    const [task] = await client().tasks('train', 1, 3, 1, {});
    await expect(client({ demonstrate: () => turns }).demonstrate([task], 1)).rejects.toThrow(message);
  });
});
