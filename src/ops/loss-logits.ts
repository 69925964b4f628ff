/** How a loss kernel is given logits: stored, or in slices. */
import { assert } from '../lib/assert';
import type { Constants } from '../device/device';
import type { Tensor } from '../device/tensor';
import { softmaxLanes } from './softmax-lanes';
import type { SlicedLogits } from './vocabulary-slices';

interface LossLogits {
  readonly M: number;
  /** Threads that share a site. */
  readonly lanes: number;
  readonly constants: Constants;
  /** Bindings that the kernel reads, and those that it writes. */
  readonly read: Readonly<Record<string, Tensor>>;
  readonly written: Readonly<Record<string, Tensor>>;
}

/** @param logits stored ones [M, V] have a gradient, to which the loss is added */
export function lossLogits(logits: Tensor | SlicedLogits): LossLogits {
  if ('slices' in logits) {
    const { hidden, weight, sums, slopes } = logits;
    const [M] = hidden.shape;
    const constants = { M, V: weight.shape[0], LANES: 1, WHOLE: false, SLICED: true };
    return { M, lanes: 1, constants, read: { sums }, written: { slopes } };
  }
  const [M, V] = logits.shape;
  assert(logits.grad, `${logits.name} needs a gradient to receive the loss`);
  const lanes = softmaxLanes(V);
  const constants = { M, V, LANES: lanes, WHOLE: true, SLICED: false };
  return { M, lanes, constants, read: { logits }, written: { logitsGrad: logits.grad } };
}
