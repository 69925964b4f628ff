/**
 * Question asked: who gets the credit in a long and slippery episode? A walk has up to sixteen moves, one in 20 slips,
 * and only arriving is rewarded. Places repeat exactly, which is what GiGPO compares moves by.
 */
import type { AlgorithmName } from '../../algorithms/table';
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';
import type { ExperimentFile } from '../experiment/plan';

/** The learning rates that `lake-rates` found best, where they are not the preset's. */
const rates: Partial<Record<AlgorithmName, number>> = { gigpo: 1.6e-3, rloo: 1.6e-3, 'step-ppo': 1.6e-3 };

export const experiment: ExperimentFile = {
  name: 'lake',
  title: 'Methods on the frozen lake',
  question:
    'Which algorithm finds the moves that matter when only the end of a walk is rewarded, lakes differ in difficulty ' +
    'within a batch, and one move in 20 slips? Walks of one group slip at different moves. Batches are small: 64 ' +
    'walks. Each learns at the rate at which its area under sampled success was largest on another seed (of four, ' +
    '`lake-rates`).',
  finding:
    'Every algorithm learns to go round holes, and they differ little: each ends between 73.8 and 77.7 % (means of ' +
    'five seeds), where a reflex that never turns round solves 41.4 % and the best moves 89.8. Practice, the area ' +
    'under sampled success, is lower than GRPO’s (67.6) under PPO, StepPO, REINFORCE and GSPO on four seeds of five ' +
    '(means 65.0, 65.6, 65.7 and 67.3). PPO and StepPO lose it in the first 3 or 4 iterations, in which their critic ' +
    'learns alone: without these they are level or above (by 0.1 and 1.1 points). PPO ends above GRPO on four seeds ' +
    'and level on one, by at most six tasks of 256. Slips are drawn for each walk, as GiGPO’s groups of equal places ' +
    'need it, but these bring nothing that shows: its practice is between 0.5 points below GRPO’s and 2.3 above, its ' +
    'ends between 13 tasks below and 10 above. The critics of PPO and StepPO explain hardly anything of the variance ' +
    'of returns (medians .01 to .04), so nothing follows about critics.',
  paper: {
    source: 'GiGPO (arXiv 2505.10978), on ALFWorld with a 1.5B model',
    finding: 'groups of equal states beside groups of rollouts raise success from 72.8 (GRPO) to 86.7 %.',
  },
  base: 'frozen-lake',
  reference: 'grpo',
  changes: {
    'warmStart.recorded': false,
    iterations: 40,
    'rollout.tasks': 8,
    'evaluation.tasks': 256,
    'evaluation.every': 1000,
  },
  seeds: 5,
  rows: [
    { name: 'random', title: 'Random moves (scripted)', kind: 'script', policy: 'random' },
    { name: 'reflex', title: 'Reflex (scripted)', kind: 'script', policy: 'reflex' },
    { name: 'oracle', title: 'Best moves (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    ...comparedAlgorithms.map((name) =>
      algorithmRow(name, { changes: { 'optimizer.learningRate': rates[name] ?? 8e-4 } }),
    ),
  ],
};
