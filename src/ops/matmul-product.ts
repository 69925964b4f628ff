/**
 * One matrix product as dispatches: kernel, tile, splits of K. All follow from the shape except the kernel's variant,
 * which matmul-choice.ts measures. All variants add the same products in the same order and give the same bits.
 */
import { linearGrid, type Grid } from '../gpu/commands';
import type { Device } from '../gpu/device';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import type { Constants } from '../gpu/wgsl';
import { elementConstants, elementLanes } from './element';

/**
 * `lanes`: outputs in registers, any size. `blocks`: more outputs in registers, vec4f loads. `shared`: tiles in
 * workgroup memory, which is fastest on GPUs; its barriers are expensive on CPU adapters.
 */
export type LargeVariant = 'lanes' | 'blocks' | 'shared';
export type SmallVariant = 'lanes' | 'shared';

/** The variants for products that fill the device and for smaller ones. */
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
  /** How many of the M rows to compute; called when the dispatch is encoded. */
  readonly rows?: () => number;
}

const choices = new WeakMap<Device, MatmulChoice>();
const scratches = new WeakMap<Tape, Tensor>();

/** The choice without a measurement. */
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

/** 64 × 64 outputs: the tile of a workgroup on a GPU. */
const tileSize = 64;

/**
 * How many k each split sums. Weight gradients have a long K and too few outputs to occupy a GPU: they get splits of at
 * least 256 k, and about 64 tiles in all.
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
  const plain = { HAS_BIAS: false, HAS_RESIDUAL: false, ACCUMULATE: false };
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
  const adding = { HAS_BIAS: false, HAS_RESIDUAL: false, ACCUMULATE: true };
  if (splits === 1) {
    tape.dispatch('matmul-reduce', 'columns', adding, { sizes, x, c: grad }, grid);
    return;
  }
  const partial = scratch(tape, splits * N);
  tape.dispatch('matmul-reduce', 'columns', { ...adding, ACCUMULATE: false }, { sizes, x, c: partial }, grid);
  tape.dispatch('matmul-reduce', 'splits', adding, { sizes, partial, c: grad }, linearGrid(N));
}

function ending({ bias, residual, accumulate }: Product): { constants: Constants; bindings: Record<string, Tensor> } {
  return {
    constants: { HAS_BIAS: !!bias, HAS_RESIDUAL: !!residual, ACCUMULATE: !!accumulate },
    bindings: { ...(bias ? { bias } : {}), ...(residual ? { residual } : {}) },
  };
}

/** The tensor of partial sums that all products of a tape share; a larger one replaces it when needed. */
function scratch(tape: Tape, size: number): Tensor {
  const known = scratches.get(tape);
  if (known && known.shape[0] >= size) return known;
  const tensor = tape.constant('matmul partial sums', [size]);
  scratches.set(tape, tensor);
  return tensor;
}
