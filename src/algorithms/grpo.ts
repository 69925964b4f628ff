/**
 * GRPO: a rollout is compared with the other rollouts of its task, so no critic is needed.
 *
 *   A_i = (R_i − mean(R)) / (std(R) + ε)        over the rollouts of one task, std unbiased, ε = 1e-6
 *   L   = Σ weight · max(−A ρ, −A clamp(ρ, 1 − clipLow, 1 + clipHigh)) + klCoefficient · KL     ρ = π / π_old
 *
 * Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), section 4.1, outcome supervision. `normalizeStd: false` keeps
 * the numerator only. A group of one keeps its reward (mean 0, std 1).
 * Keeps: group baseline, clipping, KL in the loss (off by default: the warm start is close to its reference and is
 * meant to leave it). Adds: an upper clip of its own, dual clip for A < 0. Drops: process supervision (rewards of steps
 * count in the trajectory's reward), iterated references, and the mean per sequence, for the mean over tokens.
 */
import { meanAndStd, perGroup } from './episodes/groups';
import { perEpisode, type Algorithm } from './algorithm';

const epsilon = 1e-6;

export const grpo: Algorithm = {
  title: 'GRPO',
  loss: 'clip',
  defaults: { algorithm: { clipHigh: 0.28 } },
  columns: [
    {
      name: 'GRPO',
      short: 'GRPO',
      formula: '(s − mean) / (std + ε)',
      about: 'Reward minus the mean of its group, divided by the group’s standard deviation.',
      kind: 'group',
      settings: { normalizeStd: true },
    },
  ],
  estimate: (input, { normalizeStd }) => perEpisode(input, groupAdvantages(input.scores, input.groups, normalizeStd)),
};

/**
 * One advantage per score. A group with equal scores gives exactly 0, whatever their rounding.
 * @param groups labels, compared with ===; members of a group need not be adjacent [N]
 */
export function groupAdvantages(
  scores: readonly number[],
  groups: readonly unknown[],
  normalizeStd: boolean,
): Float64Array {
  return perGroup(scores, groups, (own) => withinGroup(own, normalizeStd));
}

/** Advantages inside one group. */
export function withinGroup(scores: readonly number[], normalizeStd: boolean): number[] {
  const { mean, std } = scores.length === 1 ? { mean: 0, std: 1 } : meanAndStd(scores);
  const scale = normalizeStd ? std + epsilon : 1;
  return scores.map((score) => (std === 0 ? 0 : (score - mean) / scale));
}
