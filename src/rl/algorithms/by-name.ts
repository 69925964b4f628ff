/** The algorithms a RunConfig can name, and a config turned into one of them. */
import type { RunConfig } from '../config/config';
import type { Algorithm, AlgorithmSettings } from './algorithm';
import { biLevelPpo } from './bi-level-gae';
import { cispo } from './cispo';
import { dapo } from './dapo';
import { drGrpo } from './dr-grpo';
import { gigpo } from './gigpo';
import { gmpo } from './gmpo';
import { gpg } from './gpg';
import { grpo } from './grpo';
import { gspo } from './gspo';
import { opo } from './opo';
import { ppo } from './ppo';
import { reinforce } from './reinforce';
import { reinforcePp } from './reinforce-pp';
import { reinforcePpBaseline } from './reinforce-pp-baseline';
import { remax } from './remax';
import { rloo } from './rloo';
import { sapo } from './sapo';
import { stepPpo } from './step-ppo';

export const algorithms: Readonly<Record<RunConfig['algorithm']['name'], Algorithm>> = {
  grpo,
  'dr-grpo': drGrpo,
  dapo,
  gspo,
  cispo,
  sapo,
  gmpo,
  gigpo,
  rloo,
  opo,
  gpg,
  remax,
  reinforce,
  'reinforce-pp': reinforcePp,
  'reinforce-pp-baseline': reinforcePpBaseline,
  ppo,
  'step-ppo': stepPpo,
  'bi-level-gae': biLevelPpo,
};

/** What an algorithm has no opinion of. Updates a batch, masks, entropy bonus and mistakes are the person's alone. */
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
} as const satisfies AlgorithmSettings;

/** What an algorithm sets in a config: its own settings, and neutral ones where it has none. */
export function algorithmSettings(name: RunConfig['algorithm']['name']): Required<AlgorithmSettings> {
  const { defaults } = algorithms[name];
  return {
    algorithm: { ...neutral.algorithm, ...defaults.algorithm, name },
    filter: { ...neutral.filter, ...defaults.filter },
    shaping: { ...neutral.shaping, ...defaults.shaping },
    optimizer: { ...neutral.optimizer, ...defaults.optimizer },
  };
}

/** The config with another algorithm under its own settings; what no algorithm decides stays as it is. */
export function withAlgorithm(config: RunConfig, name: RunConfig['algorithm']['name']): RunConfig {
  const { algorithm, filter, shaping, optimizer } = algorithmSettings(name);
  return {
    ...config,
    algorithm: { ...config.algorithm, ...algorithm },
    filter: { ...config.filter, ...filter },
    shaping: { ...config.shaping, ...shaping },
    optimizer: { ...config.optimizer, ...optimizer },
  };
}
