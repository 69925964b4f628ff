/** Shown rollouts under every estimator with their run's settings: one number a step and one a rollout. */
import { compareEstimators, ownColumn, type ComparedEstimator } from '../../algorithms/compare';
import { mistakeLabels, type Mistakes } from '../../config/algorithm-schema';
import type { RunConfig } from '../../config/config';
import { estimatorSettings } from '../../config/with-algorithm';
import { meanAndStd } from '../../algorithms/episodes/groups';
import { leavesRewards } from '../../algorithms/rewards/shaping';
import { rolloutEpisodes } from '../rollouts/rollout-episodes';
import type { RolloutView } from '../rollouts/view';

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

export type Comparison = Readonly<ReturnType<typeof compareRollouts>>;

/**
 * `critic`: the group's mean stands in for a critic's values. `rewards`: the run changed rewards before the estimate.
 * `filter`: it learned from some groups. `settings`: no column has the run's settings.
 */
export type Difference = 'critic' | 'rewards' | 'filter' | 'settings';

/** @param weights of reward terms */
export function compareRollouts(
  rollouts: readonly RolloutView[],
  config: RunConfig,
  weights: Readonly<Record<string, number>>,
) {
  const { algorithm, mistakes, rollout } = config;
  const { overlong: factor, overlongFrom, overlongBuffer: buffer } = config.shaping;
  const overlong = factor > 0 ? { longest: overlongFrom + buffer, buffer, factor } : null;
  const settings = { ...estimatorSettings(config), overlong };
  const batch = rolloutEpisodes(rollouts, { weights, advantageMask: algorithm.advantageMask, mistakes });
  const own = ownColumn(algorithm.name, settings);
  const columns = compareEstimators(batch, settings).map(({ advantages, ...about }): EstimatorColumn => ({
    ...about,
    own: about.short === own,
    credits:
      advantages?.map((steps, i) =>
        rolloutCredit(steps.map((step, k) => step.subarray(0, rollouts[i].steps[k].tokens.length))),
      ) ?? null,
  }));
  const on = (Object.keys(mistakeLabels) as (keyof Mistakes)[]).filter((key) => mistakes[key]);
  const { gamma, lambda, turnGamma } = settings;
  return {
    columns,
    /** What the run trained with. [rollouts] */
    trained: rollouts.map(({ steps }) => rolloutCredit(steps.map(({ advantages }) => advantages))),
    settings: { gamma, lambda, turnGamma },
    /** Mistakes that are on in the run and so in the columns, each in words. */
    mistakes: on.map((key) => `${mistakeLabels[key].title}. ${mistakeLabels[key].sentence}`),
    /** Rollouts of an iteration and of a group, by the config. */
    planned: { rollouts: rollout.tasks * rollout.group, group: rollout.group },
    /** Why the run's own column may differ from what it trained with. */
    differs: differences(config, columns.find((column) => column.own) ?? null),
  };
}

/** Null for no tokens. */
export function meanCredit(tokens: ArrayLike<number>): MeanCredit | null {
  const values = Array.from(tokens);
  if (values.length === 0) return null;
  const { mean, std } = meanAndStd(values);
  return { mean, even: std === 0 };
}

export function rolloutCredit(steps: readonly ArrayLike<number>[]): RolloutCredit {
  return { whole: meanCredit(steps.flatMap((step) => Array.from(step))), steps: steps.map(meanCredit) };
}

function differences({ algorithm, shaping, filter }: RunConfig, own: EstimatorColumn | null): readonly Difference[] {
  // The over-long penalty is in DAPO's column.
  const plain = leavesRewards(own?.short === 'DAPO' ? { ...shaping, overlong: 0 } : shaping);
  const kl = algorithm.klPlace === 'reward' && algorithm.klCoefficient > 0;
  const reasons = {
    settings: own === null,
    critic: own?.kind === 'critic',
    rewards: !plain || kl,
    filter: filter.strategy !== 'none',
  } satisfies Record<Difference, boolean>;
  return (Object.keys(reasons) as Difference[]).filter((reason) => reasons[reason]);
}
