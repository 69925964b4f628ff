/** Scripted play as trajectories: demonstrations to imitate, and scripted policies to compare an agent with. */
import { demonstrationTrajectories } from '../../agent/demonstrations';
import type { Task, Trajectory } from '../../agent/types';
import { loopOptions, type RunSetup } from './setup';

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
  const { config, client, model, format, description } = setup;
  return demonstrationTrajectories(await client.demonstrate(tasks, config.seed, policy, beforeSubmit), setup.loop(), {
    tokenizer: model.tokenizer,
    format,
    tools: description.tools,
    contextLength: config.model.context,
    ...loopOptions(setup, { temperature: 1, seed: config.seed }),
    ...(beforeSubmit && { beforeSubmit }),
  });
}
