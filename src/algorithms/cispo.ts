/**
 * CISPO: the ratio is clipped, never the gradient, so no token is ever left out of an update.
 *
 *   L = −const(clamp(ρ, 1 − clipLow, 1 + clipHigh)) · A · log π        A as in GRPO
 *
 * MiniMax-M1, 2025 (arXiv 2506.13585). Keeps: no lower clip (clipLow 1), the mean over tokens. Drops: nothing.
 */
import { grpo } from './grpo';
import type { Algorithm } from './algorithm';

export const cispo: Algorithm = {
  ...grpo,
  title: 'CISPO',
  variantOf: 'GRPO',
  loss: 'cispo',
  defaults: { algorithm: { clipLow: 1, clipHigh: 0.28, aggregation: 'token-mean' } },
};
