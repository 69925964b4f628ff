/**
 * Question asked: what makes an agent carry on one step beyond its practice: more lengths in practice, or another
 * prompt? The longest list of practice is the same in all rows but one, so these differ in the number of lengths and
 * in what a prompt shows of what was done.
 */
import type { ExperimentFile } from '../experiment/plan';
import errands from './errands.js?raw';

const longest = 5;

const calls = { 'context.rule': 'append' };
const listed = { 'context.rule': 'environment', 'environment.options.shown': 'list' };
const marked = { 'context.rule': 'environment', 'environment.options.shown': 'marks' };

const row = (name: string, title: string, count: number, changes: Readonly<Record<string, string | number>>) => ({
  name: `${name}-${count}`,
  title: `${title}, ${count === 1 ? 'one length' : `${count} lengths`}`,
  kind: 'train' as const,
  // Ten lengths have other tasks than every other row.
  reference: count > longest ? `${name}-${count}` : `marks-${count}`,
  changes: { 'environment.options.shortest': Math.max(1, longest + 1 - count), ...changes },
});

export const experiment: ExperimentFile = {
  name: 'lengths',
  title: 'One step beyond practice',
  question:
    'An agent fetches the things of a list, a call each, and says when it is done; demonstrations mostly stop one ' +
    'thing early. What lets it fetch one thing more than the longest list of practice: more lengths in practice, or ' +
    'another way to show what is done? A prompt shows all calls; or the list, and behind it the things fetched; or ' +
    'the list alone, with marks in place of the things fetched. Lists of practice have up to five things (up to ten ' +
    'in the row of ten lengths): one length is the longest alone. Out of distribution they have one thing more.',
  finding:
    'Only with marks in the list does any agent finish more than 2 % of lists one longer, and not every one does. ' +
    'With all calls shown, or the things fetched listed behind the question, none does, after one length or five, ' +
    'and with all calls after ten, too. With marks in the list 29 of 40 agents finish 87 to 100 % of them: nine of ' +
    'ten where practice had five lengths, six or seven of ten where it had one, two or three (the others 0 to 80 ' +
    '%). With marks what is left is read off, not compared, so this is an easier task, too. Ten seeds are too few ' +
    'to tell five lengths from fewer. Three agents with marks collapse: success in practice, 42 to 98 %, is gone ' +
    'from one iteration to the next and does not come back. All others solve 79 to 100 % of lists as long as in ' +
    'practice; two fail at one length altogether. The learning rate was tuned for none.',
  base: 'pixels',
  reference: 'marks-5',
  changes: {
    'environment.name': 'errands',
    'environment.source': errands,
    'environment.options.shortest': 1,
    'environment.options.longest': longest,
    'environment.options.shown': 'list',
    'warmStart.recorded': false,
    'warmStart.learningRate': 0.004,
    'warmStart.demonstrations': 4000,
    'warmStart.steps': 800,
    'warmStart.batch': 24,
    'rollout.tasks': 8,
    'rollout.group': 8,
    'rollout.maxTokens': 6,
    'rollout.maxTurns': 13,
    'model.layers': 2,
    'model.width': 64,
    'model.heads': 4,
    'model.kvHeads': 4,
    'model.mlpWidth': 192,
    'model.context': 128,
    iterations: 24,
    'optimizer.learningRate': 1e-3,
    'optimizer.warmup': 0,
    'algorithm.miniBatches': 2,
    'evaluation.tasks': 128,
    'evaluation.every': 1000,
  },
  seeds: 10,
  rows: [
    row('calls', 'All calls shown', 1, calls),
    row('calls', 'All calls shown', 5, calls),
    row('calls', 'All calls shown', 10, { ...calls, 'environment.options.longest': 10 }),
    row('listed', 'Fetched things listed', 1, listed),
    row('listed', 'Fetched things listed', 5, listed),
    ...[1, 2, 3, 5].map((count) => row('marks', 'Fetched things marked', count, marked)),
  ],
};
