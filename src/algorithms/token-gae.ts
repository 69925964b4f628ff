/**
 * Generalized advantage estimation over tokens. Walking the agent's tokens from last to first,
 *
 *   δ_t = r_t + γ V_{t+1} − V_t        A_t = δ_t + γ λ A_{t+1}        return_t = A_t + V_t
 *
 * Schulman et al. 2015 (arXiv 1506.02438), section 3; a token is an action as in PPO for language models (Ouyang et al.
 * 2022, arXiv 2203.02155). Keeps: γ and λ per token. Environment tokens are no actions: they neither spend discount nor
 * stand between a token and the next value (the advantage mask); with that mask off they act as actions. Drops:
 * bootstrapping after the last token, since an episode ends there. Note: the critic learns at tokens in the loss. With
 * the loss mask on and the advantage mask off, values at environment tokens are read here and never trained.
 */
import { tokenColumns, walkBack, type Episode, type TokenInputs } from './episodes/episode';
import type { AlgorithmSettings } from './algorithm';

/**
 * Unwhitened advantages, and the returns that the critic learns. [episodes][steps][n]
 *
 * With the scope `step` every step is an episode of its own: no step gets credit for a later one's reward, so an
 * outcome must be brought to its steps before (bi-level-gae.ts).
 * @param values the critic's estimate before each token
 */
export function tokenGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda, gaeAcross }: Pick<AlgorithmSettings, 'gamma' | 'lambda' | 'gaeAcross'>,
): { advantages: Float64Array[][]; returns: Float64Array[][] } {
  const advantages = tokenColumns(episodes, () => 0);
  episodes.forEach((episode, i) => {
    let sum = 0;
    let nextValue = 0;
    let step = episode.steps.length - 1;
    walkBack(episode, (k, t) => {
      if (gaeAcross === 'step' && k !== step) sum = nextValue = 0;
      step = k;
      const value = values[i][k][t];
      const delta = episode.steps[k].rewards[t] + gamma * nextValue - value;
      sum = advantages[i][k][t] = delta + gamma * lambda * sum;
      nextValue = value;
    });
  });
  return { advantages, returns: tokenColumns(episodes, (i, k, t) => advantages[i][k][t] + values[i][k][t]) };
}
