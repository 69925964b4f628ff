/** Clipping of rewards to an interval, token by token, so that one rare event cannot outweigh a batch. Masked tokens get 0. */
import { tokenColumns, type Episode } from '../advantages/episode';
import { assert } from '../../lib/assert';

export function clipRewards(episodes: readonly Episode[], { low, high }: { readonly low: number; readonly high: number }): Episode[] {
  assert(low <= high, `expected low ≤ high, got ${low} and ${high}.`);
  const clipped = tokenColumns(episodes, (i, k, t) => Math.min(high, Math.max(low, episodes[i].steps[k].rewards[t])));
  return episodes.map(({ group, steps }, i) => ({ group, steps: steps.map(({ mask }, k) => ({ mask, rewards: clipped[i][k] })) }));
}
