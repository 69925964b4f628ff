/** Every algorithm, by its name in a config. Whatever lists algorithms or their estimators reads this table. */
import type { Algorithm } from './algorithm';
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

/** What each algorithm compares a reward with, in a sentence for the page. */
export function baselines(): Record<AlgorithmName, string> {
  const sentence = ({ title, columns }: Algorithm) => `${title}: ${columns[0].about}`;
  const entries = Object.entries(algorithms).map(([name, algorithm]) => [name, sentence(algorithm)]);
  return Object.fromEntries(entries) as Record<AlgorithmName, string>;
}
