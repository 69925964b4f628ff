/**
 * GiGPO: groups inside groups. Rollouts of a task are compared as in GRPO, and so are their steps that started from the
 * same state.
 *
 *   A = A_episode + stepWeight · A_step        A_step: GRPO of the discounted step returns among steps with one anchor
 *
 * Feng et al. 2025 (arXiv 2505.10978), formulas in advantages/gigpo.ts. The anchor of a step is what the environment
 * showed before it. Keeps: γ 0.95 per step and weight 1; GRPO's clipped loss. Drops: matching of similar observations:
 * equal is equal.
 */
import { gigpo as gigpoAdvantages } from '../advantages/gigpo';
import type { Algorithm } from './algorithm';

export const gigpo: Algorithm = {
  title: 'GiGPO',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { gamma: 0.95, stepWeight: 1 } },
  estimate({ episodes, anchors }, { algorithm }) {
    return { advantages: gigpoAdvantages(episodes, anchors, algorithm) };
  },
};
