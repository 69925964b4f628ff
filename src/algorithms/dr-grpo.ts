/**
 * Dr. GRPO: GRPO without its two biases, towards tasks of middling difficulty and towards long wrong answers.
 *
 *   A_i = R_i − mean(R)        no division by the group's deviation
 *   L   = GRPO's clipped loss, summed over a sequence and divided by a constant, not by the sequence's own length
 *
 * Liu et al. 2025 (arXiv 2503.20783). Keeps: both corrections; the constant is the context length. Its gradients are
 * smaller by about that factor, which AdamW divides out again since it begins with fresh moments; the gradient clip
 * rarely acts. Drops: nothing.
 */
import type { Algorithm } from './algorithm';
import { grpo } from './grpo';

export const drGrpo: Algorithm = {
  ...grpo,
  title: 'Dr. GRPO',
  variantOf: 'GRPO',
  defaults: { algorithm: { normalizeStd: false, aggregation: 'seq-mean-token-sum-norm' } },
  fixed: { normalizeStd: false },
  columns: [
    {
      name: 'Dr. GRPO',
      short: 'Dr.GRPO',
      formula: 's − mean',
      about: 'Reward minus the mean of its group, not divided by the standard deviation.',
      kind: 'group',
    },
  ],
};
