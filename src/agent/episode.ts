/** One episode of an environment in the sandbox: its conversation, its state, and the fuel it has left. */
import { bits, Purpose } from '../lib/rng';
import type { Conversation } from './context';
import { fuelLimits, type SandboxRequest } from './sandbox';
import type { Json, Message, Task } from './types';

/** Seeds of what is no call of a step: far from the index of any call. */
const startIndex = 1 << 16;
const contextIndex = startIndex + 1;

export class Episode implements Conversation {
  exchanges: readonly (readonly Message[])[] = [];
  /** What the agent said at each step. */
  readonly said: Message[] = [];
  /** `{toolCalls, error?}` of each step, passed to `reward`. */
  readonly record: Json[] = [];
  /** The environment's state: guests keep nothing between calls. */
  state: Json = null;
  /** Whether the next step is a summary. */
  asked = false;
  private fuel: number = fuelLimits.episode;

  /**
   * @param id of its requests @param seed of its random numbers
   * @param callFuel most fuel of a call or the reward
   */
  constructor(
    readonly id: number,
    readonly task: Task,
    public opening: readonly Message[],
    private readonly seed: number,
    private readonly callFuel: number,
  ) {}

  start(): SandboxRequest {
    return this.request('start', { task: this.json }, 0, startIndex);
  }

  /** @param index of the call in its turn */
  execute(tool: string, args: Json, index: number): SandboxRequest {
    return this.request(
      'execute',
      { tool, arguments: args, task: this.json, state: this.state },
      this.record.length,
      index,
    );
  }

  /**
   * @param answer of a step that is not in the record yet
   * @param turn the step whose random numbers it draws @param index among the calls of that step
   */
  reward(answer: string | undefined, turn: number, index: number): SandboxRequest {
    const steps = answer === undefined ? this.record : [...this.record, { toolCalls: [] }];
    const outcome = { task: this.json, steps, state: this.state };
    return this.request('reward', { ...outcome, ...(answer !== undefined && { answer }) }, turn, index);
  }

  context(method: 'context' | 'summary', messages: Json): SandboxRequest {
    const args = { messages, state: this.state, task: this.json };
    return this.request(method, args, this.record.length, contextIndex);
  }

  burn(fuel: number): void {
    this.fuel -= fuel;
  }

  private get json(): Json {
    return this.task as unknown as Json;
  }

  /** With no fuel left the request is stopped at once. */
  private request(method: string, args: Json, turn: number, index: number): SandboxRequest {
    const seed = bits(this.seed, Purpose.environment, this.id, turn, index);
    return { episode: this.id, seed, method, args, fuel: Math.max(0, Math.min(this.callFuel, this.fuel)) };
  }
}
