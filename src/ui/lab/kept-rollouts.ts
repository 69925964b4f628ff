/**
 * Which rollouts of a long run the page keeps: all of the newest iterations, one group of older ones, and of a very
 * long run one group of every second, fourth, eighth … iteration.
 */
import type { RolloutView } from '../../rl/rollouts/view';
import { groupKeyOf, rewardSpreads } from '../rollouts/select';

/**
 * The kept rollouts after `added` came, oldest first. Older iterations keep only the group whose rewards differ most.
 * They are thinned over the whole run: whoever reads an early iteration goes on reading it.
 */
export function keepRollouts(
  kept: readonly RolloutView[],
  added: readonly RolloutView[],
  limit: number,
): readonly RolloutView[] {
  const all = [...kept, ...added];
  if (all.length <= limit) return all;
  const newest = all[all.length - 1].iteration;
  const keptGroup = groupsToKeep(all);
  let surplus = all.length - limit;
  const thinned = all.filter((rollout) => {
    if (surplus === 0 || rollout.iteration === newest || rollout.group === keptGroup.get(rollout.iteration))
      return true;
    surplus -= 1;
    return false;
  });
  return spreadOut(thinned, newest, limit);
}

/** Of each bucket of 2, 4, 8 … iterations the first one, and the newest. */
function spreadOut(rollouts: readonly RolloutView[], newest: number, limit: number): readonly RolloutView[] {
  let kept = rollouts;
  for (let bucketSize = 2; kept.length > limit && bucketSize < 2 * newest; bucketSize *= 2) {
    const bucketOf = (iteration: number) => Math.floor((iteration - 1) / bucketSize);
    const firsts = new Map<number, number>();
    for (const { iteration } of kept) if (!firsts.has(bucketOf(iteration))) firsts.set(bucketOf(iteration), iteration);
    kept = kept.filter(({ iteration }) => iteration === newest || iteration === firsts.get(bucketOf(iteration)));
  }
  return kept.length <= limit ? kept : kept.slice(kept.length - limit);
}

/**
 * Of each iteration the group whose rewards differ most. Most iterations have one group only, and nothing is to be
 * computed.
 */
function groupsToKeep(all: readonly RolloutView[]): ReadonlyMap<number, number> {
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
