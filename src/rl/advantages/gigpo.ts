/**
 * GiGPO: groups inside groups. Episodes of a task are compared as in GRPO, and so are their steps that started from the
 * same state.
 *
 *   A = A_episode + w · A_step        G_k = R_k + γ G_{k+1}
 *   A_step: GRPO (or its numerator) of G over the steps of one group with one anchor; a state that was seen once gives
 *   0
 *
 * Feng et al. 2025 (arXiv 2505.10978). Keeps: statistics over episodes and over steps, either normalised by the
 * deviation or not. Drops: statistics over rows, by which long episodes would weigh more, and matching of similar
 * anchors: equal is equal.
 */
import { assert } from '../../lib/assert';
import { groupMembers } from '../episodes/groups';
import { episodeReward, tokenColumns, type Episode, type TokenColumns } from '../episodes/episode';
import { groupAdvantages } from './grpo';
import { stepReturns } from '../episodes/returns';

export interface GigpoSettings {
  readonly gamma: number;
  /** w: how much the comparison of steps counts beside that of episodes. */
  readonly stepWeight: number;
  readonly normalizeStd: boolean;
}

/** @param anchors key of the state that each step started from [episodes][steps] */
export function gigpo(
  episodes: readonly Episode[],
  anchors: readonly (readonly string[])[],
  { gamma, stepWeight, normalizeStd }: GigpoSettings,
): TokenColumns {
  const groups = episodes.map(({ group }) => group);
  const ofEpisode = groupAdvantages(episodes.map(episodeReward), groups, normalizeStd);
  const returns = stepReturns(episodes, gamma);
  const ofStep: number[][] = returns.map((steps) => steps.map(() => 0));
  for (const members of groupMembers(groups).values()) {
    const places = members.flatMap((i) => returns[i].map((_, k) => ({ i, k })));
    const keys = places.map(({ i, k }) => anchors[i][k]);
    assert(!keys.includes(undefined as never), 'every step needs an anchor.');
    for (const sameState of groupMembers(keys).values()) {
      if (sameState.length === 1) continue;
      const here = sameState.map((at) => places[at]);
      const advantages = groupAdvantages(
        here.map(({ i, k }) => returns[i][k]),
        here.map(() => 0),
        normalizeStd,
      );
      here.forEach(({ i, k }, at) => (ofStep[i][k] = advantages[at]));
    }
  }
  return tokenColumns(episodes, (i, k) => ofEpisode[i] + stepWeight * ofStep[i][k]);
}
