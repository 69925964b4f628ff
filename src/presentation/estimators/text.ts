/** Sentences of the comparison of estimators. */
import type { Comparison, EstimatorColumn } from '../../rl/diagnostics/comparison';

const kinds: Readonly<Record<EstimatorColumn['kind'], string>> = {
  group: 'Compared with the group',
  return: 'Returns',
  critic: 'Compared with a critic',
};

const differs: Readonly<Record<Comparison['differs'][number], string>> = {
  settings: 'No column is this run’s estimator: its settings differ from those of every column.',
  critic: 'The run’s own column differs from what it trained with: its critic’s values are not kept.',
  rewards:
    'The run changed rewards before the estimate (KL, penalty, scale or clip). The columns use the unchanged ones.',
  filter:
    'The run learned from the groups its filter kept. Here all are in, which changes what is whitened over the batch.',
};

export const text = {
  kinds,
  differs,
  table: 'Advantages of this group under every estimator',
  rollout: 'Rollout, reward',
  trained: 'Trained',
  trainedAbout: 'What the run trained with.',
  own: 'this run',
  nothing: '–',
  pick: (index: number, reward: string, success: boolean | undefined) =>
    `Read rollout ${index}: ${success === undefined ? '' : success ? 'solved, ' : 'failed, '}reward ${reward}`,
  turn: (at: number, tokens: number) => `turn ${at} · ${tokens} tok.`,
  cut: (shown: number, all: number) => `The first ${shown} of ${all} rows.`,
  how:
    'Each number is the mean over the agent’s tokens; ~ means that they differ. Blue is positive, orange negative. ' +
    'Colours are scaled per column.',
  look: {
    title: 'What to look for',
    equal: (count: number, names: string) =>
      `All ${count} rewards of this group are equal, so its advantages are exactly 0 under ${names}.`,
    every: 'every estimator',
    alone: 'The group is one rollout. There is nothing to compare it with, so its reward counts as it is.',
    differ:
      'GRPO, Dr.GRPO, RLOO, OPO and GPG rank the rollouts alike; scale and zero differ. pass@k encourages at most one.',
    batch:
      'RF++ and RF step ignore groups: on an easy task they encourage nearly all rollouts, on a hard one nearly none.',
    turns: (names: string) => `Credit differs between the turns of the rollout being read under ${names}.`,
    sameTurns: 'All turns of the rollout being read get the same credit under every estimator.',
  },
  notes: {
    title: 'What these numbers rest on',
    whole: (count: number) => `All ${count} rollouts of the iteration are in.`,
    part: (count: number, of: number) =>
      `Of the iteration’s ${of} rollouts, ${count} are here. Columns that are whitened over the batch ` +
      `(RF++base, RF++, ` +
      'RF step, GAE) or scaled by it (GPG) depend on the others, too.',
    partOfGroup: (count: number, of: number) =>
      `Of this group’s ${of} rollouts, ${count} are here, so the run trained with another mean and deviation.`,
    settings: (gamma: number, lambda: number, turnGamma: number) =>
      `Settings of the run: γ ${gamma}, λ ${lambda}, γ of turns ${turnGamma}. ` +
      'Rollouts do not keep a critic’s values, so GAE uses the mean reward of the group instead.',
    mistake: (words: string) => `Wrong on purpose, as in the run: ${words}`,
    missing: (name: string, why: string) => `${name} is left out: it ${why}.`,
  },
  legend: 'What each column compares with',
};
