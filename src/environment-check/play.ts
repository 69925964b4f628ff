/** Plays scripts through the run's own loop and tools, without a GPU and without the run's limits of length. */
import { demonstrationTrajectories } from '../agent/demonstrations';
import type { EnvironmentClient } from '../agent/environment-client';
import type { Task, Trajectory } from '../agent/types';
import { loopOptions, type RunSetup } from '../rl/rollouts/setup';

/** Without limits, so that a text that is too long is measured and reported, not cut. */
export const boundless = { maxTurns: 64, maxTokens: 1 << 20, contextLength: 1 << 30 };

export function playOptions(setup: RunSetup) {
  const { config, model, format, description } = setup;
  const { tokenizer } = model;
  const { maxTurns, maxTokens, contextLength } = boundless;
  const loop = loopOptions(setup, { temperature: 1, maxTokens, seed: config.seed });
  return { ...loop, tokenizer, format, tools: description.tools, contextLength, maxTurns };
}

/** @param policy a script's name; the demonstrations if undefined */
export async function playScript(
  setup: RunSetup,
  client: EnvironmentClient,
  tasks: readonly Task[],
  policy: string | undefined,
): Promise<Trajectory[]> {
  const demonstrations = await client.demonstrate(tasks, setup.config.seed, policy);
  return demonstrationTrajectories(demonstrations, setup.loop(), playOptions(setup));
}
