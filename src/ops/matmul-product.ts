/**
 * One matrix product as dispatches: which kernel, what tile, whether K is split. Knows nothing of gradients.
 *
 * Everything here follows from the shape, but for the variant, which follows from the adapter; and both variants add the same
 * products in the same order, so they give the same bits. See `matmul-choice.ts` for how the variant is measured.
 */
import { linearGrid, type Grid } from '../gpu/commands';
import type { Device } from '../gpu/device';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import type { Constants } from '../gpu/wgsl';
import { elementConstants, elementLanes } from './element';

/** `register`: outputs in registers, no barrier, best on CPU adapters. `shared`: tiles in workgroup memory, best on most GPUs. */
export type MatmulVariant = 'register' | 'shared';

/** The variant for products that fill the device, and for those that do not (few rows, small weights). */
export interface MatmulChoice {
  readonly large: MatmulVariant;
  readonly small: MatmulVariant;
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
  const variant = device.adapter.software ? 'register' : 'shared';
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
 * How many k each split sums. K is split where it is long and the outputs are too few to occupy a GPU, as in weight gradients:
 * at least 256 k a split, and at most about 64 tiles in all.
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

export function tileOf(choice: MatmulChoice, shape: Product['shape'], splits: number): Tile {
  if (elementLanes(...shape) === 1) {
    return { shader: 'matmul-ragged', constants: { ...elementConstants(1), LANES: 1 }, rows: 16, columns: 16 };
  }
  const [M, N] = shape;
  const large = Math.ceil(M / tileSize) * Math.ceil(N / tileSize) * splits >= 8;
  const variant = large ? choice.large : choice.small;
  const tile =
    variant === 'register'
      ? { ROWS: large ? 4 : 2, COLS: 2, WX: 4, WY: 4 }
      : large
        ? { ROWS: 2, COLS: 1, WX: 16, WY: 8 }
        : { ROWS: 1, COLS: 1, WX: 8, WY: 8 };
  return {
    shader: `matmul-${variant}`,
    constants: { ...elementConstants(4), LANES: 4, ...tile },
    rows: 4 * tile.ROWS * tile.WY,
    columns: 4 * tile.COLS * tile.WX,
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
  const layout: Constants = tile.shader === 'matmul-ragged' ? {} : { TRANSPOSE_A: transposeA, TRANSPOSE_B: transposeB };
  const grid = (): Grid => [Math.ceil(N / tile.columns), Math.ceil(rows() / tile.rows), splits];
  const end = ending(product);
  if (splits === 1) {
    tape.dispatch(tile.shader, 'forward', { ...tile.constants, ...layout, ...end.constants }, { sizes, a, b, ...end.bindings, c }, grid);
    return;
  }
  const partial = scratch(tape, splits * M * N);
  const plain = { HAS_BIAS: 0, HAS_RESIDUAL: 0, ACCUMULATE: 0 };
  tape.dispatch(tile.shader, 'forward', { ...tile.constants, ...layout, ...plain }, { sizes, a, b, c: partial }, grid);
  tape.dispatch('matmul-reduce', 'splits', end.constants, { sizes, partial, ...end.bindings, c }, () => linearGrid(rows() * N));
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

/** Partial sums live only from one dispatch to the next, so all products of a tape share one tensor, renewed when it is too small. */
function scratch(tape: Tape, size: number): Tensor {
  const known = scratches.get(tape);
  if (known && known.shape[0] >= size) return known;
  const tensor = tape.constant('matmul partial sums', [size]);
  scratches.set(tape, tensor);
  return tensor;
}
