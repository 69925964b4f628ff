/**
 * Plays the same turns through a server and through `ToolEnv` under the hermes format, and compares all that the agent
 * and the trainer see.
 */
import { inflateSync } from 'node:zlib';
import { expect } from 'vitest';
import type { DemonstrationTurn, EnvironmentDescription } from '../../../src/agent/env';
import { EnvironmentClient, type Split } from '../../../src/agent/environment-client';
import { addTerms, weightedReward } from '../../../src/agent/flow';
import type { Sandbox } from '../../../src/agent/sandbox';
import { ToolEnv } from '../../../src/agent/tool-env';
import type { Action, Task } from '../../../src/agent/types';
import { openSandbox } from '../../../src/cli/engine';
import { builtInEnvironments } from '../../../src/environments/built-in';
import type { Json } from '../../../src/lib/json';
import { bits, Purpose } from '../../../src/lib/rng';
import { observationLimit, rewardWeights } from '../../../src/rl/rollouts/setup';
import { byteTokenizer } from '../../../src/text/byte-tokenizer';
import { specialTokenChat } from '../../../src/text/chat-template';
import { bytesOf, imagesIn, textOf, type Image } from '../../../src/text/image';
import { hermes } from '../../../src/text/tool-formats/hermes';
import { appendContext } from '../../helpers/append-context';
import type { Client, ServedHere } from './served';

const tokenizer = byteTokenizer();
const splits: readonly Split[] = ['train', 'validation', 'out-of-distribution'];

/** Names of all built-in worlds. */
export const worlds = Object.keys(builtInEnvironments);

type Play = readonly DemonstrationTurn[];
/** What a policy does in a task, turn by turn. @param plays what a script of the world does */
export type Script = (plays: (policy: string) => Promise<Play>) => Promise<Play>;

export const oracle: Script = (plays) => plays('oracle');
export const random: Script = (plays) => plays('random');
/** Unknown tools, arguments that do not fit or nest too deep, good calls among them, and no answer until the end. */
export const errs: Script = async (plays) => {
  const good = (await plays('oracle')).filter((turn) => 'calls' in turn);
  const name = good[0]?.calls[0].name ?? 'no_such_tool';
  const bad: Play = [
    { calls: [{ name: 'no_such_tool', arguments: { a: 1 } }] },
    { calls: [{ name, arguments: { 'not an argument': [1, null] } }] },
    { calls: [{ name, arguments: nested(40) }] },
  ];
  return Array.from({ length: 64 }, (_, i) => (i % 2 === 1 && good[(i - 1) / 2]) || bad[Math.floor(i / 2) % 3]);
};

const nested = (levels: number): Json => (levels === 0 ? {} : { inner: nested(levels - 1) });

/** Compares the episodes of a script on the first tasks of a split. @returns how many texts were compared */
export async function compare(served: ServedHere, script: Script, count: number, split: Split = 'train') {
  const { client, run } = served;
  const { config, source } = run;
  const sandbox = await openSandbox();
  await sandbox.load(source, config.environment.rows);
  const environment = new EnvironmentClient(sandbox);
  const drawn = split === 'train' ? config.seed : 0;
  const tasks = await environment.tasks(split, drawn, 0, count, config.environment.options);
  let texts = 0;
  for (const [index, task] of tasks.entries()) {
    const { sid, prompt, replica } = await client.begin(split, index);
    const seed = bits(config.seed, Purpose.environment, splits.indexOf(split), index, replica);
    const env = await reset(served, sandbox, task, seed);
    const shown = env.messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
    expect(prompt[0].text).toBe(shown.map(textOf).join('\n'));
    expect(prompt.slice(1).map(({ data }) => pixelsOf(data))).toEqual(shown.flatMap(imagesIn).map(pixels));
    const play = await script(async (policy) => (await environment.demonstrate([task], 1, policy))[0].turns);
    texts += 1 + (await compareTurns(served, sid, env.toolEnv, singles(play)));
    await client.post('/delete', {}, sid);
  }
  sandbox.dispose();
  return texts;
}

async function reset({ run: { config, description } }: ServedHere, sandbox: Sandbox, task: Task, seed: number) {
  const toolEnv = new ToolEnv({
    description,
    sandbox,
    tokenizer,
    format: hermes,
    chatFormat: specialTokenChat,
    context: appendContext,
    observationLimit,
    callFuel: config.rollout.callFuel,
  });
  const [{ observation }] = await toolEnv.reset([task], seed);
  return { toolEnv, messages: observation.messages };
}

/** Each call as a turn of its own, as a server takes them. */
const singles = (play: Play): Play =>
  play.flatMap((turn): Play => ('calls' in turn ? turn.calls.map((call) => ({ calls: [call] })) : [turn]));

/** @returns how many turns the episode had */
async function compareTurns({ client, run }: ServedHere, sid: string, env: ToolEnv, play: Play): Promise<number> {
  const { config, description } = run;
  const steps: { rewards: Readonly<Record<string, number>> }[] = [];
  for (const [turn, each] of play.entries()) {
    const [transition] = await env.step([0], [actionOf(each, description)]);
    let { rewards, end, success } = transition;
    if (end === undefined && turn + 1 === config.rollout.maxTurns) {
      const [ending] = await env.finish([0], ['max-turns']);
      rewards = addTerms(rewards, ending.rewards);
      ({ end, success } = ending);
    }
    steps.push({ rewards });
    const result = await send(client, sid, each);
    expect(result.ok).toBe(true);
    const { blocks, reward, finished, metadata } = result.output;
    if ('calls' in each) {
      const { content } = transition.observation.messages.at(-1)!;
      expect(blocks[0].text).toBe(textOf(content));
      expect(blocks.slice(1).map(({ data }) => pixelsOf(data))).toEqual(imagesIn(content).map(pixels));
    } else expect(blocks[0].text).toBe(success ? 'right' : 'done');
    expect(finished).toBe(end !== undefined);
    expect(metadata?.error).toBe(transition.error);
    if (end === undefined) {
      expect(reward).toBeNull();
      continue;
    }
    expect(reward).toBe(weightedReward(steps, rewardWeights({ config, description })));
    expect(metadata).toMatchObject({ end, success });
    expect(await send(client, sid, each)).toMatchObject({ ok: false, reason: 'episode_finished' });
    return turn + 1;
  }
  throw new Error('A script ended before its episode: end it with an answer, or make it longer than the turns.');
}

function send(client: Client, sid: string, turn: DemonstrationTurn) {
  if ('answer' in turn) return client.call(sid, 'answer', { text: turn.answer });
  const [{ name, arguments: input }] = turn.calls;
  return client.call(sid, name, input);
}

function actionOf(turn: DemonstrationTurn, { tools }: EnvironmentDescription): Action {
  const tokens =
    'answer' in turn ? hermes.encodeAnswer(turn.answer, tokenizer) : hermes.encodeCalls(turn.calls, tools, tokenizer);
  const zeros = tokens.map(() => 0);
  return { tokens, logProbs: zeros, entropies: zeros, text: '', stop: 'stop' };
}

const pixels = (image: Image): number[] => [...bytesOf(image)];

/** Red, green and blue of a PNG whose rows have no filter. */
function pixelsOf(base64: string): number[] {
  const file = Buffer.from(base64, 'base64');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    const isData = file.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const rowBytes = width * 3 + 1;
  return Array.from({ length: height }, (_, y) => [...rows.subarray(y * rowBytes + 1, (y + 1) * rowBytes)]).flat();
}
