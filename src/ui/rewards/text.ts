/** Sentences of the reward desk. */
import { plural } from '../shell/format';
import { withStop } from '../shell/sentences';

export const text = {
  title: 'Reward desk',
  about: (step: number, count: number, algorithm: string) =>
    `${plural(count, 'rollout')} of step ${step}, scored again by ${algorithm}, with the weights that you choose here.`,
  part: (count: number, of: number) =>
    `Of the step’s ${of} rollouts, ${count} are here. Advantages that compare with the whole batch are therefore not ` +
    'those that the run trained with.',
  weights: 'Weights',
  weight: (term: string) => `Weight of ${term}`,
  mean: (value: string) => `Mean of these rollouts: ${value}.`,
  back: 'Back to the run’s weights',
  loading: 'Scoring the rollouts…',
  problem: (reason: string) => `The rollouts could not be scored: ${withStop(reason)}`,
  missing: (sentence: string) => `Rewards only: ${sentence}`,
  table: 'Rewards and advantages before and after, by group; the group that moved most comes first',
  columns: { rollout: 'Rollout', reward: 'Reward', advantage: 'Advantage' },
  solved: 'solved',
  failed: 'failed',
  none: '–',
  moved: (by: string) => `moved by up to ${by}`,
  still: 'did not move',
  all: (count: number) => `Show all ${count} groups`,
  code: 'Edit the reward’s code',
  apply: 'Go on with this reward',
  applies: 'These weights count from the next step on, in a new run. The run so far stays saved.',
  cannot: {
    same: 'Change a weight to see what moves.',
    other: 'Only a run of this tab can go on with another reward: train one here.',
    finished: 'This run has ended: set the weights under All settings and train again.',
    wrong: 'One weight is out of range: correct it first.',
    busy: 'The run is being prepared.',
  },
} as const;
