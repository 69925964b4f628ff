/**
 * OpenEnv's episodes, as its server plays them (`openenv` 0.10, `openenv.core.env_server`): `reset` opens a task, a
 * step calls a tool, and the state says only where the client is, never what the world holds.
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { firstIssue } from '../../lib/first-issue';
import type { Json } from '../../lib/json';
import type { Image } from '../../text/image';
import { busy } from './answer';
import { TooManyCalls, type Reply, type ServedEpisode } from './episode';
import { pngOf } from './png';
import type { TaskQueue } from './task-queue';
import type { ServedWorld } from './world';

/** What went wrong, as OpenEnv's error messages name it. */
export class OpenEnvFault extends Error {
  constructor(
    readonly code: 'INVALID_JSON' | 'UNKNOWN_TYPE' | 'VALIDATION_ERROR' | 'EXECUTION_ERROR' | 'SESSION_ERROR',
    sentence: string,
  ) {
    super(sentence);
  }
}

/** What `reset` and `step` give. A type, so that it is JSON. */
export type OpenEnvResult = {
  readonly observation: { readonly [key: string]: Json };
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata?: { readonly [key: string]: Json };
};

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Other arguments of a client's `reset` are columns of its data set, and are left alone. */
const resetSchema = v.object({
  split: v.nullish(v.string()),
  index: v.nullish(count),
  /** Which of the episodes of a task. */
  seed: v.nullish(count),
  episode_id: v.nullish(v.pipe(v.string(), v.maxLength(255))),
});
const input = v.custom<{ readonly [key: string]: Json }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'it must be an object',
);
const actionSchema = v.union(
  [
    v.object({ type: v.literal('list_tools') }),
    v.object({ type: v.optional(v.literal('call_tool')), tool_name: v.string(), arguments: v.optional(input, {}) }),
  ],
  'an action is {"type": "list_tools"}, or {"type": "call_tool", "tool_name": text, "arguments": object}',
);

export class OpenEnvSession {
  private episode: ServedEpisode | null = null;
  private episodeId: string | null = null;

  constructor(
    private readonly world: ServedWorld,
    private readonly queue: TaskQueue,
  ) {}

  get state(): { readonly episode_id: string | null; readonly step_count: number } {
    return { episode_id: this.episodeId, step_count: this.episode?.stepCount ?? 0 };
  }

  tools(): Json[] {
    return this.world.tools.map(({ name, description, parameters }) => {
      return { name, description, input_schema: parameters };
    });
  }

  /** @throws OpenEnvFault */
  async reset(data: unknown): Promise<OpenEnvResult> {
    const { split: name, index, seed, episode_id: id } = read(resetSchema, data);
    const split = this.world.split(name ?? 'train');
    if (!split) {
      const names = this.world.splits.map((each) => each.name).join(', ');
      throw new OpenEnvFault('VALIDATION_ERROR', `There is no such split; there is ${names}.`);
    }
    const at = index ?? (seed == null ? this.queue.next() : seed) % split.count;
    if (at >= split.count)
      throw new OpenEnvFault('VALIDATION_ERROR', `The tasks of ${split.name} are 0 to ${split.count - 1}.`);
    const episode = await this.world.begin(split, at, seed ?? undefined).catch(broken);
    this.episode = episode;
    this.episodeId = id ?? randomUUID();
    const metadata = await this.world.spec(split, at);
    const observation = { prompt: episode.prompt, ...shown(episode.image), metadata };
    return { observation, reward: null, done: false, metadata };
  }

  /** A step before any reset opens the next training task. @throws OpenEnvFault */
  async step(data: unknown): Promise<OpenEnvResult> {
    const action = read(actionSchema, data);
    if (action.type === 'list_tools')
      return { observation: { tools: this.tools(), metadata: {} }, reward: null, done: false };
    const { tool_name: name, arguments: args } = action;
    const reply = await this.call(name, args);
    if (reply.kind === 'broken') throw new OpenEnvFault('EXECUTION_ERROR', reply.sentence);
    if (reply.kind === 'over') {
      const error = { error_type: 'execution_error', message: reply.sentence };
      return { observation: { tool_name: name, result: null, error, metadata: {} }, reward: null, done: true };
    }
    const metadata = reply.metadata ?? {};
    const observation = { tool_name: name, result: reply.text, error: null, ...shown(reply.image), metadata };
    const about = reply.metadata && { metadata };
    return { observation, reward: reply.reward, done: reply.finished, ...about };
  }

  /** @throws OpenEnvFault */
  async call(name: string, args: Json): Promise<Reply> {
    if (this.episode === null) await this.reset({});
    try {
      return await this.episode!.call(name, args);
    } catch (error) {
      if (error instanceof TooManyCalls) throw busy(error.message);
      return broken(error);
    }
  }
}

const shown = (image: Image | undefined) => image && { image: { data: pngOf(image), mimeType: 'image/png' } };

/** @throws OpenEnvFault: the world or its sandbox failed */
function broken(error: unknown): never {
  throw new OpenEnvFault('EXECUTION_ERROR', (error as Error).message);
}

/** @throws OpenEnvFault */
export function read<T>(schema: v.GenericSchema<unknown, T>, data: unknown): T {
  const result = v.safeParse(schema, data);
  if (!result.success) throw new OpenEnvFault('VALIDATION_ERROR', `Invalid message: ${firstIssue(result.issues)}.`);
  return result.output;
}
