/**
 * One matrix product as dispatches: kernel, tile, splits of K. All follow from the shape except the kernel's variant,
 * which matmul-choice.ts measures. All variants add the same products in the same order and give the same bits.
 */
import { linearGrid } from '../device/commands';
import type { Constants, Device, Grid } from '../device/device';
import type { Tape } from '../device/tape';
import { rowStride, type Tensor } from '../device/tensor';
import type { Rows } from './rows';

/**
 * `lanes`: outputs in registers, any size. `blocks`: more outputs in registers, vec4f loads. `shared`: tiles in
 * workgroup memory, which is fastest on GPUs; its barriers are expensive on CPU adapters. `subgroups`: one operand is
 * shared among the threads of a subgroup, which is fastest on CPU adapters.
 */
export type LargeVariant = 'lanes' | 'blocks' | 'shared' | 'subgroups';
export type SmallVariant = Exclude<LargeVariant, 'blocks'>;

/** The variants for products that fill the device and for smaller ones. */
export interface MatmulChoice {
  readonly large: LargeVariant;
  readonly small: SmallVariant;
}

/** A stored matrix or its transpose; as the second of a product it may hold halves. */
export interface Operand {
  readonly tensor: Tensor;
  readonly transposed: boolean;
}

/** c [M, N] (+)= a [M, K] · b [K, N] (+ bias [N]) (+ residual [M, N]). */
export interface Product {
  readonly name: string;
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Tensor;
  readonly accumulate?: boolean;
  readonly bias?: Tensor;
  readonly residual?: Tensor;
  /** c is a gradient of weights: K, the tokens, may be summed in parts. */
  readonly ofWeights?: boolean;
  /** How many of the M rows to compute. */
  readonly rows?: Rows;
  /** How many of the K to sum: behind them, one operand is 0 and the other finite. */
  readonly depth?: Rows;
}

export function sizeOf({ tensor: { shape }, transposed }: Operand): readonly number[] {
  return transposed ? shape.toReversed() : shape;
}

export function transpose({ tensor, transposed }: Operand): Operand {
  return { tensor, transposed: !transposed };
}

/** The choice for a device; without one, the variants that usually are fastest. */
export const matmulChoices = new WeakMap<Device, MatmulChoice>();
const scratches = new WeakMap<Tape, Tensor>();

function defaultChoice({ adapter }: Device): MatmulChoice {
  const variant = !adapter.software ? 'shared' : adapter.subgroupSize ? 'subgroups' : 'lanes';
  return { large: variant, small: variant };
}

/** [M, N, K] */
type Shape = readonly [number, number, number];

/** 64 × 64 outputs: the tile of a workgroup on a GPU. */
const tileSize = 64;

/**
 * How many k each split of a weight gradient sums. It has a long K and too few outputs to occupy a GPU: it gets splits
 * of at least 256 k, and about 64 tiles in all. Nothing else is split: there M is tokens, and the bits of a token must
 * not depend on how many others are beside it.
 */
export function splitSize([M, N, K]: Shape): number {
  const tiles = Math.ceil(M / tileSize) * Math.ceil(N / tileSize);
  const splits = K < 1024 ? 1 : Math.min(16, Math.floor(K / 256), Math.ceil(64 / tiles));
  return Math.ceil(K / splits / 16) * 16;
}

/** Outputs of a thread (`blocks` and `shared`: of 4x4) and threads of a workgroup. */
const tiles = {
  lanes: { large: { ROWS: 16, COLS: 8, WX: 4, WY: 4 }, small: { ROWS: 8, COLS: 8, WX: 4, WY: 4 } },
  blocks: { large: { ROWS: 4, COLS: 2, WX: 4, WY: 4 } },
  shared: { large: { ROWS: 2, COLS: 1, WX: 16, WY: 8 }, small: { ROWS: 1, COLS: 1, WX: 8, WY: 8 } },
};

/**
 * The kernel for a shape, its constants (all but those of layout and ending), and the outputs of a workgroup.
 * @param subgroup threads of a subgroup, for the variant of that name: 4 or more
 */
