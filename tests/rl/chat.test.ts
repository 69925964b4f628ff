/** The chat asks the agent in a world of its environment: tools work, whatever is asked. */
import { beforeAll, expect, test } from 'vitest';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import type { Task } from '../../src/agent/types';
import { builtInEnvironments } from '../../src/environments/built-in';
import { presetByName } from '../../src/config/presets';
import { askedAbout } from '../../src/config/rows';
import { chatTasks, chatWith, type ChatEvent } from '../../src/rl/rollouts/chat';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { emptySandbox } from '../environments/own';

const { config } = presetByName('multi-hop');
let setup: RunSetup;
let heldOut: Task;

beforeAll(async () => {
  setup = await prepareRun(config, builtInEnvironments['multi-hop'], await emptySandbox());
  [heldOut] = await setup.client.tasks('validation', 0, 3, 1, config.environment.options);
});

/** Plays the oracle's turns of a task, whatever is asked. */
async function ask(message: string): Promise<ChatEvent[]> {
  const [{ turns }] = await setup.client.demonstrate([heldOut], 1, 'oracle');
  const { format, model } = setup;
  const { tokenizer } = model;
  const script = turns.map((turn) =>
    'answer' in turn
      ? format.encodeAnswer(turn.answer, tokenizer)
      : format.encodeCalls(turn.calls, setup.description.tools, tokenizer),
  );
  const policy = Object.assign(new ScriptedPolicy([script], 1000), { clearCache: () => undefined });
  const events: ChatEvent[] = [];
  await chatWith(setup, await chatTasks(setup), policy, message, (event) => events.push(event));
  return events;
}

test('a held-out task is asked in its own world, and the environment judges', async () => {
  const events = await ask(heldOut.prompt);
  expect(events.filter(({ type }) => type === 'tool')).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: 'done', solved: true, end: 'answer' });
});

test('any other message is asked in some world, where no tool fails, and nobody judges', async () => {
  const events = await ask("bara 's author 's home ?");
  const calls = events.flatMap((event) => (event.type === 'tool' ? [event.call] : []));
  expect(calls.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(events.at(-1)).toMatchObject({ type: 'done', solved: null });
});

test('a message that is nearly a prompt is asked in the world of that prompt', async () => {
  const resultsOf = (events: ChatEvent[]) =>
    events.flatMap((event) => (event.type === 'tool' ? [event.call.result] : []));
  const events = await ask(heldOut.prompt.replace(' ?', ''));
  expect(resultsOf(events)).toEqual(resultsOf(await ask(heldOut.prompt)));
  expect(events.at(-1)).toMatchObject({ type: 'done', solved: null });
});

test('a world that cannot begin says why', async () => {
  const tables = presetByName('your-table').config;
  const world = await prepareRun(tables, builtInEnvironments['your-table'], await emptySandbox());
  const policy = Object.assign(new ScriptedPolicy([[]], 1000), { clearCache: () => undefined });
  const asked = chatWith(
    world,
    await chatTasks(world),
    policy,
    askedAbout('how many rows ?', '1'.repeat(8e3)),
    () => {},
  );
  await expect(asked).rejects.toThrow('the table has 8016 characters, and 8000 is the most');
});
