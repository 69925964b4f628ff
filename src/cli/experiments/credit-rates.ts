/**
 * Question asked: at which learning rate does each algorithm of `credit` learn best, with 8 and with 32 doors? Its seed
 * is in no other table.
 */
import type { ExperimentFile } from '../experiment/plan';
import { experiment as credit } from './credit';

export const experiment: ExperimentFile = {
  name: 'credit-rates',
  title: 'Learning rates along a corridor',
  question: 'At which of five learning rates does each algorithm learn the doors of a corridor of 8 or 32 best?',
  finding:
    'By the area under practice with 8 doors 0.002 is best for GRPO, GiGPO and StepPO; PPO with λ 1 is 0.3 points ' +
    'better at 0.004, and with λ 0.9 0.6 points better at 0.001. With 32 doors 0.002 is best for GRPO and StepPO, ' +
    'and GiGPO is 0.2 points better at 0.004; PPO is better at 0.001, by 3.4 points with λ 1 and by 2.1 with λ ' +
    '0.9. At no rate is PPO with λ 0.9 above 58 there, where GRPO has 64 to 73 at the three lowest. At 0.008 each ' +
    'is at its worst. One seed.',
  base: credit.base,
  reference: 'grpo-8-lr-0-001',
  changes: credit.changes,
  grid: { lr: [5e-4, 1e-3, 2e-3, 4e-3, 8e-3] },
  seeds: [11],
  rows: credit.rows?.filter(({ reference }) => reference !== 'grpo-2').map((row) => ({ ...row, reference: undefined })),
};
