/**
 * Question asked: does every algorithm find the arm that pays, from noisy pay alone? The paper has no such task; here
 * it is the check that each works at all where credit is easy.
 */
import { algorithmNames } from '../../algorithms/table';
import type { ExperimentFile } from '../experiment/plan';
import { algorithmRow } from '../experiment/algorithm-row';

export const experiment: ExperimentFile = {
  name: 'bandit',
  title: 'Every algorithm on the two-armed bandit',
  question:
    'Does every algorithm find the arm that pays, from noisy pay alone? Held-out prompts differ by a number alone, ' +
    'which says nothing of the arms, so a greedy agent mostly solves all or none.',
  finding:
    'Every algorithm ends at the arm on all five seeds, the warm start on two. From iteration 4 on each without a ' +
    'critic samples it in at least 73 % of cases. Those with one (PPO, StepPO, PPO with bi-level GAE) do so in at ' +
    'least 76 % from iteration 8 on: their critic learns alone at first. The critics of PPO and bi-level GAE ' +
    'explain at most .11 of the variance of returns from iteration 5 on and at most .04 from iteration 8 on ' +
    '(medians by iteration), StepPO’s none: a prompt does not tell what an arm will pay.',
  base: 'bandit',
  changes: { 'warmStart.recorded': false, 'evaluation.every': 1000 },
  rows: [
    { name: 'oracle', title: 'Oracle (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    ...algorithmNames().map((name) => algorithmRow(name)),
  ],
};
