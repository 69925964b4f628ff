/**
 * What each item of the attack corpus gives in the engine that runs this: the same text and the same fuel everywhere,
 * or a limit is not a limit.
 */
import { drawEpisode, type Drawing, type LoggedEpisode } from '../../../src/agent/drawing';
import { EnvironmentClient } from '../../../src/agent/environment-client';
import { GuestEpisode, seedOfEpisodes } from '../../../src/agent/episode';
import { CallReader } from '../../../src/agent/read-action';
import type { Verdict } from '../../../src/agent/sandbox';
import { ToolTurns } from '../../../src/agent/tool-turns';
import { builtInEnvironments, sdkSource } from '../../../src/environments/built-in';
import type { Json } from '../../../src/lib/json';
import dispatcherSource from '../../../src/sandbox/dispatcher.js?raw';
import valuesSource from '../../../src/sandbox/values.js?raw';
import { LocalSandbox } from '../../../src/sandbox/local-sandbox';
import { toolFormats } from '../../../src/text/tool-formats/by-name';
import type { Item } from '../../attacks/corpus';
import { attackModule, observe } from '../../attacks/tool-item';

export interface Observation {
  /** As JSON, without its fuel; of a long one, the beginning, the length and the digest. */
  readonly verdict: string;
  readonly fuel: number;
}

/** By the item's name. */
export type Observations = Record<string, Observation>;

const wholeLength = 300;
const drawnTasks = 8;
const observationLimit = 512;

export async function observeAll(binary: WebAssembly.Module, items: readonly Item[]): Promise<Observations> {
  const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
  const observations: Observations = {};
  for (const item of items) {
    const { text, fuel, first, again } = await observe(sandbox, item.code, item.check.outcome);
    observations[item.name] = {
      verdict: await shortened(again === first ? text : `at first ${first}, then ${again}`),
      fuel,
    };
  }
  return observations;
}

/**
 * Tasks of every split of every world, with their demonstrations and the oracle's turns, and scenes of some of them, by
 * the world's name.
 */
export async function observeWorlds(binary: WebAssembly.Module): Promise<Observations> {
  const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
  const observations: Observations = {};
  for (const [name, source] of Object.entries(builtInEnvironments)) {
    await sandbox.load(source);
    const verdicts: Verdict[] = [];
    const drawings = await drawnDemonstrations(sandbox);
    for (const split of ['train', 'validation', 'out-of-distribution']) {
      const args = { split, seed: 1, start: 0, count: 16, options: {} };
      const [drawn] = await sandbox.call([{ episode: 0, seed: 1, method: 'tasks', args }]);
      verdicts.push(drawn);
      if (drawn.kind !== 'value') continue;
      for (const task of drawn.value as Json[])
        for (const policy of [undefined, 'oracle', 'random'])
          verdicts.push(
            ...(await sandbox.call([
              { episode: 1, seed: 2, method: 'demonstrate', args: { task, ...(policy !== undefined && { policy }) } },
            ])),
          );
    }
    observations[name] = {
      verdict: await sha256(new TextEncoder().encode(JSON.stringify([verdicts, drawings]))),
      fuel: verdicts.reduce((sum, { fuel }) => sum + fuel, 0),
    };
  }
  return observations;
}

/** Scenes of the oracle's way through some tasks, else of the demonstration's. @param sandbox with a world loaded */
async function drawnDemonstrations(sandbox: LocalSandbox): Promise<Drawing[]> {
  const client = new EnvironmentClient(sandbox);
  const description = await client.describe();
  const reader = new CallReader({ description, format: toolFormats.compact, observationLimit });
  const options = { description, sandbox, reader };
  const tasks = await client.tasks('validation', 5, 0, drawnTasks, {});
  const policy = description.policies?.includes('oracle') ? 'oracle' : undefined;
  const drawings: Drawing[] = [];
  for (const [place, { task, turns }] of (await client.demonstrate(tasks, 5, policy)).entries()) {
    const chance = { seed: seedOfEpisodes(5), place };
    const episode = new GuestEpisode(place, task, chance.seed, undefined);
    const play = new ToolTurns(options);
    await play.begin([episode]);
    const steps: LoggedEpisode['steps'][number][] = [];
    for (const turn of turns) {
      const [{ toolCalls }] = await play.settle([{ episode, calls: 'calls' in turn ? turn.calls : [] }]);
      steps.push({ toolCalls, rewards: {} });
    }
    const last = turns[turns.length - 1];
    const logged = { steps, ...('answer' in last && { answer: last.answer }), success: true };
    drawings.push(await drawEpisode(options, task, logged, chance));
  }
  const bad = drawings.find((drawing) => 'problem' in drawing);
  if (bad) throw new Error(`${description.title}: ${bad.problem}`);
  return drawings;
}

/** Digest of the code of ours that runs in a guest beside an item's: fuel is a function of it, too. */
export const guestDigest = (): Promise<string> =>
  sha256(
    new TextEncoder().encode(dispatcherSource + valuesSource + JSON.stringify(sdkSource) + attackModule('', 'strict')),
  );

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function shortened(text: string): Promise<string> {
  if (text.length <= wholeLength) return text;
  return (
    `${text.slice(0, wholeLength)}… (${text.length} characters, sha256 ` +
    `${await sha256(new TextEncoder().encode(text))})`
  );
}
