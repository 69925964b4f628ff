/**
 * Pass@k advantages: only the best rollout of a group learns, by how far it leads. No algorithm trains with it; it is a
 * column of the comparison.
 *
 *   A_best = (s_max − s_second) / (std(s) + ε)        all others 0        std unbiased, ε = 1e-6
 *
 * Tang et al. 2025 (arXiv 2503.19595), for k = group size, in the normalised form trainers know as GRPO pass@k.
 * Keeps: the group's deviation as the scale. Drops: learning from failures; a group of one has no second and gives 0.
 */
import { meanAndStd, perGroup } from './episodes/groups';
import { perEpisode, type Estimator } from './algorithm';

const epsilon = 1e-6;

export const passK: Estimator = {
  name: 'GRPO pass@k',
  short: 'pass@k',
  formula: 'best: (s − second) / (std + ε)',
  about: 'Only the best of the group learns: its advantage is its lead over the second.',
  kind: 'group',
  estimate: (input) => perEpisode(input, passKAdvantages(input.scores, input.groups)),
};

export function passKAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  return perGroup(scores, groups, (own) => {
    const [best, second] = [...own.keys()].toSorted((a, b) => own[b] - own[a]);
    const lead = (own[best] - own[second]) / (meanAndStd(own).std + epsilon);
    return own.map((_, at) => (at === best && own.length > 1 ? lead : 0));
  });
}
