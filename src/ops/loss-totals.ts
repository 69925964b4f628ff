/**
 * Running totals of per-site statistics over micro-batches (shaders/loss-totals.wgsl), for one readback an iteration.
 */
import type { Tensor } from '../gpu/tensor';
import type { Tape } from '../gpu/tape';

export const totalsLength = 12;

/**
 * Adds the sites with a weight other than 0 to `totals` [12], or writes 1 to `veto` [1] if a sum over them is not
 * finite.
 */
export function lossTotals(tape: Tape, sites: Tensor, stats: Tensor, totals: Tensor, veto: Tensor): void {
  tape.dispatch('loss-totals', 'forward', { M: sites.shape[0] }, { sites, stats, totals, veto }, [1, 1, 1]);
}
