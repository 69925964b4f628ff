/**
 * GRPO: a rollout is judged against the other rollouts of its task, so no critic is needed.
 *
 *   A_i = (R_i − mean(R)) / (std(R) + ε)        advantages/grpo.ts, over the group of rollouts of one task
 *   L   = Σ weight · max(−A ρ, −A clamp(ρ, 1 − clipLow, 1 + clipHigh)) + klCoefficient · KL     ρ = π / π_old
 *
 * Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), section 4.1, outcome supervision. `normalizeStd: false` keeps
 * the numerator only.
 * Keeps: group baseline, clipping, KL in the loss (off by default here: its weights start close to their reference and
 * are meant to leave it). Adds: an upper clip of its own, dual clip for A < 0. Drops: process supervision (reward terms
 * of steps count as part of the trajectory's reward), iterated references, and the mean per sequence, for the mean over
 * tokens.
 */
import { tokenColumns } from '../episodes/episode';
import { groupAdvantages } from '../advantages/grpo';
import type { Algorithm } from './algorithm';

/** Every credited token carries its trajectory's advantage. */
export const grpo: Algorithm = {
  title: 'GRPO',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { clipHigh: 0.28 } },
  estimate({ episodes, scores, groups }, { algorithm }) {
    const advantages = groupAdvantages(scores, groups, algorithm.normalizeStd);
    return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
  },
};
