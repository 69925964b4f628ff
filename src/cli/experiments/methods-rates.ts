/** Question asked: at which rate does each algorithm of `methods` learn best? Its seed is in no other table. */
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';
import type { ExperimentFile } from '../experiment/plan';
import { experiment as methods } from './methods';

export const experiment: ExperimentFile = {
  name: 'methods-rates',
  title: 'Learning rates for the methods on multi-hop questions',
  question: 'At which of five learning rates does each algorithm learn multi-hop questions best?',
  base: methods.base,
  reference: 'grpo-lr-0-0008',
  changes: methods.changes,
  grid: { lr: [4e-4, 8e-4, 1.6e-3, 3.2e-3, 6.4e-3] },
  seeds: [11],
  rows: comparedAlgorithms.map((name) => algorithmRow(name)),
};
