/**
 * Rollouts of another trainer's file under every estimator. Each response counts as one step, with its reward at the
 * end. An estimator that needs what the file lacks is left out.
 */
import type { GroupedRollout } from '../../share/rollout-files/rollout-file';
import type { AlgorithmSettings } from '../../algorithms/algorithm';
import { compareDefaults, compareEstimators, type ComparedEstimator } from '../../algorithms/compare';
import { rolloutCredit, type Comparison, type EstimatorColumn } from './comparison';

/** What is read of a rollout. */
export type ImportedCredit = Pick<GroupedRollout, 'group' | 'reward' | 'tokens' | 'values' | 'advantages'>;

/** No discount, as other trainers have it where nothing is set. */
export const importedDefaults: AlgorithmSettings = { ...compareDefaults, gamma: 1, lambda: 1, turnGamma: 1 };

/** @param rollouts of one step; where their lengths are not known, each has one token in the answer */
export function compareImportedEstimators(
  rollouts: readonly ImportedCredit[],
  settings: AlgorithmSettings,
): ComparedEstimator[] {
  const hasTokens = rollouts.every(({ tokens }) => tokens !== undefined);
  const hasValues = hasTokens && rollouts.every(({ values }) => values !== undefined);
  const episodes = rollouts.map(({ group, reward, tokens = 1 }) => {
    const rewards = new Float64Array(tokens).fill(reward, tokens - 1);
    return { group, steps: [{ mask: new Uint8Array(tokens).fill(1), rewards }] };
  });
  const batch = {
    episodes,
    anchors: rollouts.map(() => ['the prompt']),
    ...(hasValues && { values: rollouts.map(({ values = [] }) => [Float64Array.from(values)]) }),
  };
  return compareEstimators(batch, settings).map((column) => {
    const lacks = [
      ...(column.missing === undefined ? [] : [column.missing]),
      ...(column.kind === 'critic' && !hasValues ? ['needs the values of a critic'] : []),
      ...(column.byTokens && !hasTokens ? ['needs the number of tokens of each response'] : []),
    ];
    return lacks.length === 0 ? column : { ...column, advantages: null, missing: lacks[0] };
  });
}

/** The same as one number a rollout. @param shown places of the rollouts to give */
export function importedCredits(
  estimators: readonly ComparedEstimator[],
  rollouts: readonly ImportedCredit[],
  shown: readonly number[],
): Pick<Comparison, 'columns' | 'trained'> {
  return {
    columns: estimators.map(({ advantages, ...about }): EstimatorColumn => ({
      ...about,
      own: false,
      credits: advantages && shown.map((i) => rolloutCredit(advantages[i])),
    })),
    trained: shown.map((i) => rolloutCredit([rollouts[i].advantages ?? []])),
  };
}
