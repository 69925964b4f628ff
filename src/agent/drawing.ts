/**
 * Pictures of an episode that was played: its calls are made again, without the agent, and the environment draws what
 * it knows before the first step and after each. Nothing of a run depends on it.
 */
import { addTerms } from './flow';
import { GuestEpisode } from './episode';
import type { CallReader } from './read-action';
import type { Sandbox, SandboxRequest, Verdict } from './sandbox';
import { readScene, type Scene } from './scene';
import { failureSentence } from './tool-results';
import { ToolTurns } from './tool-turns';
import type { EnvironmentDescription } from './env';
import type { Task, ToolCall } from './types';

/** An episode as it was logged. */
export interface LoggedEpisode {
  readonly steps: readonly {
    readonly toolCalls: readonly ToolCall[];
    readonly rewards: Readonly<Record<string, number>>;
  }[];
  readonly answer?: string;
  readonly success: boolean;
}

/** Scenes of an episode: before its first step, then after each; or why it cannot be drawn. */
export type Drawing = { readonly scenes: readonly Scene[] } | { readonly problem: string };

export interface DrawingOptions {
  readonly description: EnvironmentDescription;
  readonly sandbox: Sandbox;
  readonly reader: CallReader;
  readonly callFuel?: number;
}

export const canDraw = ({ hooks }: EnvironmentDescription): boolean => hooks?.includes('draw') ?? false;

const going = { answer: null, success: null } as const;

/** No fault of the world. */
export const notAgain = 'What happened here by chance cannot happen again, so it is not drawn.';

/** What decides the chance in an episode: the seed of its batch, and its place there. */
export interface Chance {
  readonly seed: number;
  readonly place: number;
}

/** @param options of an environment that draws @param chance of the episode as it was played */
export async function drawEpisode(
  options: DrawingOptions,
  task: Task,
  logged: LoggedEpisode,
  { seed, place }: Chance,
): Promise<Drawing> {
  const episode = new GuestEpisode(place, task, seed, options.callFuel);
  const turns = new ToolTurns(options);
  const [opening] = await turns.begin([episode]);
  if ('problem' in opening) return { problem: failureSentence(opening) };
  const requests: SandboxRequest[] = [];
  let rewards: Readonly<Record<string, number>> = {};
  for (let k = 0; k <= logged.steps.length; k++) {
    if (k > 0) {
      const step = logged.steps[k - 1];
      if (!(await playStep(turns, episode, step.toolCalls))) return { problem: notAgain };
      rewards = addTerms(rewards, step.rewards);
    }
    const isOver = k > 0 && k === logged.steps.length;
    const ending = isOver ? { answer: logged.answer ?? null, success: logged.success } : going;
    requests.push(episode.draw({ ...ending, rewards }));
  }
  return readDrawing(await options.sandbox.call(requests));
}

function readDrawing(verdicts: readonly Verdict[]): Drawing {
  const scenes: Scene[] = [];
  for (const verdict of verdicts) {
    const scene = readScene(verdict);
    if ('problem' in scene) return { problem: failureSentence(scene) };
    scenes.push(scene.value);
  }
  return { scenes };
}

/** Whether the calls of a step came out as they did. Those that were refused before they ran stay as they are. */
async function playStep(turns: ToolTurns, episode: GuestEpisode, logged: readonly ToolCall[]): Promise<boolean> {
  const calls = logged.map((call) => (neverRan(call) ? call : { name: call.name, arguments: call.arguments }));
  const [{ toolCalls }] = await turns.settle([{ episode, calls }]);
  return logged.every(({ result }, i) => toolCalls[i]?.result === result);
}

const neverRan = ({ error }: ToolCall): boolean =>
  error === 'malformed' || error === 'unknown-tool' || error === 'invalid-arguments';
