/** Discounted rewards-to-go, per step and per token. */
import { stepReward, tokenColumns, walkBack, type Episode, type TokenColumns } from './episode';

/** G_k = R_k + γ G_{k+1}. [episodes][steps] */
export function stepReturns(episodes: readonly Episode[], gamma: number): number[][] {
  return episodes.map(({ steps }) => {
    let sum = 0;
    return steps
      .toReversed()
      .map((step) => (sum = stepReward(step) + gamma * sum))
      .reverse();
  });
}

/**
 * G_t = r_t + γ G_{t+1} over the agent's tokens; environment tokens spend no discount.
 * @param resetAtEnvironment a mistake of published trainers: the sum restarts there, so only the last turn gets credit
 */
export function tokenReturns(episodes: readonly Episode[], gamma: number, resetAtEnvironment = false): TokenColumns {
  const returns = tokenColumns(episodes, () => 0);
  episodes.forEach((episode, i) => {
    let sum = 0;
    let next = { k: -1, t: -1 };
    walkBack(episode, (k, t) => {
      if (resetAtEnvironment && (k !== next.k || t !== next.t - 1)) sum = 0;
      sum = episode.steps[k].rewards[t] + gamma * sum;
      returns[i][k][t] = sum;
      next = { k, t };
    });
  });
  return returns;
}
