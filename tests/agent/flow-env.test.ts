/** Flows: an environment drives its own steps, in the sandbox, replayed from the log in every turn. */
import { describe, expect, it } from 'vitest';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { EnvironmentClient } from '../../src/agent/environment-client';
import { FlowEnv } from '../../src/agent/flow-env';
import type { Trajectory } from '../../src/agent/types';
import { imageOf } from '../../src/text/image';
import { withImages } from '../../src/text/image-tokens';
import { specialTokenChat } from '../../src/text/chat-template';
import { openLocal } from '../sandbox/open';
import { answer, call, compact, options, say, show, task, tokenizer as text } from './scripted-run';

const moduleOf = (flow: string): string => `
import { string, tool, ToolError } from 'agentlet';
export const meta = { title: 'Flow', task: 'Plan, look, check.', watch: 'The plan.',
  rewards: { right: { description: 'Right.', weight: 1 }, tool: { description: 'Looks.', weight: 0.1 } },
  options: [], alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789+ ', examples: [] };
export const tools = [tool({ name: 'look', description: 'Looks.', arguments: { what: string('what') },
  execute({ what }, { state }) {
    if (what === 'no') throw new ToolError('not that');
    return { text: what + '!' + Math.random(), reward: 1, state: (state ?? 0) + 1, done: what === 'exit' };
  } })];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 9999)) });
export const reward = ({ answer, state, steps }) => ({ success: answer === 'yes', right: state ?? 0 });
export function* flow(task, { call }) { ${flow} }
`;

async function play(source: string, script: number[][], maxTurns = 6): Promise<Trajectory> {
  const sandbox = await openLocal(source);
  const description = await new EnvironmentClient(sandbox).describe();
  const tokenizer = description.images ? withImages(text) : text;
  const env = new FlowEnv({ description, sandbox, tokenizer, format: compact, observationLimit: 200 });
  const [trajectory] = await new AgentEnvLoop(env, tokenizer, compact, specialTokenChat).run(
    [{ task: task(0), group: 0 }],
    new ScriptedPolicy([script], 1000),
    { ...options, maxTurns, rewardWeights: { right: 1, tool: 0.1 } },
  );
  return trajectory;
}

const planActCheck = `
  const question = { role: 'user', content: task.prompt };
  const dice = Math.random();
  const plan = yield [question, { role: 'user', content: 'plan' }];
  const found = call('look', { what: plan.answer });
  const draft = yield [question, plan, { role: 'tool', content: found + ' ' + dice }];
  call('look', { what: 'again' });
  const check = yield [question, draft, { role: 'user', content: 'sure' }];
  return dice > 2 ? 'never' : check.answer;`;

