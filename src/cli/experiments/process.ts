/**
 * Question asked: do rewards for single calls help beside the reward for the outcome, and does their scale matter?
 * Agent-R1 normalises process rewards against the outcome by design; its first code had the function and never called
 * it.
 */
import type { ExperimentFile } from '../experiment/plan';

export const experiment: ExperimentFile = {
  name: 'process',
  title: 'Process rewards on paper search',
  question:
    'Does a reward for each new find help an agent that is to find every paper and stop, and must it be brought to ' +
    'the scale of the reward for the outcome? Raw, a rollout earns up to 8 by its finds and 1 by its outcome; ' +
    'normalised, its finds are divided by the largest sum of them in the batch.',
  finding:
    'A reward for each find does not help here. By the outcome alone sampled success rises fastest (area 40 %, ' +
    'against 37 % normalised and 28 % raw), and it ends as high as with normalised finds (84.5 and 83.5 %). Raw ' +
    'finds weigh up to six times the outcome: sampled rollouts stop sooner (4.7 turns at the end, against 6.9), and ' +
    'one seed of five ends at 43 %. The world has changed since: the agent saw its whole conversation, topics had up ' +
    'to six papers, and every call without a find cost.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460), and issue 56 of its code',
    finding: 'normalised process rewards are part of the design; in the code no environment gave any.',
  },
  base: 'papers',
  reference: 'outcome-only',
  changes: { 'warmStart.recorded': false, iterations: 20, 'evaluation.every': 1000 },
  seeds: 5,
  rows: [
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    { name: 'outcome-only', title: 'Outcome only', kind: 'train', changes: { 'rewards.tool': 0 } },
    { name: 'raw', title: 'Raw process reward', kind: 'train', changes: { 'rewards.tool': 1 } },
    {
      name: 'normalised',
      title: 'Normalised process reward',
      kind: 'train',
      changes: { 'rewards.tool': 1, 'shaping.process': 'scaled' },
    },
  ],
};
