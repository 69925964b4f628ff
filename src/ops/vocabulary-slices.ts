/**
 * Logits of a large vocabulary, of which a slice exists at a time (shaders/softmax-slices.wgsl): a product with some
 * rows of the head's weight, then its part of the softmax. Neither [M, V] logits nor their gradient are stored.
 *
 * Of a frozen head the gradient of a hidden state is a slope times the target's row less the mean of all rows under the
 * softmax. Their sum grows with the softmax, as in attention over rows that are keys and values: two products a slice.
 * A head that trains, and a bonus for entropy, need more than that mean: backward computes each slice again and turns
 * it into the gradient there.
 */
import { assert } from '../lib/assert';
import type { Dispatch } from '../device/device';
import type { Tape } from '../device/tape';
import { linearGrid } from '../device/commands';
import { elementCount, rowStride, viewTensor, type Tensor } from '../device/tensor';
import { dispatchRows } from './embedding';
import { dispatchProduct, transpose } from './matmul-product';
import type { Rows } from './rows';

/** Logits with their gradient that take more bytes than this are computed in slices. */
export const maxWholeLogitBytes = 1 << 27;
/** Of the logits of a slice. */
const defaultSliceBytes = 1 << 25;
/** A slice begins at a multiple, so that a view of its weights can be bound. */
const alignedTokens = 64;
/** A multiple of the rows of a tile, in every variant of the product. */
const tileRows = 128;

export interface SlicedLogits {
  readonly hidden: Tensor; // [M, D]
  readonly weight: Tensor; // [V, D]
  readonly rows: Rows;
  readonly slices: readonly Slice[];
  readonly sums: Tensor; // [M, 4]
  readonly slopes: Tensor; // [M, 4]
  /** Null if the weight trains, or nothing does. */
  readonly pull: { readonly rowSums: Tensor; readonly targetRows: Tensor } | null; // [M, D] each
}

interface Slice {
  /** u32 [2]: first token, and how many. */
  readonly range: Tensor;
  readonly weight: Tensor; // [COUNT, D]
  readonly logits: Tensor; // [M, COUNT], the memory of all slices
}

/**
 * The logits hidden · weightᵀ.
 * @param tape owns the tensors
 * @param weight [V, D], of float32 or frozen halves
 * @param rows number of leading rows of `hidden` to compute
 */
export function sliceLogits(
  tape: Tape,
  hidden: Tensor,
  weight: Tensor,
  rows: Rows,
  sliceBytes = defaultSliceBytes,
): SlicedLogits {
  const [M, D] = hidden.shape;
  const [V, inner] = weight.shape;
  assert(inner === D, () => `logits: ${weight.name} is ${inner} wide, and the hidden states are ${D}`);
  const most = alignedTokens * Math.max(1, Math.floor(sliceBytes / (4 * M * alignedTokens)));
  const memory = tape.constant('logits of a slice', [M * Math.min(V, most)]);
  const slices: Slice[] = [];
  for (let first = 0; first < V; first += most) {
    const count = Math.min(most, V - first);
    const part = (of: Tensor, grad: Tensor | null) =>
      viewTensor(of, `${of.name} from ${first}`, first * rowStride(of), [count, D], grad);
    slices.push({
      range: tape.uniform('slice of the vocabulary', [first, count]),
      weight: part(weight, weight.grad && part(weight.grad, null)),
      logits: viewTensor(memory, 'logits', 0, [M, count]),
    });
  }
  const perSite = (name: string) => tape.constant(name, [M, 4]);
  const perHidden = (name: string) => tape.constant(name, [M, D]);
  const pull =
    hidden.grad && !weight.grad
      ? { rowSums: perHidden('sums of rows'), targetRows: perHidden('rows of targets') }
      : null;
  return { hidden, weight, rows, slices, sums: perSite('softmax sums'), slopes: perSite('logit slopes'), pull };
}

/** Whether [M, V] logits with their gradient are too large to be stored. */
export function needsSlices(M: number, V: number): boolean {
  return 2 * elementCount([M, V]) * 4 > maxWholeLogitBytes;
}

