/** Sentences of the gallery. */
import { formatPercent } from '../shell/format';

export const text = {
  title: 'Worlds',
  about:
    'Pick a world, and watch a small language model learn in this tab to use its tools: it tries, is told how well ' +
    'it did, and does more of what worked.',
  list: 'Worlds to train in',
  before: 'Before training',
  after: (step: number) => `After step ${step}`,
  more: (count: number) => `… ${count} more ${count === 1 ? 'call' : 'calls'}`,
  success: {
    change: (from: number, to: number) => `${formatPercent(from)} → ${formatPercent(to)}`,
    unseen: (first: number, last: number) => `of new tasks solved, step ${first} → ${last}`,
    practice: (first: number, last: number) => `of practice tasks solved, step ${first} → ${last}`,
    curve: (from: number, to: number) =>
      `Success in the recorded run: ${formatPercent(from)} at first, ${formatPercent(to)} at the end`,
    about: {
      unseen: 'Tasks that the agent never practised, in the recorded run. One step is one round of practice.',
      practice: 'The tasks that the agent practised on, in the recorded run. One step is one round of practice.',
    },
  },
  tools: 'Tools',
  noTools: 'no tools',
  option: (title: string, value: string | number) => `${title}: ${value}`,
  parameters: (count: string) => `${count} parameters`,
  parametersHint: 'Numbers inside the model that training changes. Large chat models have billions.',
  time: (duration: string) => `about ${duration} here`,
  timeHint: 'Time of the recorded run, corrected by the speed that was measured on this device.',
  own: {
    title: 'Your own world',
    task: 'Write tasks, tools and a reward in JavaScript, check them, and train an agent in them.',
    hint: 'There are templates to start from. Your code runs in a sandbox in this tab.',
  },
} as const;
