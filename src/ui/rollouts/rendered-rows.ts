/** The rows of a long list to render: those on screen, a few around them, and the one with the focus. */

/** Lists up to this long are rendered whole. */
export const maxUnwindowedRows = 200;
const extraRows = 12;

/** Ascending row numbers. */
export function rowsToRender(
  count: number,
  scrollTopPx: number,
  heightPx: number,
  rowPx: number,
  active: number,
): number[] {
  if (count <= maxUnwindowedRows) return Array.from({ length: count }, (_, i) => i);
  const from = Math.max(0, Math.floor(scrollTopPx / rowPx) - extraRows);
  const to = Math.min(count, Math.ceil((scrollTopPx + heightPx) / rowPx) + extraRows);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  if (active < 0 || active >= count || (active >= from && active < to)) return rows;
  return active < from ? [active, ...rows] : [...rows, active];
}
