/** Images from `start` and tools, and what is said about those that are none. */
import { describe, expect, test } from 'vitest';
import type { ContextRule } from '../../src/agent/context';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { FlowEnv } from '../../src/agent/flow-env';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Prompt } from '../../src/agent/types';
import { imageOf } from '../../src/text/image';
import { withImages } from '../../src/text/image-tokens';
import { specialTokenChat } from '../../src/text/chat-template';
import { appendContext } from '../helpers/append-context';
import { calculatorDescription, PlainSandbox, type Guest } from './plain-sandbox';
import { answer, call, compact, options, sampling, task, tokenizer as text } from './scripted-run';

const tokenizer = withImages(text);
const bytes = (value: number, size = 8) => new Array<number>(size * size * 3).fill(value);
const image = (value: number, size = 8) => ({ width: size, height: size, pixels: bytes(value, size) });
const host = (value: number, size = 8) => imageOf(size, size, bytes(value, size));

/** Shows one image at the start, another one when its tool is called. */
const pictures: Guest = {
  start: () => ({ text: 'look', image: image(1) }),
  execute: () => ({ text: 'here', image: image(2, 16) }),
  reward: () => ({ terms: {}, success: true }),
  context: ({ messages }) => messages.filter((message: { role: string }) => message.role === 'tool'),
};

async function play(guest: Guest, { images = true, rule = 'append' as ContextRule } = {}) {
  const sandbox = new PlainSandbox({ ...pictures, ...guest });
  const description = { ...calculatorDescription, images, hooks: ['start' as const, 'context' as const] };
  const context = { ...appendContext, rule };
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description,
    sandbox,
    tokenizer,
    format: compact,
    context,
    observationLimit: 200,
  });
  const policy = new ScriptedPolicy([[call('1+1'), answer('2')]], 1000);
  const prompts: Prompt[] = [];
  const sample = policy.sample.bind(policy);
  policy.sample = (given, how) => {
    prompts.push(...given);
    return sample(given, how);
  };
  const loop = new AgentEnvLoop(env, tokenizer, compact, specialTokenChat);
  const [trajectory] = await loop.run([{ task: task(0), group: 0 }], policy, { ...options, sampling });
  return { trajectory, prompts };
}

describe('what start and tools show', () => {
  test('stands in messages, in prompts and in steps', async () => {
    const { trajectory, prompts } = await play({});
    const [first, second] = trajectory.steps;
    expect(first.observation.messages.at(-1)).toEqual({ role: 'tool', content: ['look', host(1)] });
    expect(second.observation.messages.at(-1)).toEqual({ role: 'tool', content: ['here', host(2, 16)] });
    expect(first.toolCalls[0]).toMatchObject({ result: 'here', image: host(2, 16) });
    expect(first.images).toEqual([{ at: first.prompt.indexOf(tokenizer.image!), image: host(1) }]);
    expect(second.images!.map(({ image: shown }) => shown)).toEqual([host(1), host(2, 16)]);
    for (const { prompt, images = [] } of trajectory.steps) {
      const places = [...prompt.keys()].filter((at) => prompt[at] === tokenizer.image);
      expect(places).toEqual(
        images.flatMap(({ at, image: { width } }) => Array.from({ length: (width / 8) ** 2 }, (_, i) => at + i)),
      );
    }
    expect(prompts.map(({ images }) => images)).toEqual(trajectory.steps.map(({ images }) => images));
  });

  test('an image needs no text at the start', async () => {
    const { trajectory } = await play({ start: () => ({ image: image(5) }) });
    expect(trajectory.steps[0].observation.messages.at(-1)).toEqual({ role: 'tool', content: ['', host(5)] });
  });

  test('a context hands images on by the index of their message, and may show others', async () => {
    const { trajectory } = await play(
      {
        context: ({ messages }) => [
          ...messages.filter(({ image: index }: { image?: number }) => index !== undefined),
          { role: 'tool', content: 'mine', image: image(9) },
        ],
      },
      { rule: 'environment' },
    );
    expect(trajectory.steps[1].observation.messages.map(({ content }) => content)).toEqual([
      ['look', host(1)],
      ['here', host(2, 16)],
      ['mine', host(9)],
    ]);
  });

  test('a flow shows images', async () => {
    const sandbox = new PlainSandbox({
      flow: ({ log }) =>
        log.length === 0
          ? { messages: [{ role: 'user', content: 'what', image: image(3) }], done: false, calls: [], state: null }
          : { answer: '2', done: false, calls: [], state: null },
      reward: () => ({ terms: {}, success: true }),
    });
    const description = { ...calculatorDescription, images: true };
    const env = new FlowEnv({ description, sandbox, tokenizer, format: compact, observationLimit: 200 });
    const loop = new AgentEnvLoop(env, tokenizer, compact, specialTokenChat);
    const policy = new ScriptedPolicy([[answer('2')]], 1000);
    const [trajectory] = await loop.run([{ task: task(0), group: 0 }], policy, { ...options, sampling });
    expect(trajectory.steps[0].images).toEqual([{ at: 5, image: host(3) }]);
  });
});

