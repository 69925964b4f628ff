/**
 * Question asked: how much of an episode must a prompt show? An agent that explores a house remembers where it has
 * been by its prompt alone; the rules differ in what they leave of it.
 */
import type { ExperimentFile } from '../experiment/plan';

const row = (name: string, title: string, changes: Readonly<Record<string, string | number>>) => ({
  name,
  title,
  kind: 'train' as const,
  changes,
});

export const experiment: ExperimentFile = {
  name: 'context',
  title: 'Context rules in a house to explore',
  question:
    'How much of an episode must the next prompt show? Everything; the last one or two calls with their replies; or ' +
    'a summary of two words in place of all before it, which is written by the environment before every turn, or ' +
    'by the agent whenever the prompt passes 40 tokens. The agent’s summaries are sampled and trained like its ' +
    'calls; its demonstrations show what the environment would write.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, second version), under GRPO',
    finding: 'a sliding window was better than appending everything, which was better than a summary.',
  },
  finding:
    'After 12 iterations a prompt that shows everything solves 99 %, the last two exchanges 81 % and the last one ' +
    '66 %, on every seed in this order, which is not the paper’s. Both windows still improved, so this compares ' +
    'speeds, not limits. A summary of two words by the environment solves 35 %: it names no place already visited. ' +
    'The agent’s own summary solves 99.8 %, with a tenth fewer prompt tokens than everything.',
  base: 'household',
  reference: 'append',
  changes: { 'warmStart.recorded': false, iterations: 40, 'rollout.maxTurns': 18, 'evaluation.every': 1000 },
  seeds: 5,
  rows: [
    row('append', 'Everything', { 'context.rule': 'append' }),
    row('window-2', 'The last two exchanges', { 'context.rule': 'window', 'context.exchanges': 2 }),
    row('window-1', 'The last exchange', { 'context.rule': 'window', 'context.exchanges': 1 }),
    row('summary', 'Summary by the environment', { 'context.rule': 'summary' }),
    row('policy-summary', 'Summary by the agent', { 'context.rule': 'policy-summary', 'context.budget': 40 }),
  ],
};