export function tileOf(choice: MatmulChoice, shape: Shape, splits: number, subgroup = 0) {
  const [M, N] = shape;
  const large = Math.ceil(M / tileSize) * Math.ceil(N / tileSize) * splits >= 8;
  const aligned = shape.every((size) => size % 4 === 0);
  const variant = !aligned ? 'lanes' : large ? choice.large : choice.small;
  const shader = `matmul-${variant}`;
  const outputs = variant === 'lanes' ? 1 : 4;
  const elements = { VEC4: outputs === 4, SCALAR: outputs === 1, LANES: outputs };
  if (variant === 'subgroups') {
    const SHARES = Math.ceil(16 / subgroup);
    const constants = { ...elements, SHARES, SUBGROUP: subgroup };
    return { shader, constants, tileRows: SHARES * subgroup, tileColumns: 4 * subgroup };
  }
  const tile = large ? tiles[variant].large : tiles[variant as Exclude<SmallVariant, 'subgroups'>].small;
  return {
    shader,
    constants: { ...elements, ...tile },
    tileRows: outputs * tile.ROWS * tile.WY,
    tileColumns: outputs * tile.COLS * tile.WX,
  };
}

/** Appends the product's one or two dispatches. */
export function dispatchProduct(
  tape: Tape,
  { name, a, b, c, bias, residual, accumulate = false, ofWeights = false, rows, depth }: Product,
  choice = matmulChoices.get(tape.device) ?? defaultChoice(tape.device),
): void {
  const [M, K] = sizeOf(a);
  const [, N] = sizeOf(b);
  const chunk = ofWeights ? splitSize([M, N, K]) : K;
  const splits = Math.ceil(K / chunk);
  const width = rowStride(b.tensor);
  const strides = [...(a.transposed ? [1, M] : [K, 1]), ...(b.transposed ? [1, width] : [width, 1])];
  const sizes = tape.uniform(`${name}.sizes`, [M, N, K, chunk, ...strides]);
  const { shader, constants, tileRows, tileColumns } = tileOf(
    choice,
    [M, N, K],
    splits,
    tape.device.adapter.subgroupSize,
  );
  const layout: Constants = shader === 'matmul-lanes' ? {} : { TRANSPOSE_A: a.transposed, TRANSPOSE_B: b.transposed };
  const HALF_B = b.tensor.type === 'f16';
  const stored: Constants = { HALF_B, FULL_B: !HALF_B };
  const activeRows = () => rows?.count ?? M;
  const activeSplits = () => Math.ceil((depth?.count ?? K) / chunk);
  const bound = depth && { rows: depth.tensor };
  const multiply = (ending: Constants, outputs: Record<string, Tensor>) =>
    tape.dispatch(
      shader,
      'forward',
      { ...constants, ...layout, ...ending, ...stored, BOUNDED: depth !== undefined },
      { sizes, a: a.tensor, b: b.tensor, ...bound, ...outputs },
      (): Grid => ({
        workgroups: [Math.ceil(N / tileColumns), Math.ceil(activeRows() / tileRows), activeSplits()],
        items: activeRows(),
      }),
    );
  const ending = { HAS_BIAS: !!bias, HAS_RESIDUAL: !!residual, ACCUMULATE: accumulate };
  const outputs = { ...(bias && { bias }), ...(residual && { residual }), c };
  if (splits === 1) return multiply(ending, outputs);
  const partial = scratch(tape, splits * M * N);
  multiply(noEnding, { c: partial });
  const grid = () => linearGrid(activeRows() * N);
  const terms = { sizes, partial, ...bound, ...outputs };
  tape.dispatch('matmul-reduce', 'splits', { ...ending, BOUNDED: depth !== undefined }, terms, grid);
}

const noEnding = { HAS_BIAS: false, HAS_RESIDUAL: false, ACCUMULATE: false, BOUNDED: false };

/** grad [N] += the sums of the columns of x [K, N]. */
export function dispatchColumnSums(tape: Tape, name: string, x: Tensor, grad: Tensor): void {
  const [K, N] = x.shape;
  const chunk = Math.max(64, Math.ceil(K / 64));
  const splits = Math.ceil(K / chunk);
  const sizes = tape.uniform(`${name}.sizes`, [1, N, K, chunk]);
  const sum = (ending: Constants, c: Tensor) =>
    tape.dispatch(
      'matmul-reduce',
      'columns',
      ending,
      { sizes, x, c },
      {
        workgroups: [Math.ceil(N / 16), splits, 1],
        items: N,
      },
    );
  const adding = { ...noEnding, ACCUMULATE: true };
  if (splits === 1) return sum(adding, grad);
  const partial = scratch(tape, splits * N);
  sum(noEnding, partial);
  tape.dispatch('matmul-reduce', 'splits', adding, { sizes, partial, c: grad }, linearGrid(N));
}

/** The tensor of partial sums that all products of a tape share; a larger one replaces it when needed. */
function scratch(tape: Tape, size: number): Tensor {
  const known = scratches.get(tape);
  if (known && known.shape[0] >= size) return known;
  const tensor = tape.constant('matmul partial sums', [size]);
  scratches.set(tape, tensor);
  return tensor;
}
