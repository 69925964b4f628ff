/**
 * Question asked: does a mild setup teach an agent not to use its tool, and which one switch cures it? A user of verl
 * saw tools go unused on GSM8K until every call was paid. A right answer by the tool still earns most here: where a
 * penalty makes not calling the best answer, as one of 1 does, an agent that stops calling has learned what it was
 * told.
 */
import type { ExperimentFile } from '../experiment/plan';

/** A call and its answer take ten tokens, an answer alone three: calling earns 0.5, a wrong answer at once 0. */
const mild = { 'shaping.overlong': 0.5, 'shaping.overlongFrom': 4, 'shaping.overlongBuffer': 4 };

export const experiment: ExperimentFile = {
  name: 'quickstart',
  title: 'A penalty that leaves the tool worth calling',
  question:
    'A call and the answer after it have ten tokens, and the over-long penalty of the first row takes half a point ' +
    'off them. A right answer by the tool earns 1, twice what it loses, and a quick guess earns nothing. Does the ' +
    'agent still learn to call, and what brings the tool back if not?',
  finding:
    'This penalty, under which a right call still pays best, leaves the tool alone. Practice rises from 35 to 89 % ' +
    'with it and without it, a little later with it on each seed (in iterations 3 to 12 74 against 77 %), and all ' +
    'rows end at 89 %, by one call each and within four tasks of 64 of the row without a penalty on every seed. A ' +
    'bonus of 0.1 for a call changes nothing that shows.',
  paper: {
    source: 'verl, issue 1569 and pull request 4998: Qwen2.5-0.5B on GSM8K with a tool that checks answers',
    finding: 'turns fell to two and the tool was never used; a reward of 0.1 for any call brought it back.',
  },
  base: 'calculator-mini',
  reference: 'penalty',
  changes: { 'warmStart.recorded': false, 'warmStart.steps': 100, iterations: 20, 'evaluation.every': 1000 },
  seeds: 5,
  rows: [
    { name: 'penalty', title: 'Penalty from 4 tokens', kind: 'train', changes: mild },
    { name: 'no-penalty', title: 'No penalty (the one switch)', kind: 'train' },
    {
      name: 'later',
      title: 'Penalty from 16 tokens',
      kind: 'train',
      changes: { ...mild, 'shaping.overlongFrom': 16 },
    },
    {
      name: 'bonus',
      title: 'Penalty from 4 tokens, 0.1 for a useful call',
      kind: 'train',
      changes: { ...mild, 'rewards.calls': 0.1 },
    },
  ],
};
