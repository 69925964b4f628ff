/**
 * Bi-level GAE: credit travels between turns first, then inside each. With e_k the last agent token of turn k,
 *
 *   over turns    δ_k = r(e_k) + γ_turn V(e_{k+1}) − V(e_k)      A_k = δ_k + γ_turn λ A_{k+1}      r(e_k) := A_k +
 *   V(e_k) over tokens   token GAE with γ and λ inside each turn, started afresh at its end
 *
 * then whitened over tokens. RAGEN (Wang et al. 2025, arXiv 2504.20073) and its sibling VAGEN. A turn is a step here.
 * Keeps: both levels and one λ for both. Drops: recognising the end of a turn by its reward not being 0, which merges
 * turns that earned nothing and fails where none did; ends are known here. A turn without agent tokens is skipped.
 */
import type { Episode, TokenInputs } from '../episodes/episode';
import { tokenGae, type Gae } from '../algorithms/token-gae';

export interface BiLevelSettings {
  /** Per token, inside a turn. */
  readonly gamma: number;
  readonly lambda: number;
  /** Per turn. */
  readonly turnGamma: number;
}

/** @param values the critic's estimate before each token */
export function biLevelGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda, turnGamma }: BiLevelSettings,
): Gae {
  const withTurnReturns = episodes.map((episode, i): Episode => {
    let sum = 0;
    let nextValue = 0;
    const steps = episode.steps.toReversed().map((step, fromEnd) => {
      const end = Array.from(step.mask).lastIndexOf(1);
      if (end === -1) return step;
      const value = values[i][episode.steps.length - 1 - fromEnd][end];
      sum = step.rewards[end] + turnGamma * nextValue - value + turnGamma * lambda * sum;
      nextValue = value;
      return { mask: step.mask, rewards: Float64Array.from(step.rewards).fill(sum + value, end, end + 1) };
    });
    return { group: episode.group, steps: steps.reverse() };
  });
  return tokenGae(withTurnReturns, values, { gamma, lambda, across: 'step' });
}
