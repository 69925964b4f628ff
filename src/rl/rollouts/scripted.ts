/**
 * Scripted play as trajectories: demonstrations to imitate, and an environment's scripted policies to compare an agent
 * with. Trains nothing.
 */
import { demonstrationTrajectories } from '../../agent/demonstrations';
import type { Task, Trajectory } from '../../agent/types';
import { stopTokens } from '../../text/chat-template';
import { rewardWeights, type RunSetup } from './setup';

/**
 * One trajectory a task, in their order: a demonstration each, or the play of the policy of that name. Throws a
 * sentence if there is none, or if it does not fit the run's turns and tokens.
 */
export async function scriptedTrajectories(
  setup: RunSetup,
  tasks: readonly Task[],
  policy?: string,
  beforeSubmit?: () => Promise<void>,
): Promise<Trajectory[]> {
  const { config, client, tokenizer, format, description } = setup;
  const { maxTurns, maxTokens } = config.rollout;
  return demonstrationTrajectories(await client.demonstrate(tasks, config.seed, policy, beforeSubmit), setup.loop(), {
    tokenizer,
    format,
    tools: description.tools,
    contextLength: config.model.context,
    maxTurns,
    rewardWeights: rewardWeights(setup),
    ...(beforeSubmit && { beforeSubmit }),
    sampling: { temperature: 1, topK: 0, topP: 1, maxTokens, stopTokens, seed: config.seed, iteration: 0 },
  });
}
