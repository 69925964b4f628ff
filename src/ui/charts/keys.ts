/** Keys that move the crosshair. Pure. */

/** A number of iterations forward or back, to an end, or away. */
export type Move = number | 'first' | 'last' | 'none';

/** Undefined for any other key. */
export function crosshairMove(event: KeyboardEvent): Move | undefined {
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
