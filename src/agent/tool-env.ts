/**
 * The environment of an agent with tools: holds the conversations, parses calls from sampled tokens, checks their
 * arguments, runs the tools of all acting episodes in one sandbox message, and appends results as `tool` messages.
 *
 * An error of the agent or of a tool becomes a text to the agent and a field of the step. Only a stopped guest, an
 * unreadable reward or an undeclared tool reward ends an episode, as `environment-failed`: it keeps its earlier rewards
 * and counts as unsolved.
 */
import { assert } from '../lib/assert';
import { bits, Purpose } from '../lib/rng';
import type { ToolFormat, WrittenCall } from '../text/tool-formats/tool-format';
import type { Tokenizer } from '../text/tokenizer';
import type { ContextStrategy } from './context';
import type { AgentEnv, Ending, EnvironmentDescription, Transition } from './env';
import { valueProblem } from './json-schema';
import { fuelLimits, type KillReason, type Sandbox, type SandboxRequest, type Verdict } from './sandbox';
import { failureSentence, readScore, readToolResult } from './tool-results';
import type { Action, EndReason, Json, Message, Observation, StepError, Task, ToolCall, ToolError } from './types';

/** The reward term of rewards from tools; an environment whose tools give rewards declares it. */
export const toolRewardTerm = 'tool';

export interface ToolEnvOptions {
  readonly description: EnvironmentDescription;
  readonly sandbox: Sandbox;
  readonly tokenizer: Tokenizer;
  readonly format: ToolFormat;
  readonly context: ContextStrategy;
  /** Maximum length of a tool result in UTF-16 units; the rest is cut. */
  readonly observationLimit: number;
  /** Maximum fuel of a tool call or reward; default `fuelLimits.call`. */
  readonly callFuel?: number;
}

interface Episode {
  readonly task: Task;
  messages: readonly Message[];
  /** The environment's state, passed to its next `execute`: guests keep nothing between turns. */
  state: Json;
  /** `{toolCalls, error?}` of each step, passed to `reward`. */
  readonly record: Json[];
  /** Fuel left for its calls and its reward. */
  fuel: number;
}

/** An episode's turn, before the sandbox replies. */
interface Turn {
  readonly id: number;
  readonly calls: readonly (ToolCall | WrittenCall)[];
  readonly answer?: string;
  /** An action that is neither a call nor an answer. */
  readonly failure?: { readonly error: StepError; readonly text: string };
}

/** A call after it ran. `problem`: why the tool failed; `fails`: it ends the episode. */
interface Settled {
  readonly call: ToolCall;
  readonly problem?: string;
  readonly fails?: boolean;
}

export class ToolEnv implements AgentEnv {
  private episodes: Episode[] = [];
  private seed = 0;
  private readonly callFuel: number;

  constructor(private readonly options: ToolEnvOptions) {
    this.callFuel = options.callFuel ?? fuelLimits.call;
  }

  reset(tasks: readonly Task[], seed: number): Promise<Observation[]> {
    const { description, format } = this.options;
    const system = [description.system, format.describeTools(description.tools)].filter(Boolean).join('\n\n');
    const opening: Message[] = system ? [{ role: 'system', content: system }] : [];
    this.seed = seed;
    this.episodes = tasks.map((task) => ({
      task,
      messages: [...opening, { role: 'user', content: task.prompt }],
      state: null,
      record: [],
      fuel: fuelLimits.episode,
    }));
    return Promise.resolve(this.episodes.map((episode) => this.observe(episode)));
  }

  /** Parallel calls of an action see the same state; the last state that one of them returns is kept. */
  async step(ids: readonly number[], actions: readonly Action[]): Promise<Transition[]> {
    const turns = ids.map((id, i) => this.read(id, actions[i]));
    const requests = turns.flatMap((turn) => this.requests(turn));
    const verdicts = (requests.length > 0 ? await this.options.sandbox.call(requests) : []).values();
    return turns.map((turn, i) => this.settle(turn, actions[i], verdicts));
  }

