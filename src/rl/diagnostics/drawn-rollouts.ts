/** Pictures of logged rollouts: their tasks are drawn again by their places in the run, and their calls made again. */
import { canDraw, drawEpisode, type Drawing } from '../../agent/drawing';
import type { EnvironmentDescription } from '../../agent/env';
import { EnvironmentClient, type Split } from '../../agent/environment-client';
import { CallReader } from '../../agent/read-action';
import type { Sandbox } from '../../agent/sandbox';
import type { Task } from '../../agent/types';
import type { RunConfig } from '../../config/config';
import { toolFormats } from '../../text/tool-formats/by-name';
import { firstBatch, refillBatch } from '../rollouts/collect';
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
  const tasks = new Map<string, Task | null>();
  const drawings: Drawing[] = [];
  for (const rollout of rollouts) {
    if (!tasks.has(rollout.taskId)) tasks.set(rollout.taskId, await findTask(client, config, rollout));
    const task = tasks.get(rollout.taskId);
    drawings.push(task ? await drawEpisode(options, task, rollout) : { problem: noTask });
  }
  return drawings;
}

/** The task of a rollout, by its place in the validation or in its iteration. */
async function findTask(client: EnvironmentClient, config: RunConfig, rollout: DrawnRollout): Promise<Task | null> {
  const { iteration, index, group, taskId } = rollout;
  const { tasks: count } = config.rollout;
  const find = async (split: Split, seed: number, start: number, most = 1) => {
    const drawn = await client.tasks(split, seed, start, most, config.environment.options);
    return drawn.find(({ id }) => id === taskId) ?? null;
  };
  const answered = await find('validation', validationSeed, index);
  if (answered || iteration < 1) return answered;
  const sampled = group < count && (await find('train', config.seed, firstBatch(config, iteration).start + group));
  if (sampled) return sampled;
  for (let round = 0; round < config.filter.refill; round++) {
    const refilled = await find('train', config.seed, refillBatch(config, iteration, round).start, count);
    if (refilled) return refilled;
  }
  return null;
}
