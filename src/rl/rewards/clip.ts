/** Clips rewards to an interval, token by token, so that a rare event cannot outweigh a batch. Masked tokens get 0. */
import { withRewards, type Episode } from '../episodes/episode';
import { assert } from '../../lib/assert';

export function clipRewards(
  episodes: readonly Episode[],
  { low, high }: { readonly low: number; readonly high: number },
): Episode[] {
  assert(low <= high, `expected low ≤ high, got ${low} and ${high}.`);
  return withRewards(episodes, (i, k, t) => Math.min(high, Math.max(low, episodes[i].steps[k].rewards[t])));
}
