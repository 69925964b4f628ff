/** The batches of rollouts that an iteration samples: their tasks and their chance, functions of seed and iteration. */
import { bits, Purpose } from '../../lib/rng';
import type { RunConfig } from '../../config/config';

/** Refills use tasks from far up the training list, which neither iterations nor demonstrations reach. */
const firstRefill = 1 << 29;

/** Stands for the run’s seed in what `rollout.seeded` leaves out. */
const sharedSeed = 1;

/** The seed of a part of reinforcement: tasks, chance in rollouts, or the order of mini-batches. */
export const seedOf = (
  part: 'tasks' | 'sampling' | 'mini-batches',
  { seed, rollout: { seeded } }: RunConfig,
): number => (seeded === 'all' || seeded === part ? seed : sharedSeed);

/** The training list of a batch of rollouts, where its tasks begin there, and the seed that it is sampled with. */
export interface Batch {
  readonly taskSeed: number;
  readonly start: number;
  readonly seed: number;
}

/** What an iteration samples first. */
export function firstBatch(config: RunConfig, iteration: number): Batch {
  const start = (iteration - 1) * config.rollout.tasks;
  return { taskSeed: seedOf('tasks', config), start, seed: seedOf('sampling', config) };
}

/** What it samples in place of groups without signal. @param round 0 … refill − 1 */
export function refillBatch(config: RunConfig, iteration: number, round: number): Batch {
  const { rollout, filter } = config;
  return {
    taskSeed: seedOf('tasks', config),
    start: firstRefill + ((iteration - 1) * filter.refill + round) * rollout.tasks,
    seed: bits(seedOf('sampling', config), Purpose.refill, iteration, round),
  };
}
