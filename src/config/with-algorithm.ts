/** What an algorithm sets in a config, and what its estimator reads of one. */
import type { AlgorithmDefaults, AlgorithmSettings } from '../algorithms/algorithm';
import { algorithmNames, algorithms, type AlgorithmName } from '../algorithms/table';
import type { RunConfig } from './config';
import { withSettings } from './edit';

/** Values of the settings that an algorithm does not name. Updates a batch, masks and mistakes stay the user's. */
const neutral = {
  algorithm: {
    clipLow: 0.2,
    clipHigh: 0.2,
    dualClip: 3,
    normalizeStd: true,
    klCoefficient: 0,
    klPlace: 'loss',
    klEstimator: 'k3',
    klTarget: 0,
    gamma: 1,
    lambda: 0.95,
    turnGamma: 1,
    gaeAcross: 'episode',
    stepWeight: 1,
    aggregation: 'token-mean',
  },
  filter: { strategy: 'none', refill: 0 },
  shaping: { process: 'as-given', overlong: 0 },
  optimizer: { fresh: true },
  critic: { network: 'shared', learningRate: 1e-2, epochs: 4, warmup: 4 },
} as const satisfies AlgorithmDefaults;

/** What an algorithm sets in a config: its own settings, and neutral ones where it has none. */
export function algorithmDefaults(name: AlgorithmName): Required<AlgorithmDefaults> {
  const { defaults = {} } = algorithms[name];
  return {
    algorithm: { ...neutral.algorithm, ...defaults.algorithm },
    filter: { ...neutral.filter, ...defaults.filter },
    shaping: { ...neutral.shaping, ...defaults.shaping },
    optimizer: { ...neutral.optimizer, ...defaults.optimizer },
    critic: { ...neutral.critic, ...defaults.critic },
  };
}

/** What each algorithm sets in a config that is switched to it. */
export function allDefaults(): Record<AlgorithmName, Required<AlgorithmDefaults>> {
  const entries = algorithmNames().map((name) => [name, algorithmDefaults(name)] as const);
  return Object.fromEntries(entries) as ReturnType<typeof allDefaults>;
}

/** The config with another algorithm under its own settings; what no algorithm decides stays as it is. */
export const withAlgorithm = (config: RunConfig, name: AlgorithmName): RunConfig =>
  withSettings(config, name, algorithmDefaults(name));

/** The settings of the run's estimator. Its rewards have the over-long penalty already. */
export function estimatorSettings({ algorithm, shaping, mistakes }: RunConfig): AlgorithmSettings {
  const { gamma, lambda, turnGamma, gaeAcross, stepWeight, normalizeStd } = algorithm;
  return {
    gamma,
    lambda,
    turnGamma,
    gaeAcross,
    stepWeight,
    normalizeStd,
    perSource: shaping.process === 'per-source',
    creditReset: mistakes.creditReset,
    overlong: null,
  };
}
