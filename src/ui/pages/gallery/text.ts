/** Sentences of the gallery. */
import type { Length } from '../../state/run/pace.svelte';
import { formatPercent } from '../../../lib/amounts';

export const text = {
  title: 'Worlds',
  about:
    'Pick a world, and watch a small language model learn in this tab to use its tools: it tries, is told how well ' +
    'it did, and does more of what worked.',
  firstMinute: {
    about: (share: number) => `At first this small agent solves ${formatPercent(share)} of new tasks. Let it practise.`,
    curve: (from: number, to: number) =>
      `Success in practice: ${formatPercent(from)} at first, ${formatPercent(to)} now`,
    train: 'Train it here',
    open: 'See how it learns',
  },
  list: 'Worlds to train in',
  answers: 'Answers to one task',
  before: 'Before training',
  after: (step: number) => `After iteration ${step}`,
  success: {
    change: (from: number, to: number) => `${formatPercent(from)} → ${formatPercent(to)}`,
    unseen: (first: number, last: number) => `of new tasks solved, iteration ${first} → ${last}`,
    practice: (first: number, last: number) => `of practice tasks solved, iteration ${first} → ${last}`,
    curve: (from: number, to: number) =>
      `Success in the recorded run: ${formatPercent(from)} at first, ${formatPercent(to)} at the end`,
    ood: (from: number, to: number) => `${formatPercent(from)} → ${formatPercent(to)} solved beyond practice`,
    about: {
      unseen: 'Tasks that the agent never practised, in the recorded run. One iteration is one round of practice.',
      practice: 'The tasks that the agent practised on, in the recorded run. One iteration is one round of practice.',
    },
  },
  tools: 'Tools',
  noTools: 'no tools',
  option: (title: string, value: string | number) => `${title}: ${value}`,
  parameters: (count: string) => `${count} parameters`,
  parametersHint: 'Numbers inside the model that training changes. Large chat models have billions.',
  time: {
    seconds: 'takes seconds here',
    minute: 'takes under a minute here',
    minutes: 'takes minutes here',
    hours: 'takes an hour or more here',
  } satisfies Record<Length, string>,
  timeHint: 'Estimated from the recorded run and from the speed that was measured on this device.',
  own: {
    title: 'Your own world',
    task: 'Write tasks, tools and a reward in JavaScript, check them, and train an agent in them.',
    hint: 'There are templates to start from. Your code runs in a sandbox in this tab.',
  },
} as const;
