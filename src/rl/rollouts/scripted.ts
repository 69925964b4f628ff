/** Scripted play as trajectories: demonstrations to imitate, and scripted policies to compare an agent with. */
import { demonstrationTrajectories } from '../../agent/demonstrations';
import type { Demonstration } from '../../agent/env';
import type { Task, Trajectory } from '../../agent/types';
import { loopOptions, type RunSetup } from './setup';

/** Demonstrations use tasks from far up the training list, which no rollout reaches. */
export const firstDemonstration = 1 << 30;

/**
 * One trajectory a task, in their order: a demonstration, or the play of the named policy.
 * @throws a sentence if there is no such policy, or if it does not fit the run's turns and tokens
 */
export async function scriptedTrajectories(
  setup: RunSetup,
  tasks: readonly Task[],
  policy?: string,
  beforeSubmit?: () => Promise<void>,
): Promise<Trajectory[]> {
  const { seed } = setup.config;
  const demonstrations = await setup.client.demonstrate(tasks, seed, policy, beforeSubmit);
  return playedTrajectories(setup, demonstrations, seed, beforeSubmit);
}

/** @param seed of the world's chance */
export function playedTrajectories(
  setup: RunSetup,
  demonstrations: readonly Demonstration[],
  seed: number,
  beforeSubmit?: () => Promise<void>,
): Promise<Trajectory[]> {
  const { config, model, format, description } = setup;
  return demonstrationTrajectories(demonstrations, setup.loop(), {
    tokenizer: model.tokenizer,
    format,
    tools: description.tools,
    contextLength: config.model.context,
    ...loopOptions(setup, { temperature: 1, seed }),
    ...(beforeSubmit && { beforeSubmit }),
  });
}
