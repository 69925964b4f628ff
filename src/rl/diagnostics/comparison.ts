/**
 * Rollouts as they are shown, through every estimator, as the settings of their run have it: what `compareEstimators`
 * says, as one number a step and one a rollout. Not here: estimators (advantages/), and which rollouts are compared.
 */
import { compareEstimators, type ComparedEstimator, type CompareSettings } from '../algorithms/compare';
import { mistakeLabels, type Mistakes } from '../config/mistakes';
import { rolloutEpisodes } from '../rollouts/rollout-episodes';
import type { RunConfig } from '../config/config';
import type { RolloutView } from '../report';
import { leavesRewards } from '../rewards/shaping';

/** Mean over agent tokens, and whether all of them have it. */
export interface MeanCredit {
  readonly mean: number;
  readonly even: boolean;
}

/** Null where the agent wrote nothing. */
export interface RolloutCredit {
  readonly whole: MeanCredit | null;
  readonly steps: readonly (MeanCredit | null)[];
}

export interface EstimatorColumn extends Omit<ComparedEstimator, 'advantages'> {
  /** The run's algorithm estimates in this way. */
  readonly own: boolean;
  /** [rollouts]; null where `missing` says what is missing. */
  readonly credits: readonly RolloutCredit[] | null;
}

export interface Comparison {
  readonly columns: readonly EstimatorColumn[];
  /** What the run trained with. [rollouts] */
  readonly trained: readonly RolloutCredit[];
  readonly settings: Pick<CompareSettings, 'gamma' | 'lambda' | 'turnGamma'>;
  /** Mistakes that are on in the run and so in the columns, each in words. */
  readonly mistakes: readonly string[];
  /** What the run planned to have in an iteration, and in a group. */
  readonly planned: { readonly rollouts: number; readonly group: number };
  /** Why the run's own column may be other than what it trained with, however many rollouts are here. */
  readonly differs: readonly Difference[];
}

/**
 * `critic`: rollouts keep no values of a critic, so the group's mean stands in. `rewards`: the run took KL or penalties
 * off, or scaled. `filter`: it learned from a part. `settings`: no column is under the run's settings.
 */
export type Difference = 'critic' | 'rewards' | 'filter' | 'settings';

/** @param weights of reward terms */
export function compareRollouts(
  rollouts: readonly RolloutView[],
  config: RunConfig,
  weights: Readonly<Record<string, number>>,
): Comparison {
  const { algorithm, mistakes, rollout } = config;
  const settings = compareSettings(config);
  const batch = rolloutEpisodes(rollouts, { weights, advantageMask: algorithm.advantageMask, mistakes });
  const own = ownColumn(config);
  const columns = compareEstimators(batch, settings).map(({ advantages, ...about }): EstimatorColumn => ({
    ...about,
    own: about.short === own,
    credits:
      advantages?.map((steps, i) =>
        rolloutCredit(steps.map((step, k) => step.subarray(0, rollouts[i].steps[k].tokens.length))),
      ) ?? null,
  }));
  const { gamma, lambda, turnGamma } = settings;
  return {
    columns,
    trained: rollouts.map(({ steps }) => rolloutCredit(steps.map(({ advantages }) => advantages))),
    settings: { gamma, lambda, turnGamma },
    mistakes: mistakesOn(mistakes),
    planned: { rollouts: rollout.tasks * rollout.group, group: rollout.group },
    differs: differences(config, columns.find((column) => column.own) ?? null),
  };
}

/** Null for no tokens. */
export function meanCredit(tokens: ArrayLike<number>): MeanCredit | null {
  const values = Array.from(tokens);
  if (values.length === 0) return null;
  const even = values.every((value) => value === values[0]);
  return { mean: even ? values[0] : values.reduce((sum, value) => sum + value, 0) / values.length, even };
}

function rolloutCredit(steps: readonly ArrayLike<number>[]): RolloutCredit {
  return { whole: meanCredit(steps.flatMap((step) => Array.from(step))), steps: steps.map(meanCredit) };
}

function compareSettings({ algorithm, shaping, mistakes }: RunConfig): CompareSettings {
  const { gamma, lambda, turnGamma, stepWeight } = algorithm;
  const { overlong: factor, overlongFrom, overlongBuffer: buffer } = shaping;
  const overlong = factor > 0 ? { longest: overlongFrom + buffer, buffer, factor } : null;
  return { gamma, lambda, turnGamma, stepWeight, overlong, creditReset: mistakes.creditReset };
}

function mistakesOn(mistakes: Mistakes): string[] {
  const on = (Object.keys(mistakeLabels) as (keyof Mistakes)[]).filter((key) => mistakes[key]);
  return on.map((key) => `${mistakeLabels[key].title}. ${mistakeLabels[key].sentence}`);
}

/** Head of the column that each algorithm estimates. */
const columnOf: Readonly<Record<RunConfig['algorithm']['name'], string>> = {
  grpo: 'GRPO',
  'dr-grpo': 'Dr.GRPO',
  dapo: 'DAPO',
  gspo: 'GRPO',
  cispo: 'GRPO',
  sapo: 'GRPO',
  gmpo: 'GRPO',
  gigpo: 'GiGPO',
  rloo: 'RLOO',
  opo: 'OPO',
  gpg: 'GPG',
  remax: 'ReMax',
  reinforce: 'RF step',
  'reinforce-pp': 'RF++',
  'reinforce-pp-baseline': 'RF++base',
  ppo: 'GAE',
  'step-ppo': 'step GAE',
  'bi-level-gae': 'bi-level',
};

/** Null if the run's settings make its estimate one that is in no column. */
function ownColumn({ algorithm, shaping }: RunConfig): string | null {
  const column = columnOf[algorithm.name];
  if (column === 'GAE' && algorithm.gaeAcross === 'step') return 'GAE/step';
  if (column === 'RLOO' && shaping.process === 'per-source') return null;
  if (algorithm.normalizeStd) return column;
  if (column === 'GRPO') return 'Dr.GRPO';
  return column === 'DAPO' || column === 'GiGPO' ? null : column;
}

function differences({ algorithm, shaping, filter }: RunConfig, own: EstimatorColumn | null): Difference[] {
  // The over-long penalty is in DAPO's column.
  const plain = leavesRewards(own?.short === 'DAPO' ? { ...shaping, overlong: 0 } : shaping);
  const kl = algorithm.klPlace === 'reward' && algorithm.klCoefficient > 0;
  return [
    ...(own === null ? (['settings'] as const) : []),
    ...(own?.kind === 'critic' ? (['critic'] as const) : []),
    ...(plain && !kl ? [] : (['rewards'] as const)),
    ...(filter.strategy === 'none' ? [] : (['filter'] as const)),
  ];
}
