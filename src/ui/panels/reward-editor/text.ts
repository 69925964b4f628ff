/** Sentences of the reward desk. */
import type { SavedRun } from '../../../run/store/saved-run';
import { plural } from '../../../lib/format';
import { withStop } from '../../../lib/sentences';

export const text = {
  title: 'Reward desk',
  about: (iteration: number, count: number, algorithm: string) =>
    `${plural(count, 'rollout')} of iteration ${iteration}, scored again by ${algorithm}, under the reward that ` +
    `you choose here.`,
  part: (count: number, of: number) =>
    `Of the iteration’s ${of} rollouts, ${count} are here. Advantages that compare with the whole batch are ` +
    `therefore not ` +
    'those that the run trained with.',
  weights: 'Weights',
  weight: (term: string) => `Weight of ${term}`,
  mean: (value: string) => `Mean of these rollouts: ${value}.`,
  back: 'Back to the run’s reward',
  loading: 'Scoring the rollouts…',
  problem: (reason: string) => `The rollouts could not be scored: ${withStop(reason)}`,
  missing: (sentence: string) => `Rewards only: ${sentence}`,
  table: 'Rewards and advantages before and after, by group; the group that moved most comes first',
  columns: ['Rollout', 'Reward', 'Advantage'],
  solved: 'solved',
  failed: 'failed',
  none: '–',
  moved: (by: string) => `moved by up to ${by}`,
  still: 'did not move',
  all: (count: number) => `Show all ${count} groups`,
  code: {
    edit: 'Edit the reward’s code',
    label: 'Code of the environment (JavaScript)',
    about:
      'The same rollouts are played again in the sandbox with your code, token for token. Change what reward() ' +
      'returns, or what tools pay. Press Esc, then Tab, to leave the code.',
    playing: 'Playing the rollouts again…',
    parted: (count: number, of: number) =>
      `Your code changes the tasks of ${count} of ${of} rollouts, or what their agent saw. Those keep their scores.`,
    failed: (count: number, of: number, reason: string) =>
      `Your code failed in ${count} of ${of} rollouts: ${withStop(reason)}`,
  },
  apply: 'Go on with this reward',
  changed: ({ title, iteration }: Pick<SavedRun, 'title' | 'iteration'>) =>
    `The run goes on with another reward. The run before it is saved: ${title}, iteration ${iteration}.`,
  applies: 'This reward counts from the next iteration on, in a new run. The run so far stays saved.',
  cannot: {
    same: 'Change a weight or the code to see what moves.',
    wrong: 'One weight is out of range: correct it first.',
    scoring: 'The rollouts are being scored.',
    broken: 'This code cannot be used: correct it first.',
    tokens: 'Your code changes the agent’s vocabulary (alphabet, words or tools), so this agent cannot go on with it.',
  },
} as const;