  async finish(ids: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]> {
    const verdicts = await this.options.sandbox.call(ids.map((id) => this.rewardRequest(id)));
    return verdicts.map((verdict, i) => this.ending(verdict, reasons[i]));
  }

  /** @param verdict on the reward @param end of the episode, unless the reward failed */
  private ending(verdict: Verdict, end: EndReason): Ending {
    const score = readScore(verdict, this.options.description.rewards);
    if (!('problem' in score)) return { rewards: score.value.terms, success: score.value.success, end };
    const { killed } = score;
    const problem = failureSentence(score);
    return { rewards: {}, success: false, end: 'environment-failed', problem, ...(killed && { killed }) };
  }

  private observe(episode: Episode): Observation {
    return { messages: this.options.context(episode.messages) };
  }

  private read(id: number, action: Action): Turn {
    const { format, tokenizer, description } = this.options;
    const failure = (error: StepError, sentence: string): Turn => ({
      id,
      calls: [],
      failure: { error, text: this.cut(format.errorText(error, sentence)) },
    });
    // Half a call may parse as another call, so nothing of a cut action runs.
    if (action.stop === 'length') return failure('truncated', `The turn was cut after ${action.tokens.length} tokens.`);
    const parsed = format.parse(action.tokens, description.tools, tokenizer);
    if (parsed.kind === 'unreadable') return failure('no-answer', parsed.problem);
    if (parsed.kind === 'answer') return { id, calls: [], answer: parsed.text };
    return {
      id,
      calls: parsed.calls.map((call) =>
        'problem' in call
          ? this.failedCall({ name: '', arguments: call.text }, 'malformed', call.problem)
          : (this.refusal(call) ?? call),
      ),
    };
  }

  /** The failed call if the tool is unknown or its arguments do not fit, else null. */
  private refusal(call: WrittenCall): ToolCall | null {
    const { tools } = this.options.description;
    const tool = tools.find(({ name }) => name === call.name);
    const names = tools.map(({ name }) => name).join(', ');
    if (!tool) return this.failedCall(call, 'unknown-tool', `There is no tool called ${call.name}; there is ${names}.`);
    const problem = valueProblem(tool.parameters, call.arguments);
    return problem ? this.failedCall(call, 'invalid-arguments', problem) : null;
  }

  private failedCall(
    call: WrittenCall,
    error: ToolError,
    sentence: string,
    more: { killed?: KillReason; fuel?: number } = {},
  ): ToolCall {
    return { ...call, result: this.cut(this.options.format.errorText(error, sentence)), error, ...more };
  }

  /** The turn's runnable calls in order, or its answer's reward. */
  private requests(turn: Turn): SandboxRequest[] {
    if (turn.answer !== undefined) return [this.rewardRequest(turn.id, turn.answer)];
    const { task, state, fuel } = this.episodes[turn.id];
    return turn.calls.filter(isRunnable).map((call, index) => {
      const args = { tool: call.name, arguments: call.arguments, task: task as unknown as Json, state };
      // What the calls before it burn is not known yet, so each is assumed to burn its limit.
      return this.request(turn.id, index, 'execute', args, fuel - index * this.callFuel);
    });
  }

  private rewardRequest(id: number, answer?: string): SandboxRequest {
    const { task, record, fuel } = this.episodes[id];
    const steps = answer === undefined ? record : [...record, { toolCalls: [] }];
    const args = { task: task as unknown as Json, steps, ...(answer !== undefined && { answer }) };
    return this.request(id, 0, 'reward', args, fuel);
  }

  /** @param left fuel of the episode; with none the request is stopped at once */
  private request(id: number, index: number, method: string, args: Json, left: number): SandboxRequest {
    const seed = bits(this.seed, Purpose.environment, id, this.episodes[id].record.length, index);
    return { episode: id, seed, method, args, fuel: Math.max(0, Math.min(this.callFuel, left)) };
  }

