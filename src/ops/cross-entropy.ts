/**
 * Cross-entropy of labelled sites with its gradient at the logits (shaders/cross-entropy.wgsl): the warm start's loss.
 */
import type { Tensor } from '../device/tensor';
import type { Tape } from '../device/tape';
import { lossLogits } from './loss-logits';
import type { LossInputs } from './policy-loss';
import type { Rows } from './rows';
import { softmaxGrid } from './softmax-lanes';
import { gatherSlices, type SlicedLogits } from './vocabulary-slices';

/** @param rows number of leading sites to compute in this replay */
export function crossEntropy(tape: Tape, logits: Tensor | SlicedLogits, inputs: LossInputs, rows: Rows): void {
  const { lanes, constants, read, written } = lossLogits(logits);
  if ('slices' in logits) gatherSlices(tape, logits, inputs, tape.uniform('no temperature', floatWords(1)), false);
  const { targets, sites, stats } = inputs;
  const bindings = { ...read, targets, sites, stats, ...written };
  tape.dispatch('cross-entropy', 'forward', constants, bindings, () => softmaxGrid(rows.count, lanes));
}

const floatWords = (number: number) => new Uint32Array(Float32Array.of(number).buffer);
