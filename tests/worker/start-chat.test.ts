/** Chat before there is a run: who answers, what stops an answer, and a run that begins after it. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src/agent/sandbox';
import { openSandbox } from '../../src/cli/engine';
import { quietHooks, readRecordedStart } from '../../src/cli/recorded-start';
import { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { presetByName } from '../../src/config/presets';
import type { ChatEvent } from '../../src/rl/rollouts/chat';
import { Trainer } from '../../src/rl/trainer';
import { ChatSession } from '../../src/run/chat-session';
import { StartChat, type StartChatParts } from '../../src/worker/start-chat';
import { cpuDevice, testGpu } from '../helpers/devices';
import { Watched } from './run-of';

/** A short run that begins from the preset's recorded warm start. */
const short = (preset: string): RunConfig => {
  const { config } = presetByName(preset);
  const rollout = { ...config.rollout, tasks: 4, group: 4 };
  return parseConfig({ ...config, iterations: 2, rollout, evaluation: { tasks: 8, every: 1 } });
};
const config = short('calculator-mini');
const question = '(3+4)*5';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

function openChat(changes: Partial<StartChatParts> = {}): StartChat {
  const chat = new StartChat({
    deviceFor: async () => 'cpu',
    openDevice: cpuDevice,
    openSandbox: async () => sandbox,
    readRecordedStart,
    withoutRun: (work) => work(),
    ...changes,
  });
  onTestFinished(() => chat.close());
  return chat;
}

async function ask(chat: StartChat, asked = config): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  await chat.ask(asked, question, (event) => events.push(event));
  return events;
}

/** A sandbox that calls `then` once, as an answer begins and asks for tasks. */
function asAnswerBegins(then: () => void): Sandbox {
  let pending = true;
  return {
    load: (...module) => sandbox.load(...module),
    call: (requests) => {
      if (pending && requests[0].method === 'tasks') {
        pending = false;
        then();
      }
      return sandbox.call(requests);
    },
    dispose: () => undefined,
  };
}

test('the recorded agent answers as the agent of a run that has not practised yet', async () => {
  const trainer = await Trainer.create(
    await cpuDevice(),
    await openSandbox(),
    config,
    environmentSource(config),
    quietHooks,
  );
  await trainer.warmStart();
  const session = new ChatSession(trainer.device, trainer, async () => undefined);
  const events: ChatEvent[] = [];
  await session.ask(question, (event) => events.push(event));
  await session.close();
  trainer.destroy();
  const chat = openChat();
  const answer = await ask(chat);
  expect(answer.at(-1)).toMatchObject({ type: 'done' });
  expect(answer).toEqual(events);
  expect(await ask(chat), 'the same question again').toEqual(events);
});

test('a run has the same bits whether somebody chatted before it or not', async () => {
  const parts = { deviceFor: async () => 'cpu' as const, openDevice: cpuDevice, openSandbox: async () => sandbox };
  const train = async () => {
    const watched = new Watched(config, { parts });
    onTestFinished(() => watched.close());
    expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
    return watched;
  };
  const whole = await train();
  const chat = openChat();
  await ask(chat, short('bandit'));
  await ask(chat);
  const stopped = ask(chat);
  const sentence = expect(stopped).rejects.toThrow('This answer was stopped');
  await chat.close();
  await sentence;
  const after = await train();
  expect(after.fingerprint).toHaveLength(2);
  expect(after.fingerprint).toEqual(whole.fingerprint);
  expect(after.curve).toEqual(whole.curve);
  const [before, now] = [whole, after].map(({ stored }) => stored.at(-1)!.state.checkpoint);
  expect(Buffer.compare(now, before), 'the last checkpoint').toBe(0);
});

test('closing in the middle of an answer stops it with a sentence, and the next question is answered', async () => {
  const closing: Promise<void>[] = [];
  const closed = asAnswerBegins(() => closing.push(chat.close()));
  const chat = openChat({ openSandbox: async () => closed });
  await expect(ask(chat)).rejects.toThrow('This answer was stopped, because its agent is gone. Ask again.');
  await Promise.all(closing);
  expect(closing).toHaveLength(1);
  expect((await ask(chat)).at(-1)).toMatchObject({ type: 'done' });
});

test('another setup is answered by its own agent', async () => {
  const chat = openChat();
  await ask(chat);
  const events: ChatEvent[] = [];
  await chat.ask(short('bandit'), 'table 17', (event) => events.push(event));
  expect(events.at(-1)).toMatchObject({ type: 'done', answer: expect.stringMatching(/left|right/) });
});

test('no agent: a sentence, and nothing is left in the way of the next question', async () => {
  const chat = openChat();
  const changed = parseConfig({ ...config, model: { ...config.model, layers: 1 } });
  await expect(ask(chat, changed)).rejects.toThrow('No recorded agent fits this setup: press Train, then ask again.');

  let isThere = false;
  const refused = 'The site does not answer.';
  const reading = openChat({
    readRecordedStart: async (preset) => {
      if (!isThere) throw new Error(refused);
      return readRecordedStart(preset);
    },
  });
  await expect(ask(reading)).rejects.toThrow(refused);
  isThere = true;
  expect((await ask(reading)).at(-1)).toMatchObject({ type: 'done' });

  const busy = openChat({
    withoutRun: async () => {
      throw new Error('A run has begun.');
    },
  });
  await expect(ask(busy)).rejects.toThrow('A run has begun.');

  const wrong = openChat({ readRecordedStart: () => readRecordedStart('bandit') });
  await expect(ask(wrong)).rejects.toThrow(/The recorded warm start cannot be used/);
});

test('a device lost in the middle of an answer: a sentence, and the next answer comes from another one', async () => {
  const devices: WebGpuDevice[] = [];
  onTestFinished(() => devices.forEach((device) => device.destroy()));
  const openDevice = async () => {
    const last = devices.at(-1);
    if (last && !last.lost) return last;
    const device = await WebGpuDevice.open((await testGpu()).gpu);
    devices.push(device);
    return device;
  };
  const losing = asAnswerBegins(() => devices.at(-1)!.handle.destroy());
  const chat = openChat({ deviceFor: async () => 'gpu', openDevice, openSandbox: async () => losing });
  await expect(ask(chat)).rejects.toThrow('The graphics device was lost while the agent answered. Ask again');
  expect((await ask(chat)).at(-1)).toMatchObject({ type: 'done' });
  expect(devices).toHaveLength(2);
});
