/** The batches of rollouts that an iteration samples: their tasks and their chance, functions of seed and iteration. */
import { bits, Purpose } from '../../lib/rng';
import type { RunConfig } from '../../config/config';

/** Refills use tasks from far up the training list, which neither iterations nor demonstrations reach. */
const firstRefill = 1 << 29;

/** Stands for the run’s seed in what `rollout.seeded` leaves out. */
const sharedSeed = 1;

/** The training list of a batch of rollouts, where its tasks begin there, and the seed that it is sampled with. */
export interface Batch {
  readonly taskSeed: number;
  readonly start: number;
  readonly seed: number;
}

/** The seed of a run's training list. */
export const taskSeedOf = ({ seed, rollout: { seeded } }: RunConfig): number =>
  seeded === 'both' || seeded === 'tasks' ? seed : sharedSeed;

const samplingSeedOf = ({ seed, rollout: { seeded } }: RunConfig): number =>
  seeded === 'both' || seeded === 'sampling' ? seed : sharedSeed;

/** What an iteration samples first. */
export function firstBatch(config: RunConfig, iteration: number): Batch {
  const start = (iteration - 1) * config.rollout.tasks;
  return { taskSeed: taskSeedOf(config), start, seed: samplingSeedOf(config) };
}

/** What it samples in place of groups without signal. @param round 0 … refill − 1 */
export function refillBatch(config: RunConfig, iteration: number, round: number): Batch {
  const { rollout, filter } = config;
  return {
    taskSeed: taskSeedOf(config),
    start: firstRefill + ((iteration - 1) * filter.refill + round) * rollout.tasks,
    seed: bits(samplingSeedOf(config), Purpose.refill, iteration, round),
  };
}
