/**
 * Cross-entropy of labelled sites with its gradient at the logits (shaders/cross-entropy.wgsl): the warm start's loss.
 */
import type { Tensor } from '../device/tensor';
import type { Tape } from '../device/tape';
import { assert } from '../lib/assert';
import type { LossInputs } from './policy-loss';
import type { Rows } from './rows';
import { softmaxGrid, softmaxLanes } from './softmax-lanes';

/** @param rows number of leading sites to compute in this replay */
export function crossEntropy(tape: Tape, logits: Tensor, inputs: LossInputs, rows: Rows): void {
  const [M, V] = logits.shape;
  assert(logits.grad, `${logits.name} needs a gradient to receive the cross-entropy`);
  const lanes = softmaxLanes(V);
  const { targets, sites, stats } = inputs;
  const bindings = { logits, targets, sites, stats, logitsGrad: logits.grad };
  tape.dispatch('cross-entropy', 'forward', { M, V, LANES: lanes }, bindings, () => softmaxGrid(rows.count, lanes));
}
