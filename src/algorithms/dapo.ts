/**
 * DAPO: GRPO with four changes that keep it exploring and its batches informative.
 *
 *   clip-higher          ρ in [1 − 0.2, 1 + 0.28]: unlikely tokens may grow
 *   dynamic sampling     groups with equal scores are dropped, and other tasks sampled in their place (filter `signal`,
 *                        refill)
 *   token mean           every token of the batch weighs the same
 *   over-long penalty    rewards/overlong.ts, taken off before the estimate. By default it begins at 64 agent tokens,
 *                        which episodes of few presets can have
 *
 * Yu et al. 2025 (arXiv 2503.14476). Keeps: all four. Drops: sampling until the batch is full, however long that takes:
 * refills are bounded, so late in a run batches may be smaller.
 */
import { creditedTokens } from './episodes/episode';
import { cappedOverlongPenalty } from './rewards/overlong';
import type { Algorithm } from './algorithm';
import { grpo } from './grpo';

export const dapo: Algorithm = {
  ...grpo,
  title: 'DAPO',
  variantOf: 'GRPO',
  defaults: {
    algorithm: { clipHigh: 0.28, aggregation: 'token-mean' },
    filter: { strategy: 'signal', refill: 2 },
    shaping: { overlong: 0.5 },
  },
  columns: [
    {
      name: 'DAPO',
      short: 'DAPO',
      formula: 'GRPO of s + over-long penalty',
      about:
        'GRPO, once a penalty for length is taken off; by default the episodes of few presets can be long enough ' +
        'for it.',
      kind: 'group',
      settings: { normalizeStd: true },
    },
  ],
  estimate(input, settings) {
    const { overlong } = settings;
    if (!overlong) return grpo.estimate(input, settings);
    const scores = input.scores.map(
      (score, i) => score + cappedOverlongPenalty(creditedTokens(input.episodes[i]), overlong),
    );
    return grpo.estimate({ ...input, scores }, settings);
  },
};
