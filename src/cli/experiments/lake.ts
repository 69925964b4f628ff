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
    'Which algorithm finds the moves that matter when only the end of a walk is rewarded, lakes differ in ' +
    'difficulty within a batch, and one move in 20 slips? Walks of one group slip at different moves. Batches are ' +
    'small: 64 walks. Each learns at the rate at which its area under sampled success was largest on another seed ' +
    '(of four, `lake-rates`). Walks may take 16 moves here, four more than in the preset.',
  finding:
    'Every algorithm learns to go round holes, and they differ little: each ends between 84.5 and 87.2 % (means of ' +
    'five seeds), where a reflex that turns round only in a dead end solves 44.9 % and the best moves 93.4. ' +
    'Practice, the area under sampled success, is lower than GRPO’s (75.2) under PPO, StepPO, REINFORCE and ' +
    'REINFORCE++ on each of five seeds (means 70.3, 72.3, 72.7 and 74.2; for REINFORCE++ by as little as 0.2); ' +
    'under GSPO, RLOO and GiGPO it is lower on two or three of them. The critics of PPO and StepPO learn alone in ' +
    'the first four iterations. From iteration 11 on PPO still practises 1.8 to 5.9 points below GRPO, StepPO 5.6 ' +
    'below to 1.0 above; StepPO ends above GRPO on each seed, by 1 to 15 tasks of 256, which is within noise on ' +
    'two. Their critics explain at most .18 of the variance of returns, from iteration 9 on at most .08 (medians ' +
    'by iteration), so nothing follows about good critics. Five seeds show no sure gain of GiGPO over GRPO: its ' +
    'practice is between 3.0 points below and 4.1 above, its ends between 10 tasks below and 8 above. They also ' +
    'differ in discount, clip and rate, so this does not isolate GiGPO’s groups of equal places. It alone ' +
    'discounts, and its walks are the shortest of all algorithms (7.8 moves, 8.9 with GRPO).',
  paper: {
    source: 'GiGPO (arXiv 2505.10978), on ALFWorld with a 1.5B model',
    finding: 'groups of equal states beside groups of rollouts raise success from 72.8 (GRPO) to 86.7 %.',
  },
  base: 'frozen-lake',
  reference: 'grpo',
  changes: {
    'environment.options.daylight': 16,
    'warmStart.recorded': false,
    iterations: 40,
    'rollout.tasks': 8,
    'evaluation.tasks': 256,
    'evaluation.every': 1000,
  },
  seeds: 5,
  rows: [
    { name: 'random', title: 'Random moves (scripted)', kind: 'script', policy: 'random' },
    { name: 'reflex', title: 'Reflex (scripted)', kind: 'script', policy: 'first-open' },
    { name: 'oracle', title: 'Best moves (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    ...comparedAlgorithms.map((name) =>
      algorithmRow(name, { changes: { 'optimizer.learningRate': rates[name] ?? 8e-4 } }),
    ),
  ],
};
