/** What `ToolEnv` under the hermes format shows of the turns of scripts: what a served world must show, too. */
import type { DemonstrationTurn, EnvironmentDescription, Transition } from '../../../src/agent/env';
import { EnvironmentClient, type Split } from '../../../src/agent/environment-client';
import { seedOfStart } from '../../../src/agent/episode';
import { addTerms, weightedReward } from '../../../src/agent/flow';
import type { Sandbox } from '../../../src/agent/sandbox';
import { ToolEnv } from '../../../src/agent/tool-env';
import type { Action, Task } from '../../../src/agent/types';
import { openSandbox } from '../../../src/cli/engine';
import type { GivenRun } from '../../../src/cli/run-config';
import { builtInEnvironments } from '../../../src/environments/built-in';
import type { Json } from '../../../src/lib/json';
import { bits, Purpose } from '../../../src/lib/rng';
import { observationLimit, rewardWeights } from '../../../src/rl/rollouts/setup';
import { byteTokenizer } from '../../../src/text/byte-tokenizer';
import { specialTokenChat } from '../../../src/text/chat-template';
import { bytesOf, imagesIn, textOf, type Image } from '../../../src/text/image';
import { hermes } from '../../../src/text/tool-formats/hermes';
import { appendContext } from '../../helpers/append-context';

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

/** A call, and what comes back. */
export interface ExpectedCall {
  readonly name: string;
  readonly input: Json;
  readonly text: string;
  /** Red, green and blue of each pixel of an image. */
  readonly images: readonly (readonly number[])[];
  readonly error?: string;
  /** Of the call that ends the episode. */
  readonly end?: { readonly reason: string; readonly success: boolean; readonly reward: number };
}

/** An episode as `ToolEnv` plays it. */
export interface ExpectedEpisode {
  readonly split: Split;
  readonly index: number;
  readonly prompt: string;
  readonly images: readonly (readonly number[])[];
  readonly calls: readonly ExpectedCall[];
}

/** Which episodes of a world are played. */
export interface Selection {
  readonly split: Split;
  /** The first tasks of the split. */
  readonly count: number;
  readonly script: Script;
  /** Which of a task's sessions it will be on the server. */
  readonly replica: number;
}

/** The episodes as `ToolEnv` plays them with the chance that they have on the server. */
export async function expectedEpisodes(run: GivenRun, selection: Selection): Promise<ExpectedEpisode[]> {
  const { config, source } = run;
  const { split, count, script, replica } = selection;
  const sandbox = await openSandbox();
  await sandbox.load(source, config.environment.rows);
  const environment = new EnvironmentClient(sandbox);
  const drawn = split === 'train' ? config.seed : 0;
  const tasks = await environment.tasks(split, drawn, 0, count, config.environment.options);
  const episodes: ExpectedEpisode[] = [];
  for (const [index, task] of tasks.entries()) {
    const seed = bits(config.seed, Purpose.environment, splits.indexOf(split), index, replica);
    const play = await script((policy) => playOf(sandbox, task, policy, seed));
    episodes.push({ split, index, ...(await playToolEnv(run, sandbox, task, seed, singles(play))) });
  }
  sandbox.dispose();
  return episodes;
}

/** What a script does in the episode of this seed. */
async function playOf(sandbox: Sandbox, task: Task, policy: string, seed: number): Promise<Play> {
  const args = { task: { ...task }, startSeed: seedOfStart(seed, 0), policy };
  const [verdict] = await sandbox.call([{ episode: 0, seed: 1, method: 'demonstrate', args }]);
  if (verdict.kind !== 'value') throw new Error(JSON.stringify(verdict));
  return verdict.value as unknown as Play;
}

/** Each call as a turn of its own, as a server takes them. */
const singles = (play: Play): Play =>
  play.flatMap((turn): Play => ('calls' in turn ? turn.calls.map((call) => ({ calls: [call] })) : [turn]));

/** Plays until the episode ends. */
async function playToolEnv(run: GivenRun, sandbox: Sandbox, task: Task, seed: number, play: Play) {
  const { config, description } = run;
  const env = new ToolEnv({
    description,
    sandbox,
    tokenizer,
    format: hermes,
    chatFormat: specialTokenChat,
    context: appendContext,
    observationLimit,
    callFuel: config.rollout.callFuel,
  });
  const [{ observation }] = await env.reset([task], seed);
  const shown = observation.messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
  const opening = { prompt: shown.map(textOf).join('\n'), images: shown.flatMap(imagesIn).map(pixels) };
  const weights = rewardWeights({ config, description });
  const steps: { rewards: Readonly<Record<string, number>> }[] = [];
  const calls: ExpectedCall[] = [];
  for (const turn of play) {
    const [transition] = await env.step([0], [actionOf(turn, description)]);
    let { rewards, end, success } = transition;
    if (end === undefined && steps.length + 1 === config.rollout.maxTurns) {
      const [ending] = await env.finish([0], ['max-turns']);
      rewards = addTerms(rewards, ending.rewards);
      ({ end, success } = ending);
    }
    steps.push({ rewards });
    const { error } = transition;
    const ended = end && { end: { reason: end, success: !!success, reward: weightedReward(steps, weights) } };
    calls.push({ ...sentAndSeen(turn, transition, success), ...(error && { error }), ...ended });
    if (end !== undefined) return { ...opening, calls };
  }
  throw new Error('A script ended before its episode: end it with an answer, or make it longer than the turns.');
}

/** The call as a client sends it, and what the agent sees of it. */
function sentAndSeen(turn: DemonstrationTurn, { observation }: Transition, success: boolean | undefined) {
  if ('answer' in turn)
    return { name: 'answer', input: { text: turn.answer }, text: success ? 'right' : 'done', images: [] };
  const [{ name, arguments: input }] = turn.calls;
  const { content } = observation.messages.at(-1)!;
  return { name, input, text: textOf(content), images: imagesIn(content).map(pixels) };
}

function actionOf(turn: DemonstrationTurn, { tools }: EnvironmentDescription): Action {
  const tokens =
    'answer' in turn ? hermes.encodeAnswer(turn.answer, tokenizer) : hermes.encodeCalls(turn.calls, tools, tokenizer);
  const zeros = tokens.map(() => 0);
  return { tokens, logProbs: zeros, entropies: zeros, text: '', stop: 'stop' };
}

const pixels = (image: Image): number[] => [...bytesOf(image)];
