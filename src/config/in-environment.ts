/** A config in another environment. Pure. */
import type { EnvironmentDescription } from '../agent/env';
import { withProposedLimits } from '../lib/proposed-limits';
import type { RunConfig } from './config';

/**
 * The config with the options, reward weights and limits that its environment declares.
 * @param before weights and options that stay where the environment has them still
 * @param standard limits in which the config differs from this one were set by a person and stay; null: none was
 */
export function inEnvironment(
  config: RunConfig,
  { rewards, options, limits }: EnvironmentDescription,
  before: Pick<RunConfig, 'environment' | 'rewards'> | null = null,
  standard: RunConfig | null = null,
): RunConfig {
  const chosen = options.map(({ name, values, default: usual }) => {
    return [name, values.find((value) => value === before?.environment.options[name]) ?? usual] as const;
  });
  const weights = Object.entries(rewards).map(([name, { weight }]) => [name, before?.rewards[name] ?? weight] as const);
  return {
    ...withProposedLimits(config, limits, standard),
    environment: { ...config.environment, options: Object.fromEntries(chosen) },
    rewards: Object.fromEntries(weights),
  };
}
