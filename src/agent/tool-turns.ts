/**
 * What turns of episodes come to: runs their calls in the sandbox, keeps the record that `reward` gets, and asks for
 * the reward of a turn that ends its episode. The calls are read already, so this serves a loop that samples tokens and
 * a server whose clients send calls.
 */
import type { Image } from '../text/image';
import type { WrittenCall } from '../text/tool-formats/tool-format';
import type { EnvironmentDescription, Ending, Transition } from './env';
import { ask, type GuestEpisode } from './episode';
import { isRunnable, type CallReader, type ReadAction } from './read-action';
import type { Sandbox, SandboxRequest, Verdict } from './sandbox';
import {
  endingOf,
  failureSentence,
  readOpening,
  readToolResult,
  toolRewards,
  toolRewardTerm,
  type Reading,
} from './tool-results';
import type { EndReason, StepError, ToolCall } from './types';

export interface ToolTurnsOptions {
  readonly description: EnvironmentDescription;
  readonly sandbox: Sandbox;
  readonly reader: CallReader;
}

/** One of calls, an answer or a failure, of an episode that goes on. */
export interface Turn extends ReadAction {
  readonly episode: GuestEpisode;
}

/** What a turn came to. `end` and `success` are set when the episode is over. */
export type Outcome = Omit<Transition, 'observation'>;

/** What an environment shows behind the question. */
export interface Shown {
  readonly text?: string;
  readonly image?: Image;
}

/** A turn that was played. */
interface Played {
  readonly turn: Turn;
  /** The calls that ran, in order: none after one that ended the episode. */
  readonly settled: Settled[];
  /** On the reward of the answer. */
  judged?: Verdict;
}

/** A call after it ran. `problem`: why the tool failed; `fails`: it ends the episode, as `done` does. */
interface Settled {
  readonly call: ToolCall;
  readonly problem?: string;
  readonly fails?: boolean;
  readonly done?: boolean;
}

export class ToolTurns {
  constructor(private readonly options: ToolTurnsOptions) {}

  /** Asks the environment how each episode begins, if it has a say. */
  async begin(episodes: readonly GuestEpisode[]): Promise<Reading<Shown>[]> {
    const { description, reader } = this.options;
    if (!description.hooks?.includes('start')) return episodes.map(() => ({ value: {} }));
    const verdicts = await this.ask(episodes, (episode) => episode.start());
    return verdicts.map((verdict, i): Reading<Shown> => {
      const opening = readOpening(verdict, description.images);
      if ('problem' in opening) return opening;
      const { text, image, state } = opening.value;
      if (state !== undefined) episodes[i].state = state;
      return { value: { ...(text !== undefined && { text: reader.cut(text) }), ...(image && { image }) } };
    });
  }

  /** Plays the turns side by side. @returns what they came to, in their order */
  async settle(turns: readonly Turn[]): Promise<Outcome[]> {
    const played = await this.act(turns);
    const outcomes = played.map(conclude);
    const endings = await this.endings(played);
    return played.map((each, i) => withEnding(outcomes[i], endings.get(each)));
  }

  /** Rewards episodes that no turn ended. */
  async finish(episodes: readonly GuestEpisode[], reasons: readonly EndReason[]): Promise<Ending[]> {
    const verdicts = await this.ask(episodes, (episode) => episode.reward(undefined, episode.steps, 0));
    return verdicts.map((verdict, i) => endingOf(this.options.description.rewards, verdict, reasons[i]));
  }

  private ask(episodes: readonly GuestEpisode[], request: (episode: GuestEpisode, i: number) => SandboxRequest) {
    return ask(this.options.sandbox, episodes, request);
  }

  /**
   * Runs the first call of every turn and the rewards of answers in one message, then the second calls, and so on: each
   * call sees the state that the one before it left.
   */
  private async act(turns: readonly Turn[]): Promise<Played[]> {
    const played = turns.map((turn): Played => ({ turn, settled: [] }));
    const most = Math.max(1, ...turns.map(({ calls }) => calls.length));
    for (let index = 0; index < most; index++) {
      const acting = played.filter(({ turn: { answer, calls }, settled }) =>
        answer !== undefined
          ? index === 0
          : index < calls.length && isRunnable(calls[index]) && !isOver(settled.at(-1)),
      );
      const verdicts = await this.ask(
        acting.map(({ turn }) => turn.episode),
        (_, i) => requestOf(acting[i].turn, index),
      );
      const verdictOf = new Map(acting.map((each, i) => [each, verdicts[i]]));
      for (const each of played) {
        const { turn, settled } = each;
        const verdict = verdictOf.get(each);
        if (turn.answer !== undefined) each.judged ??= verdict;
        else if (index < turn.calls.length && !isOver(settled.at(-1)))
          settled.push(this.settleCall(turn.episode, turn.calls[index], verdict));
      }
    }
    return played;
  }