describe('a flow', () => {
  it('yields each prompt, gets each action, calls tools and returns the answer', async () => {
    const trajectory = await play(moduleOf(planActCheck), [answer('there'), answer('7'), answer('yes')]);
    expect(trajectory).toMatchObject({ end: 'answer', answer: 'yes', success: true });
    const shown = trajectory.steps.map(({ prompt }) => show(prompt));
    expect(shown[0]).toBe('<user>0+1<end><user>plan<end><assistant>');
    expect(shown[1]).toMatch(/^<user>0\+1<end><assistant><answer>there<end><tool>there!0\.\d+ 0\.\d+<end><assistant>$/);
    expect(shown[2]).toBe('<user>0+1<end><assistant><answer>7<end><user>sure<end><assistant>');
    expect(trajectory.steps.map(({ toolCalls }) => toolCalls.map(({ arguments: args }) => args))).toEqual([
      [{ what: 'there' }],
      [{ what: 'again' }],
      [],
    ]);
    expect(trajectory.steps.map(({ rewards }) => rewards)).toEqual([{ tool: 1 }, { tool: 1 }, { right: 2 }]);
    expect(trajectory.reward).toBeCloseTo(2.2, 12);
  });

  it('shows what was sampled, token for token', async () => {
    const odd = [...say('a'), ...text.encode('b')].slice(0, 1);
    const trajectory = await play(moduleOf(planActCheck), [[...odd, ...answer('x')], answer('7'), answer('yes')]);
    const [first, second] = trajectory.steps;
    expect(second.prompt.join()).toContain(first.action.tokens.join());
  });

  it('may use the calls that the agent wrote, and is told of errors', async () => {
    const router = `
      let said = yield [{ role: 'user', content: task.prompt }];
      while (said.answer === null)
        said = yield [{ role: 'tool', content: said.error ?? call(said.calls[0].name, said.calls[0].arguments) }];
      return said.answer;`;
    const trajectory = await play(moduleOf(router), [say('x'), call('hi'), call('no'), answer('yes')]);
    const last = trajectory.steps.map(({ observation }) => observation.messages.at(-1)?.content);
    expect(last).toEqual(['0+1', 'error: no-answer', expect.stringMatching(/^hi!/), 'error: not that']);
    expect(trajectory.steps.map(({ error }) => error)).toEqual(['no-answer', undefined, undefined, undefined]);
    expect(trajectory.steps[2].toolCalls).toMatchObject([{ name: 'look', error: 'tool-error' }]);
    expect(trajectory.success).toBe(true);
  });

  it('ends when a tool ends the episode, and when turns run out', async () => {
    const walk =
      `for (;;) { const said = yield [{ role: 'user', content: 'go' }]; ` + `call('look', { what: said.answer }); }`;
    const done = await play(moduleOf(walk), [answer('on'), answer('exit'), answer('on')]);
    expect(done).toMatchObject({ end: 'done', steps: [{}, { rewards: { tool: 1, right: 2 } }] });
    const stopped = await play(moduleOf(walk), [answer('on'), answer('on')], 2);
    expect(stopped).toMatchObject({ end: 'max-turns', steps: [{}, { rewards: { tool: 1, right: 2 } }] });
  });
});

