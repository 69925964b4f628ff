/** Which rollouts of a long run the page keeps: all of the newest iterations, one group of each older one. */
import type { RolloutView } from '../worker/protocol';

/** The kept rollouts after `added` came, oldest first. Older iterations keep only their first group. */
export function keepRollouts(kept: readonly RolloutView[], added: readonly RolloutView[], limit: number): readonly RolloutView[] {
  const all = [...kept, ...added];
  if (all.length <= limit) return all;
  const newest = all[all.length - 1].iteration;
  const firstGroup = new Map<number, number>();
  for (const rollout of all) if (!firstGroup.has(rollout.iteration)) firstGroup.set(rollout.iteration, rollout.group);
  let surplus = all.length - limit;
  const thinned = all.filter((rollout) => {
    if (surplus === 0 || rollout.iteration === newest || rollout.group === firstGroup.get(rollout.iteration)) return true;
    surplus -= 1;
    return false;
  });
  return thinned.length <= limit ? thinned : thinned.slice(thinned.length - limit);
}
