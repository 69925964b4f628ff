/**
 * The environment of an agent with tools: holds the conversations, parses calls from sampled tokens, checks their
 * arguments, has the tools of all acting episodes run (`ToolTurns`), and appends results as `tool` messages.
 *
 * An error of the agent or of a tool becomes a text to the agent and a field of the step. Only a stopped guest, an
 * undeclared tool reward, or an unreadable beginning, context or reward ends an episode, as `environment-failed`: it
 * keeps its earlier rewards and counts as unsolved.
 */
import type { ChatFormat } from '../text/chat-template';
import { contentOf, imagesIn, type Content } from '../text/image';
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
import { ActionReader, type ReadAction, type ReaderOptions } from './read-action';
import type { Sandbox, SandboxRequest, Verdict } from './sandbox';
import { faultOf, readVerdict, type Reading } from './tool-results';
import { ToolTurns, type Outcome } from './tool-turns';
import type { Action, EndReason, GuestFault, Message, Observation, Task } from './types';

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

export class ToolEnv implements AgentEnv {
  private episodes: ToolEpisode[] = [];
  private readonly hooks: readonly string[];
  private readonly rule: ContextRule;
  private readonly reader: ActionReader;
  private readonly turns: ToolTurns;

  constructor(private readonly options: ToolEnvOptions) {
    this.reader = new ActionReader(options);
    this.turns = new ToolTurns({ ...options, reader: this.reader });
    this.hooks = options.description.hooks ?? [];
    this.rule = effectiveRule(options.context, this.hooks);
  }

  async reset(tasks: readonly Task[], seed: number): Promise<Opening[]> {
    const { description, format, chatFormat, callFuel } = this.options;
    const described = chatFormat.describesTools ? '' : format.describeTools(description.tools);
    const system = [description.system, described].filter(Boolean).join('\n\n');
    const before: Message[] = system ? [{ role: 'system', content: system }] : [];
    this.episodes = tasks.map((task, id) => {
      const episode = new ToolEpisode(id, task, seed, callFuel);
      episode.opening = [...before, { role: 'user', content: task.prompt }];
      return episode;
    });
    const faults = await this.start();
    const observations = await this.observe(this.episodes);
    return observations.map((observation, i) => ({ ...observation, ...faults[i] }));
  }

  async step(ids: readonly number[], actions: readonly Action[]): Promise<Transition[]> {
    const acting = ids.map((id) => this.episodes[id]);
    const reads = acting.map((episode, i): ReadAction =>
      episode.asked ? { calls: [] } : this.reader.read(actions[i]),
    );
    const outcomes = await this.turns.settle(acting.map((episode, i) => ({ ...reads[i], episode })));
    acting.forEach((episode, i) => append(episode, actions[i], reads[i], outcomes[i]));
    const live = acting.filter((_, i) => outcomes[i].end === undefined);
    const observed = new Map(zip(live, await this.observe(live)));
    return acting.map((episode, i) => transition(episode, outcomes[i], observed.get(episode)));
  }

  async finish(ids: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]> {
    return this.turns.finish(
      ids.map((id) => this.episodes[id]),
      reasons,
    );
  }

  /** Asks the environment how each episode begins. @returns faults, undefined where it began */
  private async start(): Promise<(GuestFault | undefined)[]> {
    const openings = await this.turns.begin(this.episodes);
    return openings.map((opening, i) => {
      if ('problem' in opening) return faultOf(opening);
      const { text, image } = opening.value;
      if (text !== undefined || image) {
        const episode = this.episodes[i];
        episode.opening = [...episode.opening, toolMessage(contentOf(text ?? '', image))];
      }
      return undefined;
    });
  }

  private call(episodes: readonly ToolEpisode[], request: (episode: ToolEpisode) => SandboxRequest) {
    return ask(this.options.sandbox, episodes, request);
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

function messagesFor(episode: ToolEpisode) {
  return guestMessages(allMessages(episode), (message) => episode.said.indexOf(message));
}

/** Adds what the agent did, and what came of it, to the conversation. */
function append(episode: ToolEpisode, action: Action, { failure }: ReadAction, { toolCalls }: Outcome): void {
  const replies = failure ? [failure.text] : toolCalls.map(({ result, image }) => contentOf(result, image));
  const exchange = [episode.hear(action), ...replies.map(toolMessage)];
  // A summary stands for all before it.
  episode.exchanges = episode.asked ? [exchange] : [...episode.exchanges, exchange];
}

/** @param observed none if the episode is over */
function transition(episode: ToolEpisode, outcome: Outcome, observed: Opening | undefined): Transition {
  const { observation, ...fault } = observed ?? { observation: { messages: allMessages(episode) } };
  const failed = fault.problem !== undefined && { end: 'environment-failed' as const };
  return { ...outcome, observation, ...fault, ...failed };
}

const toolMessage = (content: Content): Message => ({ role: 'tool', content });

const zip = <A, B>(a: readonly A[], b: readonly B[]): [A, B][] => a.map((each, i) => [each, b[i]]);
