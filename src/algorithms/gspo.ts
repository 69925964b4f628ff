/**
 * GSPO: GRPO's advantages with one ratio for a whole sequence, the unit that is rewarded.
 *
 *   s = exp(mean_t(log π − log π_old))
 *   L = max(−A s, −A clamp(s, 1 − clipLow, 1 + clipHigh)), mean over sequences
 *
 * Zheng et al. 2025 (arXiv 2507.18071). A sequence is a segment: the appended conversation, or what stands between two
 * rewrites of it. Keeps: the length-normalised ratio, every token of a sequence moving by it, the mean per sequence.
 * Drops: the paper's clip of 3e-4 and 4e-4. It suits a thousand tokens a sequence and a rate of 1e-6; actions here are
 * a few tokens long, and with that clip a second mini-batch would learn nothing. Note: each segment weighs the same, so
 * an episode whose context was rewritten nine times weighs ten times one that was appended.
 */
import { grpo } from './grpo';
import type { Algorithm } from './algorithm';

export const gspo: Algorithm = {
  ...grpo,
  title: 'GSPO',
  loss: 'gspo',
  defaults: { algorithm: { clipLow: 0.03, clipHigh: 0.04, aggregation: 'seq-mean-token-mean' } },
};
