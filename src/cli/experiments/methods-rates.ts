/** Question asked: at which rate does each algorithm of `methods` learn best? Its seed is in no other table. */
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';
import type { ExperimentFile } from '../experiment/plan';
import { experiment as methods } from './methods';

export const experiment: ExperimentFile = {
  name: 'methods-rates',
  title: 'Learning rates for the methods on multi-hop questions',
  question: 'At which of five learning rates does each algorithm learn multi-hop questions best?',
  finding:
    'Of five rates 1.6e-3 is best for every algorithm but PPO, whose best is 8e-4: by the area under sampled ' +
    'success (80 % for StepPO, 91 to 92 for the others, 82 for PPO), of rates that end at most two points below ' +
    'the best. No best rate is at the edge of the grid. At 6.4e-3 all end at 0 to 76 %, those without a critic ' +
    'after at least 90 % of practice by iteration 3. It is one seed: on others REINFORCE’s best rate fails on two ' +
    'of five (`methods`).',
  base: methods.base,
  reference: 'grpo-lr-0-0008',
  changes: methods.changes,
  grid: { lr: [4e-4, 8e-4, 1.6e-3, 3.2e-3, 6.4e-3] },
  seeds: [11],
  rows: comparedAlgorithms.map((name) => algorithmRow(name)),
};
