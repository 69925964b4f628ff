/** The critic's clipped value loss with its gradient (shaders/value-loss.wgsl), all in the forward list. */
import { linearGrid, oneWorkgroup } from '../device/commands';
import type { Tensor } from '../device/tensor';
import type { Tape } from '../device/tape';
import { assert } from '../lib/assert';

/**
 * @param value [M]
 * @param sites [M, 4]: old value, return, coefficient, weight
 * @param stats [M, 2], written: loss of the site before coefficient and weight, 1 where it was clipped
 * @param clip bound of the value's change
 */
export function valueLoss(tape: Tape, value: Tensor, sites: Tensor, stats: Tensor, clip: number): void {
  const M = sites.shape[0];
  assert(value.grad, `${value.name} needs a gradient to receive the value loss`);
  const bindings = { value, sites, stats, valueGrad: value.grad };
  tape.dispatch('value-loss', 'forward', { M, CLIP: clip }, bindings, linearGrid(M));
}

/** Adds the weighted mean loss and clip fraction of a micro-batch's sites to `totals` [2]. */
export function valueTotals(tape: Tape, sites: Tensor, stats: Tensor, totals: Tensor): void {
  tape.dispatch('value-loss', 'addUp', { M: sites.shape[0], CLIP: 0 }, { sites, stats, totals }, oneWorkgroup);
}