const nested = (depth: number): object => (depth === 0 ? {} : { deeper: nested(depth - 1) });

describe('what is no image ends in a sentence', () => {
  const size = 'an image whose width and height are not multiples of 8 from 8 to 64.';
  const cases: [string, unknown, string][] = [
    ['a text', 'red', size],
    ['a list', [1, 2], size],
    ['null', null, size],
    ['sides that 8 does not divide', { width: 12, height: 8, pixels: [] }, size],
    ['a side of 0', { width: 0, height: 8, pixels: [] }, size],
    ['a side of 72', { width: 72, height: 8, pixels: bytes(0, 72) }, size],
    ['sides that are texts', { width: '8', height: '8', pixels: bytes(0) }, size],
    ['a fraction', { width: 8.5, height: 8, pixels: bytes(0) }, size],
    ['no pixels', { width: 8, height: 8 }, 'an image of 8 × 8 whose pixels are not a list of 192 numbers.'],
    ['too few', { ...image(0), pixels: [1, 2] }, 'an image of 8 × 8 whose pixels are not a list of 192 numbers.'],
    ['too many', { ...image(0), height: 16 }, 'an image of 8 × 16 whose pixels are not a list of 384 numbers.'],
    [
      'base64',
      { ...image(0), pixels: host(0).pixels },
      'an image of 8 × 8 whose pixels are not a list of 192 numbers.',
    ],
    ['256', { ...image(0), pixels: bytes(0).with(7, 256) }, 'an image whose pixels[7] is no integer from 0 to 255.'],
    ['-1', { ...image(0), pixels: bytes(0).with(7, -1) }, 'an image whose pixels[7] is no integer from 0 to 255.'],
    ['a half', { ...image(0), pixels: bytes(0).with(0, 0.5) }, 'an image whose pixels[0] is no integer from 0 to 255.'],
    [
      'a hole',
      { ...image(0), pixels: (bytes(0) as unknown[]).with(9, null) },
      'pixels[9] is no integer from 0 to 255.',
    ],
    ['a depth', nested(200), 'nests deeper'],
  ];

  test.each(cases)('from a tool: %s', async (_, given, sentence) => {
    const { trajectory } = await play({ execute: () => ({ text: 'here', image: given }) });
    const [step] = trajectory.steps;
    expect(step.toolCalls[0]).toMatchObject({ error: 'tool-error' });
    expect(step.toolCalls[0]).not.toHaveProperty('image');
    expect(step.problem).toContain(sentence);
    expect(trajectory.end).toBe('answer');
  });

  test.each(cases)('from start: %s', async (_, given, sentence) => {
    const { trajectory } = await play({ start: () => ({ text: 'look', image: given }) });
    expect(trajectory).toMatchObject({ end: 'environment-failed', steps: [] });
    expect(trajectory.problem).toContain(sentence);
  });

  test.each([[17], [-1], [0.5], [{ width: 9 }]])('in a context: %j', async (given) => {
    const { trajectory } = await play(
      { context: () => [{ role: 'tool', content: 'x', image: given }] },
      { rule: 'environment' },
    );
    expect(trajectory.end).toBe('environment-failed');
    expect(trajectory.problem).toMatch(/stands for no image\.$|multiples of 8 from 8 to 64\.$/);
  });

  test('an environment that does not declare images', async () => {
    const { trajectory } = await play({}, { images: false });
    expect(trajectory.problem).toBe('start gave an image, and meta.images is not true.');
  });
});