  /** Appends the turn to the conversation. @param verdicts the iterator's next ones belong to this turn's requests */
  private settle(turn: Turn, action: Action, verdicts: Iterator<Verdict>): Transition {
    const episode = this.episodes[turn.id];
    const said: Message = { role: 'assistant', content: action.text, tokens: action.tokens };
    if (turn.answer !== undefined) {
      episode.messages = [...episode.messages, said];
      return this.settleAnswer(episode, turn.answer, take(verdicts));
    }
    const settled = turn.calls.map((call): Settled =>
      isRunnable(call) ? this.settleCall(episode, call, take(verdicts)) : { call },
    );
    const toolCalls = settled.map(({ call }) => call);
    const recorded = toolCalls.map(({ name, arguments: args, result, error }) => {
      return { name, arguments: args, result, ...(error && { error }) };
    });
    const problem = (settled.find((each) => each.fails) ?? settled.find((each) => each.problem))?.problem;
    const failed = toolCalls.find((call) => call.error === 'killed') ?? toolCalls.find((call) => call.error);
    const error = turn.failure?.error ?? failed?.error;
    const texts = turn.failure ? [turn.failure.text] : toolCalls.map(({ result }) => result);
    episode.messages = [...episode.messages, said, ...texts.map((content): Message => ({ role: 'tool', content }))];
    episode.record.push({ toolCalls: recorded, ...(error && { error }) });
    const rewards = toolCalls.flatMap(({ reward }) => reward ?? []);
    return {
      observation: this.observe(episode),
      rewards: rewards.length > 0 ? { [toolRewardTerm]: rewards.reduce((sum, reward) => sum + reward, 0) } : {},
      toolCalls,
      ...(error && { error }),
      ...(problem && { problem }),
      ...(settled.some(({ fails }) => fails) && { end: 'environment-failed' as const }),
    };
  }

  private settleCall(episode: Episode, call: WrittenCall, verdict: Verdict): Settled {
    const { fuel } = verdict;
    episode.fuel -= fuel;
    const result = readToolResult(verdict);
    if ('problem' in result) {
      const { problem, killed, refused } = result;
      const error = killed ? 'killed' : 'tool-error';
      const failed = this.failedCall(call, error, problem, { ...(killed && { killed }), fuel });
      return refused ? { call: failed } : { call: failed, problem: failureSentence(result), fails: !!killed };
    }
    const { text, reward, state } = result.value;
    if (reward !== undefined && !Object.hasOwn(this.options.description.rewards, toolRewardTerm)) {
      const problem =
        `The tool ${call.name} gave a reward, and meta.rewards declares no term ` +
        `"${toolRewardTerm}" to count it under.`;
      return { call: this.failedCall(call, 'tool-error', problem, { fuel }), problem, fails: true };
    }
    if (state !== undefined) episode.state = state;
    return { call: { ...call, result: this.cut(text), fuel, ...(reward !== undefined && { reward }) } };
  }

  private settleAnswer(episode: Episode, answer: string, verdict: Verdict): Transition {
    const ending = this.ending(verdict, 'answer');
    const error: StepError = ending.killed ? 'killed' : 'tool-error';
    const failure = ending.problem !== undefined && { error };
    return { observation: this.observe(episode), toolCalls: [], answer, ...ending, ...failure };
  }

  private cut(text: string): string {
    // The cut may leave half a surrogate pair.
    return text.slice(0, this.options.observationLimit).replace(/[\uD800-\uDBFF]$/, '');
  }
}

function isRunnable(call: ToolCall | WrittenCall): call is WrittenCall {
  return !('result' in call);
}

function take(verdicts: Iterator<Verdict>): Verdict {
  const next = verdicts.next();
  assert(!next.done, 'the sandbox gave fewer verdicts than it had requests');
  return next.value as Verdict;
}
