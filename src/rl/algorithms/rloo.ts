/**
 * RLOO: the baseline of a rollout is the mean of the others of its group, so it does not contain what it is compared
 * with.
 *
 *   A_i = R_i − mean of the others = n/(n−1) · (R_i − mean(R))
 *
 * Kool et al. 2019; Ahmadian et al. 2024 (arXiv 2402.14740), formulas in advantages/rloo.ts. With process rewards
 * `per-source` it is PRIME's form (rewards/process-reward.ts): what steps before the last earn is compared apart from
 * what the last one earns, then both are whitened. Keeps: the unbiased baseline. Adds: the clipped loss, since a batch
 * may serve several updates. Drops: KL in the reward, unless asked for.
 */
import { tokenColumns } from '../episodes/episode';
import { rlooAdvantages } from '../advantages/rloo';
import { twoSourceRloo } from '../rewards/process-reward';
import type { Algorithm } from './algorithm';

export const rloo: Algorithm = {
  title: 'RLOO',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: {},
  estimate({ episodes, scores, groups }, { algorithm, shaping }) {
    if (shaping.process === 'per-source') {
      const rewards = (last: boolean) =>
        tokenColumns(episodes, (i, k, t) =>
          (k === episodes[i].steps.length - 1) === last ? episodes[i].steps[k].rewards[t] : 0,
        );
      const { gamma } = algorithm;
      return twoSourceRloo(episodes, {
        process: rewards(false),
        outcome: rewards(true),
        processGamma: gamma,
        outcomeGamma: gamma,
      });
    }
    const advantages = rlooAdvantages(scores, groups);
    return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
  },
};
