/**
 * GRPO: a rollout is judged against the other rollouts of its task, so no critic is needed.
 *
 *   A_i = (R_i − mean(R)) / (std(R) + ε)        advantages/grpo.ts, over the group of rollouts of one task
 *   L   = Σ weight · max(−A ρ, −A clamp(ρ, 1 − clipLow, 1 + clipHigh)) + klCoefficient · k3     ρ = π / π_old
 *
 * Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), section 4.1, outcome supervision. `normalizeStd: false` keeps the
 * numerator only, and with aggregation `seq-mean-token-sum-norm` that is Dr. GRPO (Liu et al. 2025, arXiv 2503.20783).
 * Keeps: group baseline, k3 KL in the loss, clipping. Adds: an upper clip of its own, dual clip for A < 0.
 * Drops: process supervision (reward terms of steps count as part of the trajectory's reward) and iterated references.
 */
import type { Trajectory } from '../../agent/types';
import { groupAdvantages } from '../advantages/grpo';
import type { RunConfig } from '../config';
import type { Algorithm, Credit } from './algorithm';

/** Every agent token carries its trajectory's advantage; environment tokens carry it only where the advantage mask is off. */
export function grpo(config: RunConfig['algorithm']): Algorithm {
  return {
    name: 'grpo',
    needsCritic: false,
    needsReference: config.klCoefficient > 0,
    loss: config,
    advantages(trajectories: readonly Trajectory[]): Credit[] {
      const rewards = trajectories.map((trajectory) => trajectory.reward);
      const groups = trajectories.map((trajectory) => trajectory.group);
      const advantages = groupAdvantages(rewards, groups, config.normalizeStd);
      return trajectories.map((trajectory, i) => ({
        advantage: advantages[i],
        actions: trajectory.steps.map((step) => new Float64Array(step.action.tokens.length).fill(advantages[i])),
        environment: config.advantageMask ? 0 : advantages[i],
      }));
    },
  };
}
