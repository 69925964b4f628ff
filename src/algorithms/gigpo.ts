/**
 * GiGPO: groups inside groups. Rollouts of a task are compared as in GRPO, and so are their steps that started from the
 * same state.
 *
 *   A = A_episode + w · A_step        G_k = R_k + γ G_{k+1}
 *   A_step: GRPO (or its numerator) of G over the steps of one group with one anchor; a state seen once gives 0
 *
 * Feng et al. 2025 (arXiv 2505.10978). The anchor of a step is what the environment showed before it.
 * Keeps: γ 0.95 per step and weight 1; GRPO's clipped loss; statistics over episodes and over steps. Drops: statistics
 * over rows, by which long episodes would weigh more, and matching of similar observations: equal is equal.
 */
import { assert } from '../lib/assert';
import { episodeReward, tokenColumns, type Episode, type TokenColumns } from './episodes/episode';
import { perGroup } from './episodes/groups';
import { stepReturns } from './episodes/returns';
import type { Algorithm, AlgorithmSettings } from './algorithm';
import { groupAdvantages, withinGroup } from './grpo';

export const gigpo: Algorithm = {
  title: 'GiGPO',
  loss: 'clip',
  defaults: { algorithm: { gamma: 0.95, stepWeight: 1 } },
  columns: [
    {
      name: 'GiGPO',
      short: 'GiGPO',
      formula: 'GRPO + w · GRPO of G inside equal states',
      about: 'As GRPO, plus the same comparison among steps that began in the same state.',
      kind: 'group',
      settings: { normalizeStd: true },
    },
  ],
  estimate: ({ episodes, anchors }, settings) => ({ advantages: gigpoAdvantages(episodes, anchors, settings) }),
};

/** @param anchors key of the state that each step started from [episodes][steps] */
export function gigpoAdvantages(
  episodes: readonly Episode[],
  anchors: readonly (readonly string[])[],
  { gamma, stepWeight, normalizeStd }: Pick<AlgorithmSettings, 'gamma' | 'stepWeight' | 'normalizeStd'>,
): TokenColumns {
  const groups = episodes.map(({ group }) => group);
  const ofEpisode = groupAdvantages(episodes.map(episodeReward), groups, normalizeStd);
  const returns = stepReturns(episodes, gamma);
  assert(anchors.flat().length === returns.flat().length, 'every step needs an anchor.');
  const labels = [...new Set(groups)];
  const states = returns.flatMap((steps, i) => steps.map((_, k) => `${labels.indexOf(groups[i])} ${anchors[i][k]}`));
  const compared = perGroup(returns.flat(), states, (own) => (own.length === 1 ? [0] : withinGroup(own, normalizeStd)));
  let at = 0;
  const ofStep = returns.map((steps) => steps.map(() => compared[at++]));
  return tokenColumns(episodes, (i, k) => ofEpisode[i] + stepWeight * ofStep[i][k]);
}
