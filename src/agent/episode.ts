/**
 * One episode of an environment in the sandbox: what the agent said, what `reward` will be told, the environment's
 * state, and the fuel that is left.
 */
import { assert } from '../lib/assert';
import { bits, Purpose } from '../lib/rng';
import { fuelLimits, type Sandbox, type SandboxRequest, type Verdict } from './sandbox';
import type { Action, Json, Message, StepError, Task, ToolCall } from './types';

/** Seeds of what is no call of a step: far from the index of any call. */
const startIndex = 1 << 16;
const contextIndex = startIndex + 1;
const drawIndex = contextIndex + 1;

/** What a drawing is told of the episode's end; all null, and no rewards, before it. */
export type DrawnEnding = {
  readonly answer: string | null;
  readonly success: boolean | null;
  /** Unweighted terms of all steps. */
  readonly rewards: Readonly<Record<string, number>>;
};

/** Seed of the chance in a batch of episodes. @param seed they are sampled with @param iteration of training, else 0 */
export const seedOfEpisodes = (seed: number, iteration = 0): number => bits(seed, Purpose.environment, iteration);

/** Seed of an episode's `start`. @param seed of the episode's random numbers @param id of its requests */
export const seedOfStart = (seed: number, id: number): number => bits(seed, Purpose.environment, id, 0, startIndex);

export class GuestEpisode {
  /** What the agent said at each step. */
  readonly said: Message[] = [];
  /** `{toolCalls, error?}` of each step, passed to `reward`. */
  private readonly record: Json[] = [];
  /** The environment's state: guests keep nothing between calls. */
  state: Json = null;
  private fuel: number = fuelLimits.episode;

  /**
   * @param id of its requests @param seed of its random numbers
   * @param callFuel most fuel of a call or the reward
   */
  constructor(
    private readonly id: number,
    private readonly task: Task,
    private readonly seed: number,
    private readonly callFuel: number = fuelLimits.call,
  ) {}

  /** Steps that are recorded. */
  get steps(): number {
    return this.record.length;
  }

  hear({ text, tokens }: Action): Message {
    const message: Message = { role: 'assistant', content: text, tokens };
    this.said.push(message);
    return message;
  }

  /** Records a step. */
  note(calls: readonly ToolCall[], error: StepError | undefined): void {
    const toolCalls = calls.map(({ name, arguments: args, result, error: failed }) => {
      return { name, arguments: args, result, ...(failed && { error: failed }) };
    });
    this.record.push({ toolCalls, ...(error && { error }) });
  }

  burn(fuel: number): void {
    this.fuel -= fuel;
  }

  start(): SandboxRequest {
    return this.request('start', {}, 0, startIndex);
  }

  /** @param index of the call in its turn */
  execute(tool: string, args: Json, index: number): SandboxRequest {
    return this.request('execute', { tool, arguments: args, state: this.state }, this.steps, index);
  }

  /** @param log what the generator got so far */
  flow(log: Json): SandboxRequest {
    // One seed for the whole episode: what the generator draws must come again when it is replayed.
    return this.request('flow', { log, state: this.state }, 0, 0, fuelLimits.request);
  }

  context(method: 'context' | 'summary', messages: Json): SandboxRequest {
    return this.request(method, { messages, state: this.state }, this.steps, contextIndex);
  }

  /** A picture of the episode as it is. It burns no fuel of the episode. */
  draw(ending: DrawnEnding): SandboxRequest {
    return this.request(
      'draw',
      { state: this.state, moment: { steps: [...this.record], ...ending } },
      this.steps,
      drawIndex,
    );
  }

  /**
   * @param answer the final one, if there is any @param step whose random numbers it draws
   * @param index among the calls of that step @param isRecorded whether the record has the step that answers
   */
  reward(answer: string | undefined, step: number, index: number, isRecorded = true): SandboxRequest {
    const steps = isRecorded ? this.record : [...this.record, { toolCalls: [] }];
    return this.request('reward', { steps, state: this.state, ...(answer !== undefined && { answer }) }, step, index);
  }

  /** With no fuel left the request is stopped at once. */
  private request(
    method: string,
    args: Readonly<Record<string, Json>>,
    step: number,
    index: number,
    most = this.callFuel,
  ): SandboxRequest {
    const seed = bits(this.seed, Purpose.environment, this.id, step, index);
    const fuel = Math.max(0, Math.min(most, this.fuel));
    return { episode: this.id, seed, method, args: { task: this.task as unknown as Json, ...args }, fuel };
  }
}

/** Sends a request for each episode, burns its fuel, and returns the verdicts in order. */
export async function ask<E extends GuestEpisode>(
  sandbox: Sandbox,
  episodes: readonly E[],
  request: (episode: E, i: number) => SandboxRequest,
): Promise<Verdict[]> {
  if (episodes.length === 0) return [];
  const verdicts = await sandbox.call(episodes.map(request));
  assert(verdicts.length === episodes.length, 'the sandbox gave fewer verdicts than it had requests');
  episodes.forEach((episode, i) => episode.burn(verdicts[i].fuel));
  return verdicts;
}
