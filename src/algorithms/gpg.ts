/**
 * GPG: the plain policy gradient with the group's mean as baseline, and a factor that makes up for rollouts that earned
 * nothing.
 *
 *   A_i = B / #(R ≠ 0) · (R_i − mean(R))        L = −A log π        B = rollouts of the batch
 *
 * Chu et al. 2025 (arXiv 2504.02546). Keeps: the factor over the whole batch, at least one rollout counted; no clip, no
 * ratio, no reference, one update a batch. Drops: the paper's resampling of groups that are all right or all wrong. A
 * group of one keeps its reward, times the factor.
 */
import { perEpisode, type Algorithm } from './algorithm';
import { groupAdvantages } from './grpo';

export const gpg: Algorithm = {
  title: 'GPG',
  variantOf: 'GRPO',
  loss: 'reinforce',
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  columns: [
    {
      name: 'GPG',
      short: 'GPG',
      formula: 'B / #(s ≠ 0) · (s − mean)',
      about: 'As Dr. GRPO, but larger the more rollouts of the batch earned nothing.',
      kind: 'group',
    },
  ],
  estimate: (input) => perEpisode(input, gpgAdvantages(input.scores, input.groups)),
};

export function gpgAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  const alpha = scores.length / Math.max(1, scores.filter((score) => score !== 0).length);
  return groupAdvantages(scores, groups, false).map((advantage) => alpha * advantage);
}
