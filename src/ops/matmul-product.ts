/**
 * One matrix product as dispatches: which kernel, what tile, whether K is split. Knows nothing of gradients.
 *
 * Everything here follows from the shape, but for the variant, which follows from the adapter; and all variants add the
 * same products in the same order, so they give the same bits. See `matmul-choice.ts` for how the variant is measured.
 */
import { linearGrid, type Grid } from '../gpu/commands';
import type { Device } from '../gpu/device';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import type { Constants } from '../gpu/wgsl';
import { elementConstants, elementLanes } from './element';

/**
 * `lanes`: outputs in registers, any size; `blocks`: many outputs in registers, vec4f loads; `shared`: tiles in
 * workgroup memory. Barriers are dear on CPU adapters, where one of the first two wins, and cheap on GPUs, where
 * `shared` does.
 */
export type LargeVariant = 'lanes' | 'blocks' | 'shared';
export type SmallVariant = 'lanes' | 'shared';

/** The variant for products that fill the device, and for those that do not (few rows, small weights). */
export interface MatmulChoice {
  readonly large: LargeVariant;
  readonly small: SmallVariant;
}

/** c [M, N] (+)= op(a) [M, K] · op(b) [K, N] (+ bias [N]) (+ residual [M, N]). */
export interface Product {
  readonly name: string;
  readonly a: Tensor;
  readonly transposeA: boolean;
  readonly b: Tensor;
  readonly transposeB: boolean;
  readonly c: Tensor;
  /** [M, N, K]. */
  readonly shape: readonly [number, number, number];
  readonly accumulate?: boolean;
  readonly bias?: Tensor | null;
  readonly residual?: Tensor | null;
  /** How many of the M rows to compute, asked for when the dispatch is encoded. */
  readonly rows?: () => number;
}

const choices = new WeakMap<Device, MatmulChoice>();
const scratches = new WeakMap<Tape, Tensor>();

/** The choice before any measuring. */
export function defaultChoice(device: Device): MatmulChoice {
  const variant = device.adapter.software ? 'lanes' : 'shared';
  return { large: variant, small: variant };
}

export function matmulChoice(device: Device): MatmulChoice {
  return choices.get(device) ?? defaultChoice(device);
}

export function setMatmulChoice(device: Device, choice: MatmulChoice): void {
  choices.set(device, choice);
}

/** 64 x 64 outputs: what a workgroup of a real GPU takes at once. */
const tileSize = 64;

/**
 * How many k each split sums. K is split where it is long and the outputs are too few to occupy a GPU, as in weight
 * gradients: at least 256 k a split, and at most about 64 tiles in all.
 */
export function splitSize([M, N, K]: Product['shape']): number {
  const tiles = Math.ceil(M / tileSize) * Math.ceil(N / tileSize);
  const splits = K < 1024 ? 1 : Math.min(16, Math.floor(K / 256), Math.ceil(64 / tiles));
  return Math.ceil(K / splits / 16) * 16;
}

interface Tile {
  readonly shader: string;
  readonly constants: Constants;
  /** Outputs of one workgroup. */
  readonly rows: number;
  readonly columns: number;
}

/** Outputs of a thread (`blocks` and `shared`: of 4x4) and threads of a workgroup. */
const tiles = {
  lanes: { large: { ROWS: 16, COLS: 8, WX: 4, WY: 4 }, small: { ROWS: 8, COLS: 8, WX: 4, WY: 4 } },
  blocks: { large: { ROWS: 4, COLS: 2, WX: 4, WY: 4 } },
  shared: { large: { ROWS: 2, COLS: 1, WX: 16, WY: 8 }, small: { ROWS: 1, COLS: 1, WX: 8, WY: 8 } },
};