describe('an image that a called tool shows', () => {
  const side = 64;
  const host = (value: number) => imageOf(side, side, new Array<number>(side * side * 3).fill(value));

  /** Its tool paints a square of one number, as long as that is above 0. @param image what it shows */
  const painter = (flow: string, image = '{ width: 64, height: 64, pixels: new Array(12288).fill(Number(what)) }') =>
    moduleOf(flow)
      .replace("title: 'Flow',", "title: 'Flow', images: true,")
      .replace(/return \{ text: what \+ .*/, `return { text: what, image: what === '0' ? undefined : ${image} };`);

  const twice = `
    const one = yield [{ role: 'user', content: 'first' }];
    const seen = call('look', { what: one.answer });
    const two = yield [{ role: 'tool', content: seen }];
    const also = call('look', { what: two.answer });
    yield [one, { role: 'tool', content: seen }, { role: 'tool', content: also }];
    return 'yes';`;

  it('goes into the next messages as call gave it, and again into later ones', async () => {
    const trajectory = await play(painter(twice), [answer('3'), answer('4'), answer('5')]);
    expect(trajectory).toMatchObject({ end: 'answer', answer: 'yes' });
    const shown = trajectory.steps.map(({ observation }) => observation.messages.map(({ content }) => content));
    expect(shown[1]).toEqual([['3', host(3)]]);
    expect(shown[2].slice(1)).toEqual([
      ['3', host(3)],
      ['4', host(4)],
    ]);
    expect(trajectory.steps[2].images!.map(({ image }) => image)).toEqual([host(3), host(4)]);
    expect(trajectory.steps[0].toolCalls).toMatchObject([{ result: '3', image: host(3) }]);
  });

  it('leaves a result without one a text', async () => {
    const flow = `
      const said = yield [{ role: 'user', content: 'first' }];
      yield [{ role: 'tool', content: typeof call('look', { what: said.answer }) }];
      return 'yes';`;
    const { steps } = await play(painter(flow), [answer('0'), answer('5')]);
    expect(steps[1].observation.messages).toEqual([{ role: 'tool', content: 'string' }]);
    expect(steps[0].toolCalls[0]).not.toHaveProperty('image');
  });

  it('can stand beside others in one message', async () => {
    const flow = `
      yield [{ role: 'user', content: 'first' }];
      const [[a, one], [b, two]] = ['1', '2'].map((what) => call('look', { what }));
      yield [{ role: 'tool', content: [a, one, b, two], image: one }];
      return 'yes';`;
    const small = '{ width: 8, height: 8, pixels: new Array(192).fill(Number(what)) }';
    const { steps } = await play(painter(flow, small), [answer('3'), answer('5')]);
    const [one, two] = [1, 2].map((value) => imageOf(8, 8, new Array<number>(192).fill(value)));
    expect(steps[1].observation.messages).toEqual([{ role: 'tool', content: ['1', one, '2', two, one] }]);
  });

  const look =
    `yield [{ role: 'user', content: 'a' }]; call('look', { what: '1' }); yield [{ role: 'user', content: 'b' ` + `}];`;
  const show = (content: string) =>
    `yield [{ role: 'user', content: 'a' }]; yield [{ role: 'user', content: ${content} }];`;
  it.each<[string, string, RegExp]>([
    [
      'sides of 12',
      painter(look, '{ width: 12, height: 12, pixels: [] }'),
      /^The tool look gave an image whose width and height are not multiples of 8 from 8 to 64\.$/,
    ],
    [
      'too few pixels',
      painter(look, '{ width: 8, height: 8, pixels: [1] }'),
      /^The tool look gave an image of 8 × 8 whose pixels are not a list of 192 numbers\.$/,
    ],
    ['null', painter(look, 'null'), /^The tool look gave an image whose width/],
    [
      'more than a result holds',
      painter(look, '{ width: 8, pixels: new Array(40000).fill(1) }'),
      /65536 bytes of JSON/,
    ],
    [
      'one of an environment without images',
      painter(look).replace('images: true', 'images: false'),
      /^The tool look gave an image, and meta\.images is not true\.$/,
    ],
    ['a number of no call', painter(show("['x', 7]")), /^flow yielded .*: the number 7 stands for no image\.$/],
    ['a list of nothing', painter(show('[null]')), /^flow yielded .*: a message gave an image whose width/],
    ['a list of too many', painter(show('new Array(17).fill(1)')), /^flow yielded .*: a message may show at most 16/],
  ])('of %s ends the episode with a sentence', async (_, source, sentence) => {
    const trajectory = await play(source, [answer('a'), answer('b'), answer('c')]);
    expect(trajectory).toMatchObject({ end: 'environment-failed', success: false });
    expect(trajectory.steps.at(-1)?.problem).toMatch(sentence);
  });
});

describe('a flow that goes wrong fails its episode with a sentence', () => {
  const twoSteps = [answer('a'), answer('b'), answer('c')];
  it.each<[string, string, RegExp]>([
    ['yields nonsense', 'yield 5;', /flow yielded something else than messages: the messages must be an array/],
    ['yields an empty list', 'yield [];', /there must be at least one message/],
    ['yields a promise', 'yield Promise.resolve([]);', /flow returned a promise/],
    ['yields a forged action', "yield [{ role: 'assistant', content: 'x' }];", /a message is \{ role/],
    ['yields an action of the future', "yield [{ role: 'assistant', step: 3 }];", /the agent has taken no step 3/],
    ['returns at once', "return 'yes';", /flow returned before its first yield/],
    [
      'returns a number',
      "yield [{ role: 'user', content: 'a' }]; return 5;",
      /flow returned 5; it must return its answer/,
    ],
    ['never yields', 'for (;;);', /used up its fuel/],
    ['never yields again', "yield [{ role: 'user', content: 'a' }]; for (;;);", /used up its fuel/],
    ['throws', "throw new Error('lost');", /Error: lost \(environment\.js:\d+/],
    ['calls a tool that is not there', "call('fly', {}); yield [];", /there is no tool fly/],
  ])('%s', async (_, flow, sentence) => {
    const trajectory = await play(moduleOf(flow), twoSteps);
    expect(trajectory).toMatchObject({ end: 'environment-failed', success: false });
    expect(trajectory.problem ?? trajectory.steps.at(-1)?.problem).toMatch(sentence);
  });

  it('one that is no generator is told how to be written', async () => {
    const source = moduleOf('').replace(/export function\* flow.*/, 'export const flow = () => [];');
    expect((await play(source, twoSteps)).problem).toMatch(/flow returned an array; write it as a generator/);
  });
});
