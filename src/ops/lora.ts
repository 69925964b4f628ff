/** Low-rank adaptation (Hu et al. 2021): adds (α/r) (x Aᵀ) Bᵀ to parts of a layer, with an A and B for each. */
import { assert } from '../lib/assert';
import { linearGrid } from '../device/commands';
import type { Dispatch, Grid } from '../device/device';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/** Columns of a layer's output. */
export interface Columns {
  readonly first: number;
  readonly width: number;
}

export interface LoraOptions {
  /** α/r. */
  readonly scale: number;
  /** Up to three parts of y in ascending order. */
  readonly parts: readonly Columns[];
  /** Asked whenever the forward pass is encoded: switched off, y stays as it is, bit for bit. */
  readonly isOn: () => boolean;
  readonly rows?: Rows;
}

const noWork: Grid = { workgroups: [0, 0, 0], items: 0 };

/**
 * Changes y in place and returns it. In rows behind `rows`, gradients of y must be 0 and `hidden` finite.
 * @param y [N, WIDTH]
 * @param hidden [N, parts · R]: x times the As, one part's behind the other's
 * @param weight [OUT, R]: the Bs, one part's rows behind the other's
 */
export function lora(tape: Tape, y: Tensor, hidden: Tensor, weight: Tensor, options: LoraOptions): Tensor {
  const { parts, scale, isOn, rows } = options;
  const [N, WIDTH] = y.shape;
  const [OUT, R] = weight.shape;
  const widths = parts.map(({ width }) => width);
  const total = widths.reduce((sum, width) => sum + width, 0);
  assert(parts.length >= 1 && parts.length <= 3, `lora: ${parts.length} parts, and 1 to 3 are possible`);
  assert(total === OUT && hidden.shape.join() === `${N},${parts.length * R}`, `lora: ${y.name} does not fit its parts`);
  const { W: _, ...element } = elementConstants(R);
  const lows = [0, widths[0], widths[0] + (widths[1] ?? 0)];
  const shifts = lows.map((low, s) => (parts[s]?.first ?? low) - low);
  const constants = {
    ...element,
    N,
    OUT,
    WIDTH,
    PARTS: parts.length,
    R,
    LOW1: lows[1],
    LOW2: lows[2],
    SHIFT0: shifts[0],
    SHIFT1: shifts[1],
    SHIFT2: shifts[2],
    SCALE: scale,
    BOUNDED: false,
  };
  const all = rowGrid(N, OUT, rows);
  const grid: Dispatch['grid'] = () => (isOn() ? gridOf(all) : noWork);
  tape.dispatch('lora', 'forward', constants, { h: hidden, weight, y }, grid);
  tape.onBackward(() => {
    const [dy, dh, dweight] = [y.grad!, hidden.grad!, weight.grad!];
    tape.dispatch('lora', 'hidden', constants, { dy, weight, dh }, rowGrid(N, parts.length * R, rows));
    const bounded = { ...constants, BOUNDED: rows !== undefined };
    const inputs = { dy, h: hidden, dweight, ...(rows && { rows: rows.tensor }) };
    tape.dispatch('lora', 'weights', bounded, inputs, linearGrid(OUT * R, OUT));
  });
  return y;
}

const gridOf = (grid: Dispatch['grid']): Grid => (typeof grid === 'function' ? grid() : grid);
