/**
 * SAPO: a soft gate in place of the clip: the farther a ratio is from 1, the less its token moves, but never not at
 * all.
 *
 *   L = −(4 / τ) σ(τ (ρ − 1)) A        τ = 1 where A > 0, 1.05 elsewhere        A as in GRPO
 *
 * Gao et al. 2025 (arXiv 2511.20347). Keeps: both temperatures, the mean per sequence. Drops: nothing. Its clip
 * settings are not read.
 */
import { grpo } from './grpo';
import type { Algorithm } from './algorithm';

export const sapo: Algorithm = {
  ...grpo,
  title: 'SAPO',
  variantOf: 'GRPO',
  loss: 'sapo',
  defaults: { algorithm: { aggregation: 'seq-mean-token-mean' } },
};
