/**
 * Question asked: does every algorithm find the arm that pays, from noisy pay alone? The paper has no such task; here
 * it is the check that each works at all where credit is easy.
 */
import type { ExperimentFile } from '../experiment/plan';

export const experiment: ExperimentFile = {
  name: 'bandit',
  title: 'Every algorithm on the two-armed bandit',
  question:
    'Does every algorithm find the arm that pays, from noisy pay alone? Every held-out task has the same prompt, so a greedy agent solves all or none: success is one bit a seed.',
  base: 'bandit',
  changes: { 'warmStart.recorded': false, 'evaluation.every': 1000 },
  rows: [
    { name: 'oracle', title: 'Oracle (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    { name: 'grpo', title: 'GRPO', kind: 'train', algorithm: 'grpo' },
    { name: 'dr-grpo', title: 'Dr.GRPO', kind: 'train', algorithm: 'dr-grpo' },
    { name: 'dapo', title: 'DAPO', kind: 'train', algorithm: 'dapo' },
    { name: 'gspo', title: 'GSPO', kind: 'train', algorithm: 'gspo' },
    { name: 'cispo', title: 'CISPO', kind: 'train', algorithm: 'cispo' },
    { name: 'sapo', title: 'SAPO', kind: 'train', algorithm: 'sapo' },
    { name: 'gmpo', title: 'GMPO', kind: 'train', algorithm: 'gmpo' },
    { name: 'gigpo', title: 'GiGPO', kind: 'train', algorithm: 'gigpo' },
    { name: 'rloo', title: 'RLOO', kind: 'train', algorithm: 'rloo' },
    { name: 'opo', title: 'OPO', kind: 'train', algorithm: 'opo' },
    { name: 'gpg', title: 'GPG', kind: 'train', algorithm: 'gpg' },
    { name: 'remax', title: 'ReMax', kind: 'train', algorithm: 'remax' },
    { name: 'reinforce', title: 'REINFORCE', kind: 'train', algorithm: 'reinforce' },
    { name: 'reinforce-pp', title: 'REINFORCE++', kind: 'train', algorithm: 'reinforce-pp' },
    {
      name: 'reinforce-pp-baseline',
      title: 'REINFORCE++ with baseline',
      kind: 'train',
      algorithm: 'reinforce-pp-baseline',
    },
    { name: 'ppo', title: 'PPO', kind: 'train', algorithm: 'ppo' },
    { name: 'step-ppo', title: 'StepPO', kind: 'train', algorithm: 'step-ppo' },
    { name: 'bi-level-gae', title: 'PPO with bi-level GAE', kind: 'train', algorithm: 'bi-level-gae' },
  ],
};
