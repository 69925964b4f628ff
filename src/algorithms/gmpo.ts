/**
 * GMPO: the geometric mean of a sequence's ratios in place of their arithmetic mean, which single tokens cannot drag
 * along.
 *
 *   L = −A · exp(mean_t y_t)        y = log ρ, held to ≤ clipHigh where A > 0 and to ≥ −clipLow where A < 0
 *   A as in GRPO
 *
 * Zhao et al. 2025 (arXiv 2507.20673). Clips are in log space, 0.4 either way as in the paper. Keeps: the clip per
 * token, the mean per sequence. Drops: nothing.
 */
import { grpo } from './grpo';
import type { Algorithm } from './algorithm';

export const gmpo: Algorithm = {
  ...grpo,
  title: 'GMPO',
  variantOf: 'GRPO',
  loss: 'gmpo',
  defaults: { algorithm: { clipLow: 0.4, clipHigh: 0.4, aggregation: 'seq-mean-token-mean' } },
};
