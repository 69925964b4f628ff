/**
 * Environments that drive their own steps: their `flow` is a generator that yields the messages of each prompt, gets
 * the sampled action, calls tools as it likes, and returns the answer. Guests keep nothing between turns, so it is
 * replayed from the log of actions and results each time; the host checks nothing of it but what it yields.
 */
import * as v from 'valibot';
import { plainText } from '../lib/plain-text';
import { readMessages } from './context';
import type { AgentEnv, Ending, Opening, Transition } from './env';
import { ask, GuestEpisode } from './episode';
import { ActionReader, isRunnable, type ReadAction, type ReaderOptions } from './read-action';
import type { Sandbox, Verdict } from './sandbox';
import {
  clampReward,
  faultOf,
  endingOf,
  readImage,
  readVerdict,
  toolRewards,
  toolRewardTerm,
  type Reading,
} from './tool-results';
import type { Action, EndReason, Image, Json, Observation, Task, ToolCall } from './types';

export interface FlowEnvOptions extends ReaderOptions {
  readonly sandbox: Sandbox;
  /** Maximum fuel of the reward; a turn of the flow may burn `fuelLimits.request`. */
  readonly callFuel?: number;
}

const callSchema = v.object({
  tool: v.pipe(v.string(), v.maxLength(64)),
  arguments: v.unknown() as unknown as v.GenericSchema<Json, Json>,
  text: v.string(),
  image: v.optional(v.unknown() as unknown as v.GenericSchema<Json, Json>),
  failed: v.boolean(),
  reward: v.optional(v.pipe(v.number(), v.finite())),
});
const turnSchema = v.object({
  /** Of the next prompt; absent when the flow has returned. */
  messages: v.optional(v.unknown() as unknown as v.GenericSchema<Json, Json>),
  answer: v.optional(v.pipe(v.string(), v.maxLength(8192))),
  /** A tool ended the episode. */
  done: v.boolean(),
  /** Calls since the last yield. */
  calls: v.pipe(v.array(callSchema), v.maxLength(64, 'there may be at most 64 calls in a turn')),
  state: v.unknown() as unknown as v.GenericSchema<Json, Json>,
});
type GuestTurn = v.InferOutput<typeof turnSchema>;

class FlowEpisode extends GuestEpisode {
  /** What the generator got so far: actions and results of calls, in order. */
  readonly log: Json[] = [];
  /** Images of calls, by the place of the result in the log: in it stands this number. */
  readonly images = new Map<number, Image>();
  /** Calls before the first step, which count as its own. */
  early: readonly ToolCall[] = [];
  observation: Observation = { messages: [] };
}

export class FlowEnv implements AgentEnv {
  private episodes: FlowEpisode[] = [];
  private readonly reader: ActionReader;

  constructor(private readonly options: FlowEnvOptions) {
    this.reader = new ActionReader(options);
  }

  async reset(tasks: readonly Task[], seed: number): Promise<Opening[]> {
    this.episodes = tasks.map((task, id) => new FlowEpisode(id, task, seed, this.options.callFuel));
    const verdicts = await this.advance(this.episodes);
    return this.episodes.map((episode, i) => {
      const turn = this.readTurn(episode, verdicts[i]);
      if ('problem' in turn) return { observation: episode.observation, ...faultOf(turn) };
      episode.early = turn.value.calls;
      if (turn.value.messages) return { observation: episode.observation };
      const problem = 'flow returned before its first yield; it must yield messages at least once.';
      return { observation: episode.observation, problem };
    });
  }

  async step(ids: readonly number[], actions: readonly Action[]): Promise<Transition[]> {
    const acting = ids.map((id) => this.episodes[id]);
    const reads = actions.map((action) => this.reader.read(action));
    acting.forEach((episode, i) => hear(episode, actions[i], reads[i]));
    const verdicts = await this.advance(acting);
    const turns = acting.map((episode, i) => this.readTurn(episode, verdicts[i]));
    const outcomes = acting.map((episode, i) => this.conclude(episode, reads[i], turns[i]));
    const over = acting.flatMap((episode, i) => (outcomes[i].end === 'done' ? [{ episode, i }] : []));
    const rewards = await this.rewards(
      over.map(({ episode }) => episode),
      over.map(({ i }) => outcomes[i].answer),
    );
    over.forEach(({ i }, at) => {
      const { rewards: terms, ...ending } = endingOf(
        this.options.description.rewards,
        rewards[at],
        outcomes[i].answer === undefined ? 'done' : 'answer',
      );
      outcomes[i] = { ...outcomes[i], ...ending, rewards: { ...outcomes[i].rewards, ...terms } };
    });
    return outcomes;
  }

