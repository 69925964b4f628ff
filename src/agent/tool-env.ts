/**
 * The environment of an agent with tools: holds the conversations, parses calls from sampled tokens, checks their
 * arguments, runs the tools of all acting episodes in one sandbox message, and appends results as `tool` messages.
 *
 * An error of the agent or of a tool becomes a text to the agent and a field of the step. Only a stopped guest, an
 * undeclared tool reward, or an unreadable beginning, context or reward ends an episode, as `environment-failed`: it
 * keeps its earlier rewards and counts as unsolved.
 */
import type { ChatFormat } from '../text/chat-template';
import { contentOf, imagesIn, type Content } from '../text/image';
import type { WrittenCall } from '../text/tool-formats/tool-format';
import {
  allMessages,
  effectiveRule,
  guestMessages,
  readMessages,
  summaryRequest,
  windowOf,
  type Conversation,
  type ContextOptions,
  type ContextRule,
} from './context';
import type { AgentEnv, Ending, Opening, Transition } from './env';
import { ask, GuestEpisode } from './episode';
import { ActionReader, isRunnable, type ReadAction, type ReaderOptions } from './read-action';
import type { Sandbox, SandboxRequest, Verdict } from './sandbox';
import {
  faultOf,
  failureSentence,
  readOpening,
  endingOf,
  readToolResult,
  readVerdict,
  toolRewards,
  toolRewardTerm,
  type Reading,
} from './tool-results';
import type { Action, EndReason, GuestFault, Message, Observation, StepError, Task, ToolCall } from './types';

export interface ToolEnvOptions extends ReaderOptions {
  readonly sandbox: Sandbox;
  readonly context: ContextOptions;
  readonly chatFormat: ChatFormat;
  /** Maximum fuel of a tool call or reward; default `fuelLimits.call`. */
  readonly callFuel?: number;
}

class ToolEpisode extends GuestEpisode implements Conversation {
  opening: readonly Message[] = [];
  exchanges: readonly (readonly Message[])[] = [];
  /** Whether the next step is a summary. */
  asked = false;
}

/** An episode's turn: what the agent wrote and what came of it. */
interface Turn extends ReadAction {
  readonly episode: ToolEpisode;
  readonly action: Action;
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

export class ToolEnv implements AgentEnv {
  private episodes: ToolEpisode[] = [];
  private readonly hooks: readonly string[];
  private readonly rule: ContextRule;
  private readonly reader: ActionReader;

  constructor(private readonly options: ToolEnvOptions) {
    this.reader = new ActionReader(options);
    this.hooks = options.description.hooks ?? [];
    this.rule = effectiveRule(options.context, this.hooks);
  }

  async reset(tasks: readonly Task[], seed: number): Promise<Opening[]> {
    const { description, format, callFuel } = this.options;
    const system = [description.system, format.describeTools(description.tools)].filter(Boolean).join('\n\n');
    const before: Message[] = system ? [{ role: 'system', content: system }] : [];
    this.episodes = tasks.map((task, id) => {
      const episode = new ToolEpisode(id, task, seed, callFuel);
      episode.opening = [...before, { role: 'user', content: task.prompt }];
      return episode;
    });
    const faults = this.hooks.includes('start') ? await this.start() : [];
    const observations = await this.observe(this.episodes);
    return observations.map((observation, i) => ({ ...observation, ...faults[i] }));
  }

  async step(ids: readonly number[], actions: readonly Action[]): Promise<Transition[]> {
    const turns = ids.map((id, i) => this.read(this.episodes[id], actions[i]));
    await this.act(turns);
    const outcomes = turns.map((turn) => this.conclude(turn));
    const endings = await this.endings(turns);
    const live = turns.filter((turn, i) => !endings.has(turn) && outcomes[i].end === undefined);
    const observed = new Map(zip(live, await this.observe(live.map(({ episode }) => episode))));
    return turns.map((turn, i) => transition(turn, outcomes[i], endings.get(turn), observed.get(turn)));
  }

  async finish(ids: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]> {
    const stopped = ids.map((id) => this.episodes[id]);
    const verdicts = await this.call(stopped, (episode) => episode.reward(undefined, episode.steps, 0));
    return verdicts.map((verdict, i) => endingOf(this.options.description.rewards, verdict, reasons[i]));
  }

  /** Asks the environment how each episode begins. @returns faults, undefined where it began */
  private async start(): Promise<(GuestFault | undefined)[]> {
    const verdicts = await this.call(this.episodes, (episode) => episode.start());
    return this.episodes.map((episode, i) => {
      const opening = readOpening(verdicts[i], this.options.description.images);
      if ('problem' in opening) return faultOf(opening);
      const { text, image, state } = opening.value;
      const content = contentOf(this.reader.cut(text ?? ''), image);
      if (text !== undefined || image) episode.opening = [...episode.opening, { role: 'tool', content }];
      if (state !== undefined) episode.state = state;
      return undefined;
    });
  }

