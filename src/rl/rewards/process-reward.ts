/**
 * Process rewards beside an outcome reward: bringing them to one scale, and comparing each source inside its own group.
 *
 *   scaling   p_t / (M + 1e-6)        M = largest |Σ_{t' ≥ t} p_t'| of the batch
 *   PRIME     per source: x̃ = n/(n−1) · (x − mean_b(a_b)) where the source speaks, a_b = its mean there in episode b
 *   of the group
 *             G_t = x̃_t + γ_source G_{t+1},        A = whiten(Σ_source G)
 *
 * Cui et al. 2025, PRIME (arXiv 2502.01456). The process source speaks at every agent token, the outcome at the last.
 * Keeps: each source its own γ. Drops: estimating process rewards from a model; they are given. A group of one keeps
 * its rewards.
 */
import {
  tokenColumns,
  walkBack,
  withRewards,
  type Episode,
  type TokenColumns,
  type TokenInputs,
} from '../episodes/episode';
import { whitenTokens } from '../episodes/whiten';
import { groupMembers, spread } from '../episodes/groups';

const epsilon = 1e-6;

/** Episodes whose rewards are divided by the largest absolute reward-to-go of the batch; no reward at all stays 0. */
export function scaleProcessRewards(episodes: readonly Episode[]): Episode[] {
  let largest = 0;
  for (const episode of episodes) {
    let sum = 0;
    walkBack(episode, (k, t) => (largest = Math.max(largest, Math.abs((sum += episode.steps[k].rewards[t])))));
  }
  return withRewards(episodes, (i, k, t) => episodes[i].steps[k].rewards[t] / (largest + epsilon));
}

/** Where an episode's rewards of one source stand, and their own discount. */
interface Source {
  readonly rewards: TokenInputs;
  readonly gamma: number;
  readonly speaks: 'every token' | 'last token';
}

export interface TwoSources {
  readonly process: TokenInputs;
  readonly outcome: TokenInputs;
  readonly processGamma: number;
  readonly outcomeGamma: number;
}

/** @param episodes give masks and groups; their own rewards are not read */
export function twoSourceRloo(
  episodes: readonly Episode[],
  { process, outcome, processGamma, outcomeGamma }: TwoSources,
): { advantages: TokenColumns; returns: TokenColumns } {
  const fromProcess = sourceReturns(episodes, { rewards: process, gamma: processGamma, speaks: 'every token' });
  const fromOutcome = sourceReturns(episodes, { rewards: outcome, gamma: outcomeGamma, speaks: 'last token' });
  const returns = tokenColumns(episodes, (i, k, t) => fromProcess[i][k][t] + fromOutcome[i][k][t]);
  return { advantages: whitenTokens(episodes, returns), returns };
}

function sourceReturns(episodes: readonly Episode[], { rewards, gamma, speaks }: Source): TokenColumns {
  const places = episodes.map((episode) => {
    const all: { k: number; t: number }[] = [];
    walkBack(episode, (k, t) => all.push({ k, t }));
    return speaks === 'last token' ? all.slice(0, 1) : all;
  });
  const means = places.map((at, i) => (at.length === 0 ? 0 : spread(at.map(({ k, t }) => rewards[i][k][t])).mean));
  const returns = tokenColumns(episodes, () => 0);
  for (const group of groupMembers(episodes.map((episode) => episode.group)).values()) {
    const n = group.length;
    const { mean } = spread(group.map((i) => means[i]));
    for (const i of group) {
      for (const { k, t } of places[i])
        returns[i][k][t] = n === 1 ? rewards[i][k][t] : (n / (n - 1)) * (rewards[i][k][t] - mean);
      let sum = 0;
      walkBack(episodes[i], (k, t) => (returns[i][k][t] = sum = returns[i][k][t] + gamma * sum));
    }
  }
  return returns;
}
