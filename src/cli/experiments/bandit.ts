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
    'Does every algorithm find the arm that pays, from noisy pay alone? Every held-out task has the same prompt, ' +
    'so a greedy agent solves all or none: success is one bit a seed.',
  finding: 'every algorithm finds the arm on all five seeds, after at most five iterations.',
  base: 'bandit',
  changes: { 'warmStart.recorded': false, 'evaluation.every': 1000 },
  rows: [
    { name: 'oracle', title: 'Oracle (scripted)', kind: 'script', policy: 'oracle' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    ...algorithmNames().map((name) => algorithmRow(name)),
  ],
};
