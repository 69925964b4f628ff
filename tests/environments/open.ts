/** A built-in environment as an agent meets it: through the sandbox, never imported. */
import type { DemonstrationTurn, EnvironmentDescription } from '../../src/agent/env';
import type { Sandbox, Verdict } from '../../src/agent/sandbox';
import type { Json, Task } from '../../src/agent/types';
import { builtInEnvironments } from '../../src/environments/built-in';
import { openLocal, request } from '../sandbox/open';

/** An episode after its answer. */
export interface Played {
  readonly terms: Record<string, number>;
  readonly success: boolean;
  /** What the tools said, in order. */
  readonly results: readonly string[];
  /** Largest fuel of a call or the reward. */
  readonly fuel: number;
}

export class OpenEnvironment {
  private hooks?: readonly string[];

  private constructor(private readonly sandbox: Sandbox) {}

  static async open(name: string): Promise<OpenEnvironment> {
    return new OpenEnvironment(await openLocal(builtInEnvironments[name]));
  }

  async verdict(method: string, args: Json, seed = 1): Promise<Verdict> {
    return (await this.sandbox.call([request(method, args, 0, seed)]))[0];
  }

  async ask<T>(method: string, args: Json, seed = 1): Promise<T> {
    const verdict = await this.verdict(method, args, seed);
    if (verdict.kind !== 'value') throw new Error(JSON.stringify(verdict));
    return verdict.value as T;
  }

  /** Sixteen at a time, as the host does. */
  async draw(split: string, seed: number, count: number, options: Json = {}, start = 0): Promise<Task[]> {
    const tasks: Task[] = [];
    for (let at = 0; at < count; at += 16)
      tasks.push(
        ...(await this.ask<Task[]>('tasks', {
          split,
          seed,
          start: start + at,
          count: Math.min(16, count - at),
          options,
        })),
      );
    return tasks;
  }

  /** A demonstration of the task, or the turns of a scripted policy, for the episode of this seed. */
  script(task: Task, seed: number, policy?: string): Promise<DemonstrationTurn[]> {
    return this.ask('demonstrate', { task: { ...task }, startSeed: seed, ...(policy && { policy }) }, seed);
  }

  /** Plays a policy, or demonstrations, on each task: the place of a task is the seed of its script and episode. */
  async playAll(tasks: readonly Task[], policy?: string): Promise<Played[]> {
    const episodes = [];
    for (const [i, task] of tasks.entries())
      episodes.push(await this.play(task, await this.script(task, i, policy), i));
    return episodes;
  }

  /** The first state of an episode. */
  private async begin(task: Task, seed: number): Promise<Json> {
    this.hooks ??= (await this.ask<EnvironmentDescription>('describe', null)).hooks ?? [];
    if (!this.hooks.includes('start')) return null;
    return (await this.ask<{ state?: Json }>('start', { task: { ...task } }, seed)).state ?? null;
  }

  /** Plays turns against the tools, as the loop would. */
  async play(task: Task, turns: readonly DemonstrationTurn[], seed = 1): Promise<Played> {
    const steps: Json[] = [];
    const results: string[] = [];
    let answer: string | null = null;
    let state = await this.begin(task, seed);
    let fuel = 0;
    for (const turn of turns) {
      if ('answer' in turn) answer = turn.answer;
      else {
        const toolCalls: Json[] = [];
        for (const call of turn.calls) {
          const verdict = await this.verdict('execute', {
            tool: call.name,
            arguments: call.arguments,
            task: { ...task },
            state,
          });
          fuel = Math.max(fuel, verdict.fuel);
          const given = verdict.kind === 'value' ? (verdict.value as { text: string; state?: Json }) : null;
          const result = given?.text ?? JSON.stringify(verdict);
          state = given?.state ?? state;
          results.push(result);
          toolCalls.push({ ...call, result, ...(verdict.kind !== 'value' && { error: 'tool-error' }) });
        }
        steps.push({ toolCalls });
      }
    }
    const verdict = await this.verdict('reward', { task: { ...task }, answer, steps, state }, seed);
    if (verdict.kind !== 'value') throw new Error(JSON.stringify(verdict));
    return {
      ...(verdict.value as unknown as Pick<Played, 'terms' | 'success'>),
      results,
      fuel: Math.max(fuel, verdict.fuel),
    };
  }
}
