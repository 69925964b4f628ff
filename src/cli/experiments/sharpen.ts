/**
 * Question asked: does reinforcement only sharpen what imitation left, or does it bring what no number of samples
 * would? Pass@k tells the two apart: sharpening raises pass@1 alone, and at many attempts the warm start is as good or
 * better.
 */
import { builtInEnvironments } from '../../environments/built-in';
import { assert } from '../../lib/assert';
import type { ExperimentFile } from '../experiment/plan';

/** Of demonstrations that call the tool before they answer, in percent. */
const shares = [0.5, 2, 5, 15, 40];

/** The calculator with another share of hasty demonstrations, as an environment of one's own. */
function calculatorThatShows(percent: number): string {
  const { calculator } = builtInEnvironments;
  const source = calculator.replace(/^const haste = [\d.]+;$/m, `const haste = ${(100 - percent) / 100};`);
  assert(percent === 40 || source !== calculator, 'the calculator has no share of hasty demonstrations.');
  return source;
}

export const experiment: ExperimentFile = {
  name: 'sharpen',
  title: 'Pass@k before and after reinforcement',
  question:
    'Of the demonstrations 0.5 to 40 % call the tool, the others answer at once and wrongly. How often does one of ' +
    'k attempts solve a task, before reinforcement and after it?',
  finding:
    'Where 40 % of demonstrations call, reinforcement sharpens: pass@1 rises from 41 to 97 %, and from 16 attempts ' +
    'on the warm start is as good (both 99.6 %). At 15 % pass@1 rises from 13 to 92 %, and pass@256 is 98.8 % ' +
    'before and 99.7 % after, the same on eight of ten seeds. At 5 % the warm start has not caught up at 256 ' +
    'attempts: pass@1 rises from 2 to 38 %, and 256 attempts solve 87 % of the tasks after it where they solved 71 ' +
    '% before, more on nine of ten seeds and as many on one. At 2 % it has hardly begun after 24 iterations of 128 ' +
    'rollouts: pass@1 is at most 3 % on every seed, and pass@256 rises on five of ten and falls on one (means 11 ' +
    'and 20 %). At 0.5 % nothing changes but one attempt of 8192, on one seed.',
  base: 'calculator-mini',
  reference: 'shown-40',
  changes: {
    'warmStart.recorded': false,
    'warmStart.demonstrations': 3000,
    iterations: 24,
    'evaluation.tasks': 32,
    'evaluation.every': 1000,
  },
  seeds: 10,
  rows: shares.map((share) => ({
    name: `shown-${String(share).replace('.', '-')}`,
    title: `${share} % of demonstrations call`,
    kind: 'train' as const,
    attempts: 256,
    changes: { 'environment.name': 'calculator-shown', 'environment.source': calculatorThatShows(share) },
  })),
};
