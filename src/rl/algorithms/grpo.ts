/**
 * GRPO: a rollout is judged against the other rollouts of its task, so no critic is needed.
 *
 *   A_i = (R_i − mean(R)) / (std(R) + ε)        over the group of rollouts of one task; std unbiased, ε = 1e-6
 *   L   = Σ weight · max(−A ρ, −A clamp(ρ, 1 − clipLow, 1 + clipHigh)) + klCoefficient · k3     ρ = π / π_old
 *
 * Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), section 4.1, outcome supervision. `normalizeStd: false` keeps the
 * numerator only, and with aggregation `seq-mean-token-sum-norm` that is Dr. GRPO (Liu et al. 2025, arXiv 2503.20783).
 * Keeps: group baseline, k3 KL in the loss, clipping. Adds: an upper clip of its own, dual clip for A < 0.
 * Drops: process supervision (reward terms of steps count as part of the trajectory's reward) and iterated references.
 */
import type { Trajectory } from '../../agent/types';
import { assert } from '../../lib/assert';
import type { RunConfig } from '../config';
import { groupMembers, spread } from '../groups';
import type { Algorithm, Credit } from './algorithm';

const epsilon = 1e-6;

/**
 * Group-relative advantages of rewards; members of a group need not be adjacent.
 * A group with equal rewards gives exactly 0, whatever their rounding; a group of one keeps its reward (mean 0, std 1).
 * @returns one advantage per reward, float64. [N]
 */
export function groupAdvantages(rewards: readonly number[], groups: readonly unknown[], normalizeStd: boolean): Float64Array {
  assert(rewards.length === groups.length, `expected one group label per reward, got ${groups.length} for ${rewards.length}.`);
  const advantages = new Float64Array(rewards.length);
  for (const group of groupMembers(groups).values()) {
    const values = group.map((i) => rewards[i]);
    const relative = values.length === 1 ? { mean: 0, std: 1 } : spread(values);
    if (relative.std === 0) continue;
    const scale = normalizeStd ? relative.std + epsilon : 1;
    for (const i of group) advantages[i] = (rewards[i] - relative.mean) / scale;
  }
  return advantages;
}

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
