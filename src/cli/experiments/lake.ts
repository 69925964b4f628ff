/**
 * Question asked: who gets the credit in a long and slippery episode? A walk has up to ten moves, one in ten slips, and
 * only arriving is rewarded. Places repeat exactly, which is what GiGPO compares moves by.
 */
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';
import type { ExperimentFile } from '../experiment/plan';

export const experiment: ExperimentFile = {
  name: 'lake',
  title: 'Methods on the frozen lake',
  question:
    'Which algorithm finds the moves that matter when only the end of a walk is rewarded, lakes differ in difficulty ' +
    'within a batch, and one move in ten slips, for each walk of a group elsewhere? Batches are small: 64 walks. All ' +
    'learn at the preset’s rate. Of four it has the largest area under sampled success for each algorithm but GiGPO, ' +
    'whose area at twice the rate is one point larger, and which ends four points lower there (`lake-rates`).',
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
    ...comparedAlgorithms.map((name) => algorithmRow(name)),
  ],
};
