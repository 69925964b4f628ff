/**
 * DAPO: GRPO with four changes that keep it exploring and its batches informative.
 *
 *   clip-higher          ρ in [1 − 0.2, 1 + 0.28]: unlikely tokens may grow
 *   dynamic sampling     groups with equal scores are dropped, and other tasks sampled in their place (filter `signal`,
 *   refill) token mean           every token of the batch weighs the same
 *   over-long penalty    min(−factor · (n − from) / buffer, 0) for n agent tokens (shaping; advantages/dapo.ts)
 *
 * Yu et al. 2025 (arXiv 2503.14476). Keeps: all four; the penalty grows on beyond its buffer, as implementations have
 * it. Drops: sampling until the batch is full, however long that takes: refills are bounded, so late in a run batches
 * may be smaller.
 */
import { grpo } from './grpo';
import type { Algorithm } from './algorithm';

export const dapo: Algorithm = {
  ...grpo,
  title: 'DAPO',
  defaults: {
    algorithm: { clipHigh: 0.28, aggregation: 'token-mean' },
    filter: { strategy: 'signal', refill: 2 },
    shaping: { overlong: 0.5 },
  },
};