  /** @param verdict none if the call was refused before it ran */
  private settleCall(episode: GuestEpisode, call: ToolCall | WrittenCall, verdict: Verdict | undefined): Settled {
    if (!verdict) return { call: call as ToolCall };
    const { description, reader } = this.options;
    const { fuel } = verdict;
    const result = readToolResult(verdict, description.images);
    if ('problem' in result) {
      const { problem, killed, refused } = result;
      const error = killed ? 'killed' : 'tool-error';
      const failed = reader.failedCall(call, error, problem, { ...(killed && { killed }), fuel });
      return refused ? { call: failed } : { call: failed, problem: failureSentence(result), fails: !!killed };
    }
    const { text, image, reward, state, done } = result.value;
    if (reward !== undefined && !Object.hasOwn(description.rewards, toolRewardTerm)) {
      const problem =
        `The tool ${call.name} gave a reward, and meta.rewards declares no term ` +
        `"${toolRewardTerm}" to count it under.`;
      return { call: reader.failedCall(call, 'tool-error', problem, { fuel }), problem, fails: true };
    }
    if (state !== undefined) episode.state = state;
    const shown = { result: reader.cut(text), ...(image && { image }) };
    return { call: { ...call, ...shown, fuel, ...(reward !== undefined && { reward }) }, done };
  }

  /** The endings of the turns that answered or made a call that ended the episode. */
  private async endings(played: readonly Played[]): Promise<Map<Played, Ending>> {
    const { rewards } = this.options.description;
    const done = played.filter(({ settled }) => settled.at(-1)?.done);
    const verdicts = await this.ask(
      done.map(({ turn }) => turn.episode),
      (episode, i) => episode.reward(undefined, episode.steps - 1, done[i].settled.length),
    );
    const endings = new Map<Played, Ending>();
    for (const each of played)
      if (each.judged !== undefined) endings.set(each, endingOf(rewards, each.judged, 'answer'));
    done.forEach((each, i) => endings.set(each, endingOf(rewards, verdicts[i], 'done')));
    return endings;
  }
}

function requestOf({ episode, calls, answer }: Turn, index: number): SandboxRequest {
  if (answer !== undefined) return episode.reward(answer, episode.steps, 0, false);
  return episode.execute(calls[index].name, calls[index].arguments, index);
}

/** Adds the turn to the episode's record. */
function conclude({ turn: { episode, answer, failure }, settled }: Played): Outcome {
  const toolCalls = settled.map(({ call }) => call);
  const error = failure?.error ?? errorOf(toolCalls);
  episode.note(toolCalls, error);
  const problem = problemOf(settled);
  const hasFailed = settled.some(({ fails }) => fails);
  return {
    rewards: toolRewards(toolCalls),
    toolCalls,
    ...(answer !== undefined && { answer }),
    ...(error && { error }),
    ...(problem && { problem }),
    ...(hasFailed && { end: 'environment-failed' as const }),
  };
}

function withEnding(outcome: Outcome, ending: Ending | undefined): Outcome {
  if (!ending) return outcome;
  const { rewards, ...end } = ending;
  const error: StepError = ending.killed ? 'killed' : 'tool-error';
  return {
    ...outcome,
    ...end,
    rewards: { ...outcome.rewards, ...rewards },
    ...(ending.problem !== undefined && { error }),
  };
}

/** What the step says went wrong: a stopped guest before all else, then the first failed call. */
function errorOf(calls: readonly ToolCall[]): StepError | undefined {
  const failed = calls.find(({ error }) => error === 'killed') ?? calls.find(({ error }) => error);
  return failed?.error;
}

/** The reason that is shown: that of a call which ended the episode, else that of the first failed one. */
function problemOf(settled: readonly Settled[]): string | undefined {
  const failed = settled.find(({ fails }) => fails) ?? settled.find(({ problem }) => problem);
  return failed?.problem;
}

const isOver = (settled: Settled | undefined): boolean => !!settled?.done || !!settled?.fails;
