/**
 * Running totals of per-site statistics over micro-batches (shaders/loss-totals.wgsl), for one readback an iteration.
 */
import { oneWorkgroup } from '../device/commands';
import { Struct } from '../device/struct';
import type { Tensor } from '../device/tensor';
import type { Tape } from '../device/tape';

const totalsStruct = new Struct('loss-totals', 'Totals');

/** Numbers in the tensor of totals. */
export const totalsLength = totalsStruct.size;

/** The totals by the names of the shader's fields. @param totals [totalsLength], as read back */
export function readTotals(totals: Float32Array): Record<string, number> {
  return totalsStruct.unpack(totals);
}

/** Adds the sites of weight ≠ 0 to `totals`, or writes 1 to `veto` [1] if a sum over them is not finite. */
export function lossTotals(tape: Tape, sites: Tensor, stats: Tensor, totals: Tensor, veto: Tensor): void {
  tape.dispatch('loss-totals', 'forward', { M: sites.shape[0] }, { sites, stats, totals, veto }, oneWorkgroup);
}