  async finish(ids: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]> {
    const verdicts = await this.rewards(ids.map((id) => this.episodes[id]));
    return verdicts.map((verdict, i) => endingOf(this.options.description.rewards, verdict, reasons[i]));
  }

  /** Runs each flow to its next prompt or its end. */
  private advance(episodes: readonly FlowEpisode[]): Promise<Verdict[]> {
    return ask(this.options.sandbox, episodes, (episode) => episode.flow(episode.log));
  }

  private rewards(episodes: readonly FlowEpisode[], answers: readonly (string | undefined)[] = []): Promise<Verdict[]> {
    return ask(this.options.sandbox, episodes, (episode, i) => episode.reward(answers[i], episode.steps, 1));
  }

  /** Reads what the flow did, and keeps its calls, its state and the next prompt. */
  private readTurn(
    episode: FlowEpisode,
    verdict: Verdict,
  ): Reading<Pick<GuestTurn, 'answer' | 'done'> & { calls: readonly ToolCall[]; messages: boolean }> {
    const reply = readVerdict(verdict);
    if ('problem' in reply) return reply;
    const read = v.safeParse(turnSchema, reply.value);
    if (!read.success)
      return { problem: `flow gave something else than expected: ${plainText(read.issues[0].message, 300)}` };
    const { messages, answer, done, calls, state } = read.output;
    const { rewards, images } = this.options.description;
    const rewarded = calls.find(({ reward }) => reward !== undefined);
    if (rewarded && !Object.hasOwn(rewards, toolRewardTerm))
      return {
        problem: `The tool ${rewarded.tool} gave a reward, and meta.rewards declares no term "${toolRewardTerm}".`,
      };
    const made: ToolCall[] = [];
    for (const call of calls) {
      const shown = readImage(call.image, `The tool ${call.tool}`, images);
      if ('problem' in shown) return shown;
      made.push(this.record(episode, call, shown.value.image));
    }
    episode.state = state ?? null;
    if (messages !== undefined) {
      const imageAt = (index: number) => episode.images.get(index);
      const seen = readMessages(messages, (step) => episode.said[step], { imageAt, images });
      if (typeof seen === 'string') return { problem: `flow yielded something else than messages: ${seen}.` };
      episode.observation = { messages: seen };
    }
    return { value: { answer, done, calls: made, messages: messages !== undefined } };
  }

  /** Logs a call's result, as the generator got it, and returns the call as the step shows it. */
  private record({ log, images }: FlowEpisode, call: GuestTurn['calls'][number], image: Image | undefined): ToolCall {
    const { tool, arguments: args, text, failed, reward } = call;
    if (image) images.set(log.length, image);
    log.push({ result: image ? [text, log.length] : text });
    return {
      name: tool,
      arguments: args ?? null,
      result: this.reader.cut(text),
      ...(image && { image }),
      ...(failed && { error: 'tool-error' as const }),
      ...(reward !== undefined && { reward: clampReward(reward) }),
    };
  }

  /** The step's outcome; `done` stands for an ending whose reward is still to be asked for. */
  private conclude(
    episode: FlowEpisode,
    { calls, failure }: ReadAction,
    turn: ReturnType<FlowEnv['readTurn']>,
  ): Transition {
    const refused = calls.find((call): call is ToolCall => !isRunnable(call));
    const error = failure?.error ?? refused?.error;
    const toolCalls = [...episode.early, ...('problem' in turn ? [] : turn.value.calls)];
    episode.early = [];
    episode.note(toolCalls, error);
    const { observation } = episode;
    const outcome = { observation, toolCalls, rewards: toolRewards(toolCalls), ...(error && { error }) };
    if ('problem' in turn) return { ...outcome, end: 'environment-failed', ...faultOf(turn) };
    const { answer, messages, done } = turn.value;
    if (messages && !done) return outcome;
    return { ...outcome, end: 'done', ...(answer !== undefined && !done && { answer }) };
  }
}

/** Tells the flow what the agent did. */
function hear(episode: FlowEpisode, action: Action, { calls, answer, failure }: ReadAction): void {
  const step = episode.said.length;
  episode.hear(action);
  const refused = calls.find((call): call is ToolCall => !isRunnable(call));
  episode.log.push({
    action: {
      role: 'assistant',
      step,
      content: action.text,
      calls: calls.filter(isRunnable).map(({ name, arguments: args }) => ({ name, arguments: args })),
      answer: answer ?? null,
      error: failure?.text ?? refused?.result ?? null,
    },
  });
}
