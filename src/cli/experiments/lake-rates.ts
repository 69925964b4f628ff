/** Question asked: at which learning rate does each algorithm of `lake` learn best? Its seed is in no other table. */
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';
import type { ExperimentFile } from '../experiment/plan';
import { experiment as lake } from './lake';

export const experiment: ExperimentFile = {
  name: 'lake-rates',
  title: 'Learning rates for the methods on the frozen lake',
  question:
    'At which of four learning rates does each algorithm learn to cross the frozen lake best? Walks may take 16 ' +
    'moves here, four more than in the preset.',
  finding:
    'The area under practice is largest at 1.6e-3 for GiGPO, RLOO and StepPO and at 8e-4 for the others, so none ' +
    'is at the edge of the grid. It is one seed: for REINFORCE, StepPO and PPO the next rate is within one point.',
  base: lake.base,
  reference: 'grpo-lr-0-0008',
  changes: lake.changes,
  grid: { lr: [4e-4, 8e-4, 1.6e-3, 3.2e-3] },
  seeds: [11],
  rows: comparedAlgorithms.map((name) => algorithmRow(name)),
};
