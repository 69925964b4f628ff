/**
 * Rounds that a visitor plays in the agent's place: the same tools, limits and rewards. A round is its turns; it is
 * played anew from its task on whenever a turn is added, so nobody has to keep an episode, and the same turns come to
 * the same end.
 */
import { canDraw } from '../../agent/drawing';
import type { DemonstrationTurn, EnvironmentDescription, Tool } from '../../agent/env';
import { EnvironmentClient } from '../../agent/environment-client';
import { GuestEpisode, seedOfEpisodes } from '../../agent/episode';
import { addTerms, weightedReward } from '../../agent/flow';
import { valueProblem } from '../../agent/json-schema';
import { PlayedEpisode } from '../../agent/played-episode';
import { CallReader, type ReadAction } from '../../agent/read-action';
import type { Sandbox } from '../../agent/sandbox';
import type { Scene } from '../../agent/scene';
import { failureSentence } from '../../agent/tool-results';
import { ToolTurns } from '../../agent/tool-turns';
import { isCutOff, type EndReason, type Task, type ToolCall, type Trajectory } from '../../agent/types';
import type { RunConfig } from '../../config/config';
import type { TaughtRound } from '../../config/rounds';
import { nestsDeeperThan } from '../../lib/json';
import { quoted } from '../../lib/plain-text';
import type { Image } from '../../text/image';
import { toolFormats } from '../../text/tool-formats/by-name';
import { validationSeed } from './evaluation';
import { firstDemonstration, playedTrajectories } from './scripted';
import { observationLimit, rewardWeights, type RunSetup } from './setup';

/** Tasks of rounds that teach do not depend on a run's seed: they stay the same tasks under another one. */
const taughtSeed = 0;

export interface Round {
  /** `validation`: a task that the agent answers, too. `train`: one by which a round can teach. */
  readonly split: 'validation' | 'train';
  /** Place of its task among those of the split. */
  readonly index: number;
  readonly turns: readonly DemonstrationTurn[];
}

/** A round as far as it was played. */
export interface RoundView {
  readonly prompt: string;
  /** What the environment shows behind the question. */
  readonly seen: string | null;
  readonly image: Image | null;
  readonly tools: readonly Tool[];
  /** False where no demonstration of the task answers: its rounds end by a call. */
  readonly takesAnswer: boolean;
  readonly maxTurns: number;
  /** The calls of each turn, with their results. */
  readonly steps: readonly (readonly ToolCall[])[];
  readonly answer: string | null;
  /** Null while it goes on. */
  readonly end: EndReason | null;
  readonly success: boolean;
  readonly reward: number;
  /** Unweighted. */
  readonly terms: Readonly<Record<string, number>>;
  /** Null where the environment draws nothing, or could not. */
  readonly scene: Scene | null;
  /** Why its last turn was not played, or why the environment failed: a sentence. */
  readonly problem: string | null;
}

/** Parts of a run in which a round is played. The sandbox has the environment loaded. */
export interface RoundRun {
  readonly config: RunConfig;
  readonly description: EnvironmentDescription;
  readonly sandbox: Sandbox;
}

/**
 * Plays the turns of a round. A turn that does not fit its tool is not played: it and those after it are left out, with
 * a sentence. @throws a sentence if the environment cannot begin
 */
export async function playRound(run: RoundRun, { split, index, turns }: Round): Promise<RoundView> {
  const { config, description, sandbox } = run;
  if (description.hooks?.includes('flow'))
    throw new Error('This world writes the prompts of its agent itself, so nobody else can take the agent’s place.');
  const format = toolFormats[config.text.toolFormat];
  const reader = new CallReader({ description, format, observationLimit });
  const { maxTurns, callFuel } = config.rollout;
  const client = new EnvironmentClient(sandbox);
  const isTaught = split === 'train';
  const seed = isTaught ? taughtSeed : validationSeed;
  const task = isTaught
    ? await taughtTask(client, index, config)
    : (await client.tasks(split, seed, index, 1, config.environment.options))[0];
  // A validation plays its tasks at once, and each round that teaches is played alone.
  const guest = new GuestEpisode(isTaught ? 0 : index, task, seedOfEpisodes(seed), callFuel);
  const limits = { turns: new ToolTurns({ description, sandbox, reader }), maxTurns };
  const episode = await PlayedEpisode.begin(task, guest, limits);
  let problem: string | null = null;
  for (const turn of turns) {
    problem = episode.isOver ? 'The round is over and takes no more turns.' : turnProblem(turn, description.tools);
    if (problem !== null) break;
    await episode.play(actionOf(turn, reader));
  }
  const takesAnswer = await demonstrationsAnswer(client, task, description);
  return viewOf(run, { episode, task, takesAnswer, refused: problem });
}

