/** A run's config with another reward. */
import type { EnvironmentDescription } from '../agent/env';
import type { RunConfig } from './config';

/** By the names of terms. */
export type RewardWeights = Readonly<Record<string, number>>;

/** A reward that differs from a run's. */
export interface RewardChange {
  /** Weights of the terms that differ. */
  readonly weights: RewardWeights;
  /** The environment's module, if its code differs. */
  readonly source?: string;
}

/** Weights and options stay where the environment has them still. @param description of the changed environment */
export function withReward(
  config: RunConfig,
  { weights, source }: RewardChange,
  description: EnvironmentDescription,
): RunConfig {
  const declared = Object.entries({ ...config.rewards, ...weights }).filter(([name]) =>
    Object.hasOwn(description.rewards, name),
  );
  const rewards = Object.fromEntries(declared);
  if (source === undefined) return { ...config, rewards };
  const options = Object.entries(config.environment.options).filter(([name, chosen]) =>
    description.options.some((option) => option.name === name && option.values.includes(chosen)),
  );
  const environment = { ...config.environment, name: 'own', source, options: Object.fromEntries(options) };
  return { ...config, rewards, environment };
}
