/**
 * Question asked: where does the variance of a run come from, and how many seeds does a comparison need? A seed decides
 * the warm start, the order of tasks and the sampled tokens. The preset's recorded warm start is the same for all
 * seeds, so its row leaves the order and the tokens. Rows with warm starts of their own share them, seed by seed.
 */
import type { ExperimentFile } from '../experiment/plan';

const row = (name: string, title: string, changes: Readonly<Record<string, string | number | boolean>> = {}) => ({
  name,
  title,
  kind: 'train' as const,
  changes,
});

export const experiment: ExperimentFile = {
  name: 'variance',
  title: 'Where the variance of a run comes from',
  question:
    'How much do 20 runs differ that share everything but their seed, stopped while they still learn? A seed decides ' +
    'the warm start, the order of tasks and what is sampled. In the second row all seeds begin with one warm start. ' +
    'The third changes the algorithm: its differences from the first, seed by seed, share all that a seed decides ' +
    'up to the first update.',
  base: 'calculator-mini',
  reference: 'grpo',
  changes: { 'warmStart.recorded': false, iterations: 4, 'evaluation.tasks': 256, 'evaluation.every': 1000 },
  seeds: 20,
  rows: [
    row('grpo', 'GRPO, a warm start for each seed'),
    row('one-start', 'GRPO, one warm start for all seeds', { 'warmStart.recorded': true }),
    { ...row('rloo', 'RLOO, a warm start for each seed'), algorithm: 'rloo' },
  ],
};