/** The kernel for a shape [M, N, K] and its constants, all but those of layout and ending. */
export function tileOf(choice: MatmulChoice, shape: Product['shape'], splits: number): Tile {
  const [M, N] = shape;
  const large = Math.ceil(M / tileSize) * Math.ceil(N / tileSize) * splits >= 8;
  const aligned = elementLanes(...shape) === 4;
  const variant = !aligned ? 'lanes' : large ? choice.large : choice.small;
  const tile = large ? tiles[variant].large : tiles[variant as SmallVariant].small;
  const outputs = variant === 'lanes' ? 1 : 4;
  return {
    shader: `matmul-${variant}`,
    constants: { ...elementConstants(outputs), LANES: outputs, ...tile },
    rows: outputs * tile.ROWS * tile.WY,
    columns: outputs * tile.COLS * tile.WX,
  };
}

/** Appends the product's one or two dispatches. */
export function dispatchProduct(tape: Tape, product: Product, choice = matmulChoice(tape.device)): void {
  const { a, b, c, shape, transposeA, transposeB } = product;
  const [M, N, K] = shape;
  const rows = product.rows ?? (() => M);
  const chunk = splitSize(shape);
  const splits = Math.ceil(K / chunk);
  const strides = [...(transposeA ? [1, M] : [K, 1]), ...(transposeB ? [1, K] : [N, 1])];
  const sizes = tape.uniform(`${product.name}.sizes`, [M, N, K, chunk, ...strides]);
  const tile = tileOf(choice, shape, splits);
  const layout: Constants = tile.shader === 'matmul-lanes' ? {} : { TRANSPOSE_A: transposeA, TRANSPOSE_B: transposeB };
  const grid = (): Grid => [Math.ceil(N / tile.columns), Math.ceil(rows() / tile.rows), splits];
  const end = ending(product);
  if (splits === 1) {
    tape.dispatch(
      tile.shader,
      'forward',
      { ...tile.constants, ...layout, ...end.constants },
      { sizes, a, b, ...end.bindings, c },
      grid,
    );
    return;
  }
  const partial = scratch(tape, splits * M * N);
  const plain = { HAS_BIAS: 0, HAS_RESIDUAL: 0, ACCUMULATE: 0 };
  tape.dispatch(tile.shader, 'forward', { ...tile.constants, ...layout, ...plain }, { sizes, a, b, c: partial }, grid);
  tape.dispatch('matmul-reduce', 'splits', end.constants, { sizes, partial, ...end.bindings, c }, () =>
    linearGrid(rows() * N),
  );
}

/** grad [N] += the sums of the columns of x [K, N]. */
export function dispatchColumnSums(tape: Tape, name: string, x: Tensor, grad: Tensor): void {
  const [K, N] = x.shape;
  const chunk = Math.max(64, Math.ceil(K / 64));
  const splits = Math.ceil(K / chunk);
  const sizes = tape.uniform(`${name}.sizes`, [1, N, K, chunk]);
  const grid: Grid = [Math.ceil(N / 16), splits, 1];
  const adding = { HAS_BIAS: 0, HAS_RESIDUAL: 0, ACCUMULATE: 1 };
  if (splits === 1) {
    tape.dispatch('matmul-reduce', 'columns', adding, { sizes, x, c: grad }, grid);
    return;
  }
  const partial = scratch(tape, splits * N);
  tape.dispatch('matmul-reduce', 'columns', { ...adding, ACCUMULATE: 0 }, { sizes, x, c: partial }, grid);
  tape.dispatch('matmul-reduce', 'splits', adding, { sizes, partial, c: grad }, linearGrid(N));
}

function ending({ bias, residual, accumulate }: Product): { constants: Constants; bindings: Record<string, Tensor> } {
  return {
    constants: { HAS_BIAS: bias ? 1 : 0, HAS_RESIDUAL: residual ? 1 : 0, ACCUMULATE: accumulate ? 1 : 0 },
    bindings: { ...(bias ? { bias } : {}), ...(residual ? { residual } : {}) },
  };
}

/**
 * Partial sums live only from one dispatch to the next, so all products of a tape share one tensor, renewed when it is
 * too small.
 */
function scratch(tape: Tape, size: number): Tensor {
  const known = scratches.get(tape);
  if (known && known.shape[0] >= size) return known;
  const tensor = tape.constant('matmul partial sums', [size]);
  scratches.set(tape, tensor);
  return tensor;
}
