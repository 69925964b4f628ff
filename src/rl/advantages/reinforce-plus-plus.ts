/**
 * REINFORCE++: token returns, whitened over the whole batch instead of compared inside groups.
 *
 *   G_t = r_t + γ G_{t+1}        A = whiten(G)        over all agent tokens of the batch
 *
 * Hu et al. 2025 (arXiv 2501.03262). With the KL of each token in its reward (rewards/kl-penalty.ts) it is the paper's
 * form. Keeps: γ spent per agent token; a reward reaches every earlier turn. Drops: groups, so one rollout a task will
 * do.
 *
 * REINFORCE++-baseline: the reward minus the mean of its group, then whitened the same way.
 *
 *   A = whiten(s − mean(s))        a group of one keeps s
 *
 * Keeps: the group's mean as a baseline. Drops: division by the group's deviation; the whole batch decides the scale,
 * token by token, so long episodes weigh more in it; and exact zeros of a group with equal rewards, unless all groups
 * are such: whitening shifts them.
 */
import { episodeReward, tokenColumns, type Episode, type TokenColumns } from '../episodes/episode';
import { groupAdvantages } from './grpo';
import { tokenReturns, type TokenReturnSettings } from '../episodes/returns';
import { whitenTokens } from '../episodes/whiten';

export function reinforcePlusPlus(
  episodes: readonly Episode[],
  settings: TokenReturnSettings,
): { advantages: TokenColumns; returns: TokenColumns } {
  const returns = tokenReturns(episodes, settings);
  return { advantages: whitenTokens(episodes, returns), returns };
}

export function reinforcePlusPlusBaseline(episodes: readonly Episode[]): TokenColumns {
  const centred = groupAdvantages(
    episodes.map(episodeReward),
    episodes.map(({ group }) => group),
    false,
  );
  return whitenTokens(
    episodes,
    tokenColumns(episodes, (i) => centred[i]),
  );
}
