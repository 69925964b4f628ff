/**
 * Dr. GRPO: GRPO without its two biases, towards tasks of middling difficulty and towards long wrong answers.
 *
 *   A_i = R_i − mean(R)        no division by the group's deviation
 *   L   = GRPO's clipped loss, summed over a sequence and divided by a constant horizon, not by the sequence's own
 *   length
 *
 * Liu et al. 2025 (arXiv 2503.20783). Keeps: both corrections; the horizon is the context length. Its gradients are
 * smaller by about the horizon, which AdamW divides out again since it begins with fresh moments; the gradient clip
 * rarely acts. Drops: nothing.
 */
import { tokenColumns } from '../episodes/episode';
import { groupAdvantages } from '../advantages/grpo';
import type { Algorithm } from './algorithm';

export const drGrpo: Algorithm = {
  title: 'Dr. GRPO',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { normalizeStd: false, aggregation: 'seq-mean-token-sum-norm' } },
  estimate({ episodes, scores, groups }) {
    const advantages = groupAdvantages(scores, groups, false);
    return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
  },
};
