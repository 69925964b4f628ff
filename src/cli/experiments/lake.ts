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
    'within a batch, and one move in ten slips? Batches are small: 64 walks. Of three learning rates the preset’s is ' +
    'the best for each algorithm (`lake-rates`): it has the largest area under sampled success, of those that end at ' +
    'most two points below the best.',
  finding:
    'All end between 79.5 and 81.3 %, where the best moves solve 85.9 %. But a reflex that never plans (the first of ' +
    'down, right, left and up that is ice, and never back) solves 80.5 % of these lakes, so the table cannot tell ' +
    'algorithms apart. Slips are drawn from the task and the number of the move: all walks of a group slip alike, so ' +
    'the noise that GiGPO’s groups of equal places average out is missing. Nothing follows about GiGPO. The critics ' +
    'of PPO and StepPO explained nothing (engine 0.8.0), so nothing follows about them either.',
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
    { name: 'oracle', title: 'Best moves (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    ...comparedAlgorithms.map((name) => algorithmRow(name)),
  ],
};
