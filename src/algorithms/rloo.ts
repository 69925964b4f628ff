/**
 * RLOO: the baseline of a rollout is the mean of the others of its group, so it does not contain its own reward.
 *
 *   A_i = R_i − mean of the others = n/(n−1) · (R_i − mean(R))
 *
 * Kool et al. 2019; Ahmadian et al. 2024 (arXiv 2402.14740). Keeps: the unbiased baseline. Adds: the clipped loss,
 * since a batch may serve several updates. Drops: any scale; KL in the reward, unless asked for. A group of one keeps
 * its reward.
 *
 * With process rewards `per-source` it is PRIME's form: rewards of steps before the last (process) and of the last
 * (outcome) are compared apart.
 *
 *   per source: x̃ = n/(n−1) · (x − mean_b(a_b)) where the source gives rewards, a_b = its mean there in episode b of
 *   the group        G_t = x̃_t + γ G_{t+1}        A = whiten(Σ_source G)
 *
 * Cui et al. 2025, PRIME (arXiv 2502.01456). Process rewards are at every agent token, the outcome at the last. Keeps:
 * a γ for each source. Drops: estimating process rewards with a model; they are given.
 */
import { tokenColumns, walkBack, type Episode, type TokenColumns, type TokenInputs } from './episodes/episode';
import { groupMembers, meanAndStd, perGroup } from './episodes/groups';
import { whitenTokens } from './episodes/whiten';
import { perEpisode, type Algorithm } from './algorithm';

export const rloo: Algorithm = {
  title: 'RLOO',
  loss: 'clip',
  columns: [
    {
      name: 'RLOO',
      short: 'RLOO',
      formula: 's − mean of the others',
      about: 'Reward minus the mean of the others of its group, so its own reward is not in that mean.',
      kind: 'group',
      settings: { perSource: false },
    },
  ],
  estimate(input, { perSource, gamma }) {
    const { episodes, scores, groups } = input;
    if (!perSource) return perEpisode(input, rlooAdvantages(scores, groups));
    const rewards = (last: boolean) =>
      tokenColumns(episodes, (i, k, t) =>
        (k === episodes[i].steps.length - 1) === last ? episodes[i].steps[k].rewards[t] : 0,
      );
    const process = { rewards: rewards(false), gamma };
    const returns = twoSourceReturns(episodes, process, { rewards: rewards(true), gamma });
    return { advantages: whitenTokens(episodes, returns) };
  },
};

/** A group with equal scores gives exactly 0. */
export function rlooAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  return perGroup(scores, groups, (own) => {
    const n = own.length;
    const { mean } = meanAndStd(own);
    return own.map((score) => (n === 1 ? score : (n / (n - 1)) * (score - mean)));
  });
}

/** Rewards from one source, and their discount. */
type Source = { readonly rewards: TokenInputs; readonly gamma: number };

/** PRIME's Σ_source G. @param episodes give masks and groups; their own rewards are not read */
export function twoSourceReturns(episodes: readonly Episode[], process: Source, outcome: Source): TokenColumns {
  const fromProcess = sourceReturns(episodes, process, false);
  const fromOutcome = sourceReturns(episodes, outcome, true);
  return tokenColumns(episodes, (i, k, t) => fromProcess[i][k][t] + fromOutcome[i][k][t]);
}

function sourceReturns(episodes: readonly Episode[], { rewards, gamma }: Source, lastOnly: boolean): TokenColumns {
  const places = episodes.map((episode) => {
    const all: { k: number; t: number }[] = [];
    walkBack(episode, (k, t) => all.push({ k, t }));
    return lastOnly ? all.slice(0, 1) : all;
  });
  const means = places.map((at, i) => (at.length === 0 ? 0 : meanAndStd(at.map(({ k, t }) => rewards[i][k][t])).mean));
  const returns = tokenColumns(episodes, () => 0);
  for (const group of groupMembers(episodes.map((episode) => episode.group)).values()) {
    const n = group.length;
    const { mean } = meanAndStd(group.map((i) => means[i]));
    for (const i of group) {
      for (const { k, t } of places[i])
        returns[i][k][t] = n === 1 ? rewards[i][k][t] : (n / (n - 1)) * (rewards[i][k][t] - mean);
      let sum = 0;
      walkBack(episodes[i], (k, t) => (returns[i][k][t] = sum = returns[i][k][t] + gamma * sum));
    }
  }
  return returns;
}
