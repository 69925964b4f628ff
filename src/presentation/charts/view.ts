/** The visible range of iterations, shared by all charts (null is "everything"), and keys that move the crosshair. */

export interface View {
  readonly from: number;
  readonly to: number;
}

/** Minimum width in iterations. */
export const minViewWidth = 4;

export function clampView(view: View, whole: View): View | null {
  const width = Math.max(view.to - view.from, Math.min(minViewWidth, whole.to - whole.from));
  if (width >= whole.to - whole.from) return null;
  const middle = (view.from + view.to) / 2;
  const from = Math.min(Math.max(middle - width / 2, whole.from), whole.to - width);
  return { from, to: from + width };
}

/** `factor` below 1 zooms in. Keeps `around` where it is. */
export function zoom(view: View, whole: View, factor: number, around: number): View | null {
  const from = around - (around - view.from) * factor;
  return clampView({ from, to: from + (view.to - view.from) * factor }, whole);
}

/** Moves by a share of the visible width. */
export function pan(view: View, whole: View, share: number): View | null {
  const by = (view.to - view.from) * share;
  return clampView({ from: view.from + by, to: view.to + by }, whole);
}

/** A number of iterations forward or back, to an end, or away. */
export type Move = number | 'first' | 'last' | 'none';

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Undefined for any other key. */
export function crosshairMove(event: Press): Move | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const far = event.shiftKey ? 10 : 1;
  const moves: Record<string, Move> = {
    ArrowRight: far,
    ArrowUp: far,
    ArrowLeft: -far,
    ArrowDown: -far,
    PageUp: 10,
    PageDown: -10,
    Home: 'first',
    End: 'last',
    Escape: 'none',
  };
  return moves[event.key];
}
