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
    'normalised, its finds are divided by the largest sum of them, from any step to the end and in size, in the ' +
    'batch. Among finds is a cost: a call that could have none takes half a find off. An episode of this table did ' +
    'not yet end at the third of these calls.',
  finding:
    'A reward of 1 for each find, with the cost of 0.5 for a call that could have none, does not help here: the ' +
    'area under practice is smaller on each seed, and on the two slow seeds sampled rollouts fall back to a search ' +
    'and a stop. By the outcome alone all five seeds end highest (95.8, 81.8, 93.2, 38.0 and 11.5 % after 20 ' +
    'iterations, against 93.8, 69.8, 87.0, 0 and 0 % with raw finds). On the last two sampled rollouts end at 2.0 ' +
    'to 2.4 turns with rewards for finds, from 5.6 and 5.7 in the first iteration, and at 8.4 to 8.5 by the ' +
    'outcome alone. The scale matters little: normalised finds end at 94.3, 65.1, 83.9, 0 and 0 %. All rows have ' +
    'the learning rate of the preset, which was chosen with 0.2 for a find.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460), and issue 56 of its code',
    finding: 'normalised process rewards are part of the design; in the code no environment gave any.',
  },
  base: 'papers',
  reference: 'outcome-only',
  // Each row that trains says what a find is worth; the preset had 0.2 when the cells ran.
  changes: { 'warmStart.recorded': false, iterations: 20, 'evaluation.every': 1000, 'rewards.tool': 0.2 },
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
