/**
 * Question asked: where does the variance of a run come from, and how many seeds does a comparison need? A seed decides
 * the warm start, then tasks, sampling and the order of mini-batches. Four rows let one of them follow the seed alone,
 * and all else is that of seed 1. Only where runs repeat bit for bit can a single sampled action be changed alone.
 */
import type { ExperimentFile } from '../experiment/plan';

const row = (name: string, title: string, changes: Readonly<Record<string, string | number | boolean>> = {}) => ({
  name,
  title,
  kind: 'train' as const,
  changes,
});

/** The preset's warm start, for every seed. */
const oneStart = { 'warmStart.recorded': true };
const only = (seeded: string) => ({ ...oneStart, 'rollout.seeded': seeded });
const flipped = (iteration: number) => ({ ...only('none'), 'rollout.flip': iteration });

export const experiment: ExperimentFile = {
  name: 'variance',
  title: 'Where the variance of a run comes from',
  question:
    'What of a seed makes 20 runs differ? It decides the warm start, the tasks, what is sampled and the order of ' +
    'mini-batches. Each follows the seed in a row of its own, while all else is that of seed 1. In the last rows a ' +
    'seed decides one action, which is the same one on some seeds. RLOO has the seeds of GRPO: the differences, seed ' +
    'by seed, say how many runs a comparison of the two takes.',
  finding:
    'The warm start makes most of it in practice. The mean of sampled success over 12 iterations has a standard ' +
    'deviation of 3.2 points over 20 seeds of GRPO. It is 3.6 where the warm start alone follows the seed. From ' +
    'the recorded warm start it is 1.2 where the tasks follow it, 1.1 where sampling does, 0.2 where the order of ' +
    'mini-batches does, and below 0.1 where one action does (all but the last are known to within a half). Of ' +
    'greedy success at the end it is 3.3 (1.9 without two seeds), 2.0, and 0.5 to 1.0 with tasks, sampling or ' +
    'mini-batches. Two runs that differ in the order of mini-batches alone first sample other numbers of successes ' +
    'in iteration 4 to 9. In 18 of 38 runs (16 different ones) the one action is another one than on seed 1; from ' +
    'there on their bits differ, and yet in 15 (13) of them every later batch has as many successes and turns. A ' +
    'difference of one point in mean practice between two algorithms (80 % power at the 5 % level) takes about 170 ' +
    'seeds of each (100 to 365) with warm starts of their own, and 19 (12 to 40) from the recorded one, which is ' +
    'better than most, if both spread as GRPO does. In pairs of one seed it takes three or four, if the two are as ' +
    'alike as GRPO and RLOO, whose difference has a standard deviation of 0.3.',
  base: 'calculator-mini',
  reference: 'grpo',
  changes: { 'warmStart.recorded': false, iterations: 12, 'evaluation.tasks': 256, 'evaluation.every': 1000 },
  seeds: 20,
  rows: [
    row('grpo', 'GRPO, all follows the seed'),
    { ...row('rloo', 'RLOO, all follows the seed'), algorithm: 'rloo' },
    row('start', 'GRPO, the warm start alone follows the seed', { 'rollout.seeded': 'none' }),
    row('one-start', 'GRPO, all but the warm start follows the seed', oneStart),
    row('tasks', 'GRPO, tasks alone follow the seed', only('tasks')),
    row('sampling', 'GRPO, sampling alone follows the seed', only('sampling')),
    row('order', 'GRPO, the order of mini-batches alone follows the seed', only('mini-batches')),
    row('flip-1', 'GRPO, one action follows the seed, in iteration 1', flipped(1)),
    row('flip-4', 'GRPO, one action follows the seed, in iteration 4', flipped(4)),
  ],
};
