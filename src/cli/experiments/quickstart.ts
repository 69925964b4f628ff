/**
 * Question asked: how does a usual setup teach an agent not to use its tool, and which one switch cures it? A user of
 * verl saw tools go unused on GSM8K until every call was paid.
 */
import type { ExperimentFile } from '../experiment/plan';

/** A call and its answer take ten tokens, an answer alone three. */
const tight = { 'shaping.overlong': 1, 'shaping.overlongFrom': 4, 'shaping.overlongBuffer': 4 };

export const experiment: ExperimentFile = {
  name: 'quickstart',
  title: 'A setup that unlearns its tool',
  question:
    'The over-long penalty of the first row begins at four tokens, which looks harmless: answers have three. But a ' +
    'call and the answer after it have ten. Does the agent still learn to call, and what brings the tool back?',
  finding:
    'with the penalty from four tokens the agent stops calling and solves nothing, on every seed; without it the ' +
    'same setup solves 84 to 94 %. Paying 0.1 for a call does not bring the tool back here, since a call and its ' +
    'answer lose up to 1; paying 1 does.',
  paper: {
    source: 'verl, issue 1569 and pull request 4998: Qwen2.5-0.5B on GSM8K with a tool that checks answers',
    finding: 'turns fell to two and the tool was never used; a reward of 0.1 for any call brought it back.',
  },
  base: 'calculator-mini',
  reference: 'penalty',
  changes: { 'warmStart.recorded': false, 'warmStart.steps': 100, iterations: 20, 'evaluation.every': 1000 },
  seeds: 5,
  rows: [
    { name: 'penalty', title: 'Penalty from 4 tokens', kind: 'train', changes: tight },
    { name: 'no-penalty', title: 'No penalty (the one switch)', kind: 'train' },
    {
      name: 'later',
      title: 'Penalty from 16 tokens',
      kind: 'train',
      changes: { ...tight, 'shaping.overlongFrom': 16 },
    },
    {
      name: 'bonus',
      title: 'Penalty from 4 tokens, 0.1 for a useful call',
      kind: 'train',
      changes: { ...tight, 'rewards.calls': 0.1 },
    },
    {
      name: 'large-bonus',
      title: 'Penalty from 4 tokens, 1 for a useful call',
      kind: 'train',
      changes: { ...tight, 'rewards.calls': 1 },
    },
  ],
};
