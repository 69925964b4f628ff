/** Sentences about rollouts of another trainer. */
import { withStop } from '../../../../lib/sentences';
import { plural, plain } from '../../../../lib/format';

const and = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const text = {
  title: (name: string, format: string, rollouts: number, steps: number) =>
    `${name}: ${plural(rollouts, 'rollout')} of ${format}, ${plural(steps, 'step')}`,
  close: 'Back to the run',
  reading: 'Reading the file…',
  comparing: 'Comparing…',
  problem: withStop,
  lacks: {
    parts: {
      logProbs: 'log-probabilities',
      tokens: 'numbers of tokens',
      values: 'a critic’s values',
      advantages: 'the trainer’s own advantages',
    },
    sentence: (parts: readonly string[]) =>
      `The file lacks ${and(parts)}, so only what needs none of them is shown: advantages, and no losses.`,
  },
  step: 'Step of training',
  group: 'Prompt',
  groupName: (at: number, count: number, prompt: string) => `${at + 1} (${plural(count, 'rollout')}): ${prompt}`,
  weights: {
    title: 'Reward = sum of weight × term',
    weight: (term: string) => `Weight of ${term}`,
    unlike:
      'The advantages in the file do not follow from this reward. Give each term the weight that the run had, ' +
      'and 0 to a column that is no reward.',
  },
  read: {
    title: (index: number, reward: number) => `Rollout ${index}, reward ${plain(reward)}`,
    prompt: 'Prompt',
    response: 'Response',
    term: (name: string, value: number | null) => `${name} ${value === null ? 'none' : plain(value)}`,
  },
  notes: {
    here: (rollouts: number, groups: number, group: number) =>
      `The file has ${plural(rollouts, 'rollout')} of this step in ${plural(groups, 'group')}, and ${group} in this ` +
      'group. Rollouts of one step with equal prompts are a group. Whitened and scaled columns depend on all of them.',
    settings: 'A response counts as one step, with its reward at the end. There is no discount: γ and λ are 1.',
    missing: (columns: readonly string[], why: string) =>
      `${and(columns)} ${columns.length === 1 ? 'is left out: it' : 'are left out: each'} ${why}.`,
  },
};
