/**
 * Which rollouts of a long run are kept to be read: all of the newest iterations, one group of older ones, and of a
 * very long run one group of every second, fourth, eighth … iteration.
 */
import { thin } from '../lib/thin';
import { groupKeyOf, rewardSpreads, type Scored } from './rollout-groups';

/**
 * The kept rollouts after `added` came, oldest first. Older iterations keep only the group whose rewards differ most.
 * They are thinned over the whole run: an early iteration that is being read stays.
 */
export function keepRollouts<Rollout extends Scored>(
  kept: readonly Rollout[],
  added: readonly Rollout[],
  limit: number,
): readonly Rollout[] {
  const all = [...kept, ...added];
  if (all.length <= limit) return all;
  const newest = all[all.length - 1].iteration;
  const keptGroup = groupsToKeep(all);
  let surplus = all.length - limit;
  const lean = all.filter((rollout) => {
    if (surplus === 0 || rollout.iteration === newest || rollout.group === keptGroup.get(rollout.iteration))
      return true;
    surplus -= 1;
    return false;
  });
  return thin(lean, { limit, at: ({ iteration }) => iteration });
}

/**
 * Of each iteration the group whose rewards differ most. Most iterations have one group only, and nothing is to be
 * computed.
 */
function groupsToKeep(all: readonly Scored[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>();
  const several = new Set<number>();
  for (const { iteration, group } of all) {
    if (!kept.has(iteration)) kept.set(iteration, group);
    else if (kept.get(iteration) !== group) several.add(iteration);
  }
  const open = all.filter((rollout) => several.has(rollout.iteration));
  const spreads = rewardSpreads(open);
  const maxSpreads = new Map<number, number>();
  for (const rollout of open) {
    const spread = spreads.get(groupKeyOf(rollout))!;
    if (spread <= (maxSpreads.get(rollout.iteration) ?? -1)) continue;
    maxSpreads.set(rollout.iteration, spread);
    kept.set(rollout.iteration, rollout.group);
  }
  return kept;
}
