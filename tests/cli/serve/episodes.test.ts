/** What a served episode says and gives: chance, rewards, long results, worlds that break or cannot be served. */
import { expect, test } from 'vitest';
import { own } from './own-world';
import { serve, serveModule } from './served';

test('two sessions of one task have the same prompt and another chance; the same sessions come again', async () => {
  const source = own('return String(Math.random())');
  const play = async () => {
    const { client } = await serveModule(source);
    const sessions = [await client.begin('train', 7), await client.begin('train', 7)];
    const texts = await Promise.all(sessions.map(({ sid }) => client.call(sid, 'say', {})));
    return sessions.map(({ prompt }, i) => [prompt[0].text, texts[i].output.blocks[0].text]);
  };
  const [first, second] = await play();
  expect(first[0]).toMatch(/^say \d+\nit begins$/);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).not.toBe(first[1]);
  expect(await play()).toEqual([first, second]);
});

test('a result of 5,000 characters that begins with a space is cut as in the page, and keeps its space', async () => {
  const { client } = await serveModule(own(`return ' ' + '\\u2028é '.repeat(1700)`));
  const { sid } = await client.begin('train', 0);
  const { output } = await client.call(sid, 'say', {});
  expect(output.blocks[0].text).toBe(` ${'\u2028é '.repeat(1700)}`.slice(0, 512));
});

test('the last call has the rewards of all; with --step-rewards each has its own, of equal sum', async () => {
  const source = own('return { text: "a", reward: 1, state: context.state }');
  const rewards = async (stepRewards: boolean) => {
    const { client } = await serveModule(source, { stepRewards });
    const { sid } = await client.begin('train', 0);
    const results = [await client.call(sid, 'say', {}), await client.call(sid, 'say', {})];
    results.push(await client.call(sid, 'answer', { text: 'yes' }));
    return results.map(({ output: { reward, metadata } }) => ({ reward, metadata }));
  };
  const process = { metadata: { rewards: { tool: 1 } } };
  const end = { metadata: { end: 'answer', success: true, rewards: { tool: 2, right: 1 } } };
  expect(await rewards(false)).toEqual([
    { reward: null, ...process },
    { reward: null, ...process },
    { reward: 2, ...end },
  ]);
  expect(await rewards(true)).toEqual([
    { reward: 0.5, ...process },
    { reward: 0.5, ...process },
    { reward: 1, ...end },
  ]);
});

test('an episode that reaches the last turn ends there, with its reward', async () => {
  const { client } = await serveModule(own(), { set: ['rollout.maxTurns=2'] });
  const { sid } = await client.begin('train', 0);
  expect((await client.call(sid, 'no_such_tool', {})).output).toMatchObject({ reward: null, finished: false });
  expect((await client.call(sid, 'say', { text: 'a' })).output).toMatchObject({
    blocks: [{ text: 'a 1' }],
    reward: 0,
    finished: true,
    metadata: { end: 'max-turns', success: false },
  });
  expect(await client.call(sid, 'answer', { text: 'yes' })).toMatchObject({ ok: false, reason: 'episode_finished' });
});

test('a world that breaks ends its own episode alone', async () => {
  const { client, faults } = await serveModule(
    own('if (args.text === "hang") for (;;); return say(args.text, context)'),
  );
  const [broken, other] = [await client.begin('train', 0), await client.begin('train', 0)];
  const [hung, well] = await Promise.all([
    client.call(broken.sid, 'say', { text: 'hang' }),
    client.call(other.sid, 'say', { text: 'a' }),
  ]);
  expect(hung).toMatchObject({ ok: false, error: 'The environment was stopped: it used up its fuel.' });
  expect(well.output.blocks[0].text).toBe('a 1');
  expect(await client.call(broken.sid, 'say', { text: 'a' })).toMatchObject({ ok: false });
  expect(faults).toEqual([]);
});

test('a world that cannot begin is an answer, and its session can be begun again', async () => {
  const source = own().replace("({ text: 'it begins', state: { n: 0 } })", '{ throw new Error("no way"); }');
  const { client, faults } = await serveModule(source);
  for (let i = 0; i < 2; i++) {
    const answered = await client.post('/create', { split: 'train', index: 0 }, 'one');
    expect(answered.status).toBe(500);
    expect(answered.json).toMatchObject({
      detail: expect.stringContaining('could not begin: Error: no way') as string,
    });
  }
  expect(faults).toHaveLength(2);
});

test.each([
  ['the tool answer', own(undefined, { tool: 'answer' }), 'The tool answer has the name of the tool'],
  ['a tool that hides a method', own(undefined, { tool: 'reset' }), 'The tool reset has the name of a method'],
  ['a tool that is a keyword', own(undefined, { tool: 'lambda' }), 'The tool lambda has the name of a Python keyword'],
  ['a hidden tool', own(undefined, { tool: '_say' }), 'The tool _say begins with an underscore'],
  [
    'an argument that is a keyword',
    own(undefined, { parameters: '{ from: { type: "string" } }' }),
    'The argument "from" of the tool say is a Python keyword: rename it.',
  ],
  [
    'an argument that is no name',
    own(undefined, { parameters: '{ "a-b": { type: "string" } }' }),
    'The argument "a-b" of the tool say is no name in Python: rename it.',
  ],
  [
    'a flow',
    own(undefined, { more: "export function* flow() { yield [{ role: 'user', content: 'a' }]; }" }),
    'A world with a flow writes the prompts of its agent',
  ],
])('%s is refused with a sentence', async (_, source, sentence) => {
  await expect(serveModule(source)).rejects.toThrow(sentence);
});

test('a context rule of the world and images are said to be the trainer’s', async () => {
  const context = await serveModule(
    own(undefined, { more: 'export const context = (task, { messages }) => messages;' }),
  );
  expect(context.world.notices()).toEqual(['Prompts are the trainer’s: the context rule environment is not applied.']);
  const pixels = await serve('pixels');
  expect(pixels.world.notices()).toEqual(['This world shows images, which trainers of text (TRL, SkyRL) leave out.']);
  await pixels.close();
});

test('a task says nothing of its answer', async () => {
  const { client } = await serveModule(own());
  const { json } = await client.post('/task', { split: 'validation', index: 5 });
  expect(Object.keys((json as { task: object }).task)).toEqual(['split', 'index', 'id', 'tags']);
});