  private call(episodes: readonly ToolEpisode[], request: (episode: ToolEpisode, i: number) => SandboxRequest) {
    return ask(this.options.sandbox, episodes, request);
  }

  private read(episode: ToolEpisode, action: Action): Turn {
    const read = episode.asked ? { calls: [] } : this.reader.read(action);
    return { ...read, episode, action, settled: [] };
  }

  /**
   * Runs the first call of every turn and the rewards of answers in one message, then the second calls, and so on: each
   * call sees the state that the one before it left.
   */
  private async act(turns: readonly Turn[]): Promise<void> {
    const most = Math.max(1, ...turns.map(({ calls }) => calls.length));
    for (let index = 0; index < most; index++) {
      const acting = turns.filter(({ calls, answer, settled }) =>
        answer !== undefined
          ? index === 0
          : index < calls.length && isRunnable(calls[index]) && !isOver(settled.at(-1)),
      );
      const verdicts = await this.call(
        acting.map(({ episode }) => episode),
        (episode, i) => requestOf(episode, acting[i], index),
      );
      const verdictOf = new Map(zip(acting, verdicts));
      for (const turn of turns) {
        const verdict = verdictOf.get(turn);
        if (turn.answer !== undefined) turn.judged ??= verdict;
        else if (index < turn.calls.length && !isOver(turn.settled.at(-1)))
          turn.settled.push(this.settleCall(turn.episode, turn.calls[index], verdict));
      }
    }
  }

  /** @param verdict none if the call was refused before it ran */
  private settleCall(episode: ToolEpisode, call: ToolCall | WrittenCall, verdict: Verdict | undefined): Settled {
    if (!verdict) return { call: call as ToolCall };
    const { fuel } = verdict;
    const result = readToolResult(verdict, this.options.description.images);
    if ('problem' in result) {
      const { problem, killed, refused } = result;
      const error = killed ? 'killed' : 'tool-error';
      const failed = this.reader.failedCall(call, error, problem, { ...(killed && { killed }), fuel });
      return refused ? { call: failed } : { call: failed, problem: failureSentence(result), fails: !!killed };
    }
    const { text, image, reward, state, done } = result.value;
    if (reward !== undefined && !Object.hasOwn(this.options.description.rewards, toolRewardTerm)) {
      const problem =
        `The tool ${call.name} gave a reward, and meta.rewards declares no term ` +
        `"${toolRewardTerm}" to count it under.`;
      return { call: this.reader.failedCall(call, 'tool-error', problem, { fuel }), problem, fails: true };
    }
    if (state !== undefined) episode.state = state;
    const shown = { result: this.reader.cut(text), ...(image && { image }) };
    return { call: { ...call, ...shown, fuel, ...(reward !== undefined && { reward }) }, done };
  }

