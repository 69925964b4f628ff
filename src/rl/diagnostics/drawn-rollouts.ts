/** Pictures of logged rollouts: their tasks are drawn again by their places in the run, and their calls made again. */
import { canDraw, drawEpisode, type Chance, type Drawing } from '../../agent/drawing';
import type { EnvironmentDescription } from '../../agent/env';
import { EnvironmentClient, type Split } from '../../agent/environment-client';
import { seedOfEpisodes } from '../../agent/episode';
import { CallReader } from '../../agent/read-action';
import type { Sandbox } from '../../agent/sandbox';
import type { Task } from '../../agent/types';
import type { RunConfig } from '../../config/config';
import { toolFormats } from '../../text/tool-formats/by-name';
import { firstBatch, refillBatch } from '../rollouts/batches';
import { validationSeed } from '../rollouts/evaluation';
import { observationLimit } from '../rollouts/setup';
import type { RolloutView } from '../rollouts/view';

/** What a drawing needs of a rollout. */
export type DrawnRollout = Pick<RolloutView, 'iteration' | 'index' | 'group' | 'taskId' | 'answer' | 'success'> & {
  readonly steps: readonly Pick<RolloutView['steps'][number], 'toolCalls' | 'rewards'>[];
};

/** Parts of a run that draw. The sandbox has the environment loaded. */
export interface DrawingRun {
  readonly config: RunConfig;
  readonly description: EnvironmentDescription;
  readonly sandbox: Sandbox;
}

const noTask = 'Its task is not made any more by this version of the world, so it is not drawn.';

/** @returns a drawing of each rollout; null if the environment draws none */
export async function drawRollouts(run: DrawingRun, rollouts: readonly DrawnRollout[]): Promise<Drawing[] | null> {
  const { config, description, sandbox } = run;
  if (!canDraw(description)) return null;
  const client = new EnvironmentClient(sandbox);
  const reader = new CallReader({ description, format: toolFormats[config.text.toolFormat], observationLimit });
  const options = { description, sandbox, reader, callFuel: config.rollout.callFuel };
  const places = new Map<string, Place | null>();
  const drawings: Drawing[] = [];
  for (const rollout of rollouts) {
    const { taskId, iteration, index } = rollout;
    const key = `${taskId} ${iteration}`;
    if (!places.has(key)) places.set(key, await findTask(client, config, rollout));
    const found = places.get(key);
    const chance = found && { seed: found.seed, place: index - found.first };
    drawings.push(chance ? await drawEpisode(options, found.task, rollout, chance) : { problem: noTask });
  }
  return drawings;
}

/** A task, and the batch in which it was played: the seed of its chance, and the index of its first rollout. */
interface Place extends Pick<Chance, 'seed'> {
  readonly task: Task;
  readonly first: number;
}

/**
 * The task of a rollout, by its place in the validation or in its iteration. Where that had several refills, or more
 * rollouts than were sampled at once, chance is that of another episode.
 */
async function findTask(client: EnvironmentClient, config: RunConfig, rollout: DrawnRollout): Promise<Place | null> {
  const { iteration, index, group, taskId } = rollout;
  const { tasks: count, group: size } = config.rollout;
  const find = async (split: Split, seed: number, start: number, most = 1) => {
    const drawn = await client.tasks(split, seed, start, most, config.environment.options);
    return drawn.find(({ id }) => id === taskId) ?? null;
  };
  const answered = await find('validation', validationSeed, index);
  if (answered) return { task: answered, seed: seedOfEpisodes(validationSeed), first: 0 };
  if (iteration < 1) return null;
  const batch = firstBatch(config, iteration);
  const sampled = group < count && (await find('train', batch.taskSeed, batch.start + group));
  if (sampled) return { task: sampled, seed: seedOfEpisodes(batch.seed, iteration), first: 0 };
  for (let round = 0; round < config.filter.refill; round++) {
    const refill = refillBatch(config, iteration, round);
    const refilled = await find('train', refill.taskSeed, refill.start, count);
    if (refilled) return { task: refilled, seed: seedOfEpisodes(refill.seed, iteration), first: count * size };
  }
  return null;
}
