/**
 * Generalized advantage estimation over tokens. Walking the agent's tokens from last to first,
 *
 *   δ_t = r_t + γ V_{t+1} − V_t        A_t = δ_t + γ λ A_{t+1}        return_t = A_t + V_t
 *
 * then A is whitened over all agent tokens of the batch. Schulman et al. 2015 (arXiv 1506.02438), section 3; a token is
 * an action as in PPO for language models (Ouyang et al. 2022, arXiv 2203.02155).
 * Keeps: γ and λ spent per token, returns from the unwhitened A. Environment tokens are no actions: they neither spend
 * discount nor stand between a token and the next value (the advantage mask); with that mask off they are masked in and
 * act as actions. Drops: bootstrapping after the last token, since an episode ends there.
 */
import { tokenColumns, walkBack, type Episode, type TokenColumns, type TokenInputs } from '../episodes/episode';
import { whitenTokens } from '../episodes/whiten';

export interface TokenGaeSettings {
  readonly gamma: number;
  readonly lambda: number;
  /**
   * `episode`: the sum runs on through all steps. `step`: every step is an episode of its own, as for trainers that
   * take a step's row for one; no step hears of a later one's reward, so an outcome must have been brought to its steps
   * before (bi-level-gae.ts).
   */
  readonly across: 'episode' | 'step';
}

export interface Gae {
  /** Whitened. */
  readonly advantages: TokenColumns;
  readonly raw: TokenColumns;
  /** What the critic is trained towards. */
  readonly returns: TokenColumns;
}

/** @param values the critic's estimate before each token */
export function tokenGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda, across }: TokenGaeSettings,
): Gae {
  const raw = tokenColumns(episodes, () => 0);
  const returns = tokenColumns(episodes, () => 0);
  episodes.forEach((episode, i) => {
    let sum = 0;
    let nextValue = 0;
    let step = episode.steps.length - 1;
    walkBack(episode, (k, t) => {
      if (across === 'step' && k !== step) sum = nextValue = 0;
      step = k;
      const value = values[i][k][t];
      const delta = episode.steps[k].rewards[t] + gamma * nextValue - value;
      sum = delta + gamma * lambda * sum;
      raw[i][k][t] = sum;
      returns[i][k][t] = sum + value;
      nextValue = value;
    });
  });
  return { advantages: whitenTokens(episodes, raw), raw, returns };
}