  /** Appends the turn to the conversation and to the record. */
  private conclude({ episode, action, answer, failure, settled }: Turn): Omit<Transition, 'observation'> {
    const toolCalls = settled.map(({ call }) => call);
    const replies = failure ? [failure.text] : toolCalls.map(({ result, image }) => contentOf(result, image));
    const exchange = [episode.hear(action), ...replies.map(toolMessage)];
    // A summary stands for all before it.
    episode.exchanges = episode.asked ? [exchange] : [...episode.exchanges, exchange];
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

  /** The endings of the turns that answered or made a call that ended the episode. */
  private async endings(turns: readonly Turn[]): Promise<Map<Turn, Ending>> {
    const answered = turns.filter(({ judged }) => judged !== undefined);
    const done = turns.filter(({ settled }) => settled.at(-1)?.done);
    const verdicts = await this.call(
      done.map(({ episode }) => episode),
      (episode, i) => episode.reward(undefined, episode.steps - 1, done[i].settled.length),
    );
    return new Map([
      ...answered.map((turn): [Turn, Ending] => [
        turn,
        endingOf(this.options.description.rewards, turn.judged!, 'answer'),
      ]),
      ...done.map((turn, i): [Turn, Ending] => [turn, endingOf(this.options.description.rewards, verdicts[i], 'done')]),
    ]);
  }

  /** What the agent sees next, by the context rule. */
  private async observe(episodes: readonly ToolEpisode[]): Promise<Opening[]> {
    if (this.rule === 'environment' || this.rule === 'summary') return this.observeByGuest(episodes, this.rule);
    if (this.rule === 'policy-summary') return this.observeBySummary(episodes);
    const { exchanges } = this.options.context;
    return episodes.map((episode) => ({
      observation: { messages: this.rule === 'window' ? windowOf(episode, exchanges) : allMessages(episode) },
    }));
  }

  private async observeByGuest(episodes: readonly ToolEpisode[], rule: 'environment' | 'summary'): Promise<Opening[]> {
    const method = rule === 'environment' ? 'context' : 'summary';
    const verdicts = await this.call(episodes, (episode) => episode.context(method, messagesFor(episode)));
    return episodes.map((episode, i) => {
      const messages =
        rule === 'summary' ? this.readSummarized(episode, verdicts[i]) : this.readContext(episode, verdicts[i]);
      if (!('problem' in messages)) return { observation: { messages: messages.value } };
      return { observation: { messages: allMessages(episode) }, ...faultOf(messages) };
    });
  }

  private readSummarized({ opening }: ToolEpisode, verdict: Verdict): Reading<readonly Message[]> {
    const summary = this.readSummary(verdict);
    if ('problem' in summary) return summary;
    return { value: summary.value === '' ? opening : [...opening, { role: 'tool', content: summary.value }] };
  }

  private readSummary(verdict: Verdict): Reading<string> {
    const reply = readVerdict(verdict);
    if ('problem' in reply) return reply;
    return typeof reply.value === 'string'
      ? { value: this.reader.cut(reply.value) }
      : { problem: 'summary returned no text.' };
  }

  private readContext(episode: ToolEpisode, verdict: Verdict): Reading<readonly Message[]> {
    const reply = readVerdict(verdict);
    if ('problem' in reply) return reply;
    const { images } = this.options.description;
    const shown = allMessages(episode);
    const imageAt = (index: number) => imagesIn(shown[index]?.content ?? '')[0];
    const messages = readMessages(reply.value, (step) => episode.said[step], { imageAt, images });
    return typeof messages === 'string'
      ? { problem: `context gave something else than expected: ${messages}.` }
      : { value: messages };
  }

  /** Asks for a summary where the prompt has passed the budget and there is more than one exchange to sum up. */
  private async observeBySummary(episodes: readonly ToolEpisode[]): Promise<Opening[]> {
    const { tokenizer, format, chatFormat, context } = this.options;
    for (const episode of episodes) {
      const tokens = chatFormat.render(tokenizer, format, allMessages(episode)).tokens.length;
      episode.asked = tokens > context.budget && episode.exchanges.length > 1;
    }
    const asked = this.hooks.includes('summary') ? episodes.filter((episode) => episode.asked) : [];
    const verdicts = await this.call(asked, (episode) => episode.context('summary', messagesFor(episode)));
    const suggested = new Map(zip(asked, verdicts));
    return episodes.map((episode) => {
      const messages = allMessages(episode);
      if (!episode.asked) return { observation: { messages } };
      const verdict = suggested.get(episode);
      const summary = verdict ? this.readSummary(verdict) : { value: '' };
      const suggestion = 'value' in summary ? summary.value : '';
      const observation: Observation = { messages: [...messages, summaryRequest], summary: { suggestion } };
      return 'problem' in summary ? { observation, ...faultOf(summary) } : { observation };
    });
  }
}

function requestOf(episode: ToolEpisode, { calls, answer }: Turn, index: number): SandboxRequest {
  if (answer !== undefined) return episode.reward(answer, episode.steps, 0, false);
  return episode.execute(calls[index].name, calls[index].arguments, index);
}

function messagesFor(episode: ToolEpisode) {
  return guestMessages(allMessages(episode), (message) => episode.said.indexOf(message));
}

function transition(
  { episode }: Turn,
  outcome: Omit<Transition, 'observation'>,
  ending: Ending | undefined,
  observed: Opening | undefined,
): Transition {
  if (!ending) {
    const { observation, ...fault } = observed ?? { observation: { messages: allMessages(episode) } };
    const failed = fault.problem !== undefined && { end: 'environment-failed' as const };
    return { ...outcome, observation, ...fault, ...failed };
  }
  const { rewards, ...end } = ending;
  const error: StepError = ending.killed ? 'killed' : 'tool-error';
  return {
    ...outcome,
    observation: { messages: allMessages(episode) },
    ...end,
    rewards: { ...outcome.rewards, ...rewards },
    ...(ending.problem !== undefined && { error }),
  };
}

const toolMessage = (content: Content): Message => ({ role: 'tool', content });

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

const zip = <A, B>(a: readonly A[], b: readonly B[]): [A, B][] => a.map((each, i) => [each, b[i]]);