/** What a loss says of each site of sliced logits. */
interface SliceInputs {
  readonly targets: Tensor; // u32 [M]
  /** The last of four is the weight; it is 0 behind the used sites. */
  readonly sites: Tensor; // [M, 4]
}

/**
 * Appends the sums over all slices, before the loss that reads them is appended, and registers the gradient by the
 * slopes that it writes.
 * @param tape one that does not train has no gradient
 * @param inverseTemperature a uniform that begins with this number
 * @param hasSpread whether the loss may write slopes with a spread
 */
export function gatherSlices(
  tape: Tape,
  logits: SlicedLogits,
  { targets, sites }: SliceInputs,
  inverseTemperature: Tensor,
  hasSpread: boolean,
): void {
  const { hidden, rows, slices, sums, slopes } = logits;
  const [M, D] = hidden.shape;
  const constants = { M, D };
  const pull = tape.training && !hasSpread ? logits.pull : null;
  for (const slice of slices) {
    appendLogits(tape, logits, slice);
    const bindings = { logits: slice.logits, targets, sums, inverseTemperature, slice: slice.range };
    const grid = siteGrid(() => rows.count);
    if (!pull) tape.dispatch('softmax-slices', 'gather', constants, bindings, grid);
    else {
      const { rowSums } = pull;
      tape.dispatch('softmax-slices', 'weigh', constants, { ...bindings, rowSums }, grid);
      const [a, b] = [asStored(slice.logits), asStored(slice.weight)];
      dispatchProduct(tape, { name: 'logits.rows', a, b, c: rowSums, accumulate: slice !== slices[0], rows });
    }
  }
  tape.onBackward(() => {
    if (pull) return appendPull(tape, logits, pull, targets, sites);
    // Products compute whole tiles of rows; those behind the used ones have weight 0, and their gradient must be 0.
    const grid = siteGrid(() => Math.min(M, tileRows * Math.ceil(rows.count / tileRows)));
    for (const slice of slices) {
      appendLogits(tape, logits, slice);
      const bindings = { logits: slice.logits, targets, sites, slopes, inverseTemperature, slice: slice.range };
      tape.dispatch('softmax-slices', 'gradient', constants, bindings, grid);
      appendGradients(tape, logits, slice);
    }
  });
}

/** Appends the gradient of the hidden states by the sums of rows. */
function appendPull(
  tape: Tape,
  { hidden, weight, rows, sums, slopes }: SlicedLogits,
  { rowSums, targetRows }: NonNullable<SlicedLogits['pull']>,
  targets: Tensor,
  sites: Tensor,
): void {
  const [M, D] = hidden.shape;
  dispatchRows(tape, weight, targets, targetRows, rows);
  const bindings = { rowSums, targetRows, sums, sites, slopes, dhidden: hidden.grad! };
  const grid = () => linearGrid(rows.count * D, rows.count);
  tape.dispatch('softmax-slices', 'pull', { M, D }, bindings, grid);
}

const asStored = (tensor: Tensor) => ({ tensor, transposed: false });

function appendLogits(tape: Tape, { hidden, rows }: SlicedLogits, { weight, logits }: Slice): void {
  dispatchProduct(tape, { name: 'logits', a: asStored(hidden), b: transpose(asStored(weight)), c: logits, rows });
}

function appendGradients(tape: Tape, { hidden, rows }: SlicedLogits, { weight, logits }: Slice): void {
  const gradient = asStored(logits);
  const accumulate = true;
  if (hidden.grad) {
    const b = asStored(weight);
    dispatchProduct(tape, { name: 'logits.da', a: gradient, b, c: hidden.grad, accumulate, rows });
  }
  if (weight.grad) {
    const [a, b] = [transpose(gradient), asStored(hidden)];
    dispatchProduct(tape, { name: 'logits.db', a, b, c: weight.grad, accumulate, ofWeights: true, depth: rows });
  }
}

/** A workgroup a site. */
const siteGrid =
  (count: () => number): Dispatch['grid'] =>
  () => ({ workgroups: [count(), 1, 1], items: count() });
