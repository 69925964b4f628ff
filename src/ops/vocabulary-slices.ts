/**
 * Logits of a large vocabulary, of which a slice exists at a time (shaders/softmax-slices.wgsl): a product with some
 * rows of the head's weight, then its part of the softmax. Backward computes each slice again and turns it into the
 * gradient there, so neither [M, V] logits nor their gradient are stored.
 */
import { assert } from '../lib/assert';
import type { Dispatch } from '../device/device';
import type { Tape } from '../device/tape';
import { elementCount, rowStride, viewTensor, type Tensor } from '../device/tensor';
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
  return { hidden, weight, rows, slices, sums: perSite('softmax sums'), slopes: perSite('logit slopes') };
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
 * @param inverseTemperature a uniform that begins with this number
 */
export function gatherSlices(
  tape: Tape,
  logits: SlicedLogits,
  { targets, sites }: SliceInputs,
  inverseTemperature: Tensor,
): void {
  const { hidden, rows, slices, sums, slopes } = logits;
  const [M] = hidden.shape;
  for (const slice of slices) {
    appendLogits(tape, logits, slice);
    const bindings = { logits: slice.logits, targets, sums, inverseTemperature, slice: slice.range };
    tape.dispatch(
      'softmax-slices',
      'gather',
      {},
      bindings,
      siteGrid(() => rows.count),
    );
  }
  tape.onBackward(() => {
    // Products compute whole tiles of rows; those behind the used ones have weight 0, and their gradient must be 0.
    const grid = siteGrid(() => Math.min(M, tileRows * Math.ceil(rows.count / tileRows)));
    for (const slice of slices) {
      appendLogits(tape, logits, slice);
      const bindings = { logits: slice.logits, targets, sites, slopes, inverseTemperature, slice: slice.range };
      tape.dispatch('softmax-slices', 'gradient', {}, bindings, grid);
      appendGradients(tape, logits, slice);
    }
  });
}

function appendLogits(tape: Tape, { hidden, rows }: SlicedLogits, { weight, logits }: Slice): void {
  const [a, b] = [
    { tensor: hidden, transposed: false },
    { tensor: weight, transposed: true },
  ];
  dispatchProduct(tape, { name: 'logits', a, b, c: logits, rows });
}

function appendGradients(tape: Tape, { hidden, rows }: SlicedLogits, { weight, logits }: Slice): void {
  const gradient = { tensor: logits, transposed: false };
  const accumulate = true;
  if (hidden.grad) {
    const b = { tensor: weight, transposed: false };
    dispatchProduct(tape, { name: 'logits.da', a: gradient, b, c: hidden.grad, accumulate, rows });
  }
  if (weight.grad) {
    const [a, b] = [transpose(gradient), { tensor: hidden, transposed: false }];
    dispatchProduct(tape, { name: 'logits.db', a, b, c: weight.grad, accumulate, ofWeights: true, depth: rows });
  }
}

/** A workgroup a site. */
const siteGrid =
  (count: () => number): Dispatch['grid'] =>
  () => ({ workgroups: [count(), 1, 1], items: count() });