/** Whether a demonstration or the oracle answers; true without either. */
async function demonstrationsAnswer(
  client: EnvironmentClient,
  task: Task,
  { policies = [] }: EnvironmentDescription,
): Promise<boolean> {
  const scripts = [undefined, ...policies.filter((name) => name === 'oracle')];
  const shown = await Promise.all(scripts.map((policy) => client.demonstrate([task], 0, policy))).catch(() => null);
  return shown === null || shown.flat().some(({ turns }) => turns.some((turn) => 'answer' in turn));
}

/**
 * A round as the warm start imitates it: its turns written by the agent's tokens. It is played anew, since it may come
 * from a link. @throws a sentence if it does not solve its task in this setup, or cannot be written
 */
export async function taughtTrajectory(setup: RunSetup, { task: index, turns }: TaughtRound): Promise<Trajectory> {
  const task = await taughtTask(setup.client, index, setup.config);
  const [trajectory] = await playedTrajectories(setup, [{ task, turns }], taughtSeed);
  const { success, end } = trajectory;
  if (success && !isCutOff(end)) return trajectory;
  const fault = success ? `ends at a limit (${end})` : 'does not solve its task';
  throw new Error(`The round of ${quoted(task.prompt, 60)} ${fault} in this setup.`);
}

async function taughtTask(client: EnvironmentClient, index: number, { environment }: RunConfig): Promise<Task> {
  const [task] = await client.tasks('train', taughtSeed, firstDemonstration + index, 1, environment.options);
  return task;
}

/** Why a turn does not fit the tools: a sentence, or null. */
function turnProblem(turn: DemonstrationTurn, tools: readonly Tool[]): string | null {
  if ('answer' in turn) return null;
  for (const { name, arguments: args } of turn.calls) {
    const tool = tools.find((each) => each.name === name);
    if (!tool) return `There is no tool called ${name}.`;
    if (nestsDeeperThan(args)) return `The arguments of ${name} nest too deep.`;
    const problem = valueProblem(tool.parameters, args, name);
    if (problem !== null) return problem;
  }
  return null;
}

const actionOf = (turn: DemonstrationTurn, reader: CallReader): ReadAction =>
  'answer' in turn ? { calls: [], answer: turn.answer } : { calls: turn.calls.map((call) => reader.check(call)) };

interface PlayedRound {
  readonly episode: PlayedEpisode;
  readonly task: Task;
  readonly takesAnswer: boolean;
  /** Why its last turn was not played. */
  readonly refused: string | null;
}

async function viewOf(
  { config, description, sandbox }: RoundRun,
  { episode, task, takesAnswer, refused }: PlayedRound,
): Promise<RoundView> {
  const { steps, opening } = episode;
  const last = steps.at(-1);
  const drawn = canDraw(description) ? await episode.draw(sandbox) : null;
  const failed = last?.end === 'environment-failed' ? (last.problem ?? null) : null;
  return {
    prompt: task.prompt,
    seen: opening.text ?? null,
    image: opening.image ?? null,
    tools: description.tools,
    takesAnswer,
    maxTurns: config.rollout.maxTurns,
    steps: steps.map(({ toolCalls }) => toolCalls),
    answer: last?.answer ?? null,
    end: last?.end ?? null,
    success: last?.success ?? false,
    reward: weightedReward(steps, rewardWeights({ config, description })),
    terms: steps.reduce((sum, { rewards }) => addTerms(sum, rewards), {}),
    scene: drawn && 'value' in drawn ? drawn.value : null,
    problem: refused ?? failed ?? (drawn && 'problem' in drawn ? failureSentence(drawn) : null),
  };
}
