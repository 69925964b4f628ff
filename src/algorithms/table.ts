/** Every algorithm, by its name in a config. Whatever lists algorithms or their estimators reads this table. */
import type { Algorithm, Column } from './algorithm';
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

const table = {
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

export type AlgorithmName = keyof typeof table;

export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = table;

export const algorithmNames = (): AlgorithmName[] => Object.keys(algorithms) as AlgorithmName[];

/** What the page says of an algorithm. */
export interface AlgorithmInfo {
  readonly title: string;
  readonly kind: Column['kind'];
  /** What it compares a reward with, in a sentence. */
  readonly baseline: string;
}

export function aboutAlgorithms(): Record<AlgorithmName, AlgorithmInfo> {
  const about = ({ title, columns: [{ kind, about }] }: Algorithm): AlgorithmInfo => ({
    title,
    kind,
    baseline: `${title}: ${about}`,
  });
  const entries = Object.entries(algorithms).map(([name, algorithm]) => [name, about(algorithm)]);
  return Object.fromEntries(entries) as Record<AlgorithmName, AlgorithmInfo>;
}
