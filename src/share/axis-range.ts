/** The range of an axis for its values: always finite, and wide enough for ticks to differ. */

/**
 * Values that differ by less than this share of themselves are one value: smoothing a constant leaves such differences.
 */
const minSpan = 1e-9;
/** Absolute differences below this are rounding. */
const minDifference = 1e-12;
/** An axis ends here; a line may leave it. Spans and margins of such numbers are still finite. */
const furthest = 1e100;
/** Share of the span left free above and below. */
const marginShare = 0.06;

export type AxisRange = readonly [low: number, high: number];

/** @param low least and @param high greatest value shown; with `fromZero` the axis shows 0 as well */
export function linearRange(low: number, high: number, fromZero = false): AxisRange {
  const zero = fromZero ? [0] : [];
  const bottom = Math.min(withinReach(low), ...zero);
  const top = Math.max(withinReach(high), bottom, ...zero);
  const margin = isOneValue(bottom, top) ? Math.max(1, Math.abs(top)) / 2 : (top - bottom) * marginShare;
  return [bottom === 0 && (fromZero || top > 0) ? 0 : bottom - margin, top + margin];
}

/** Whole powers of ten around positive values, at least one apart. */
export function logRange(low: number, high: number): AxisRange {
  const exponent = (value: number): number => Math.min(Math.max(Math.log10(value), -30), 30);
  const first = Math.floor(exponent(low));
  return [10 ** first, 10 ** Math.max(Math.ceil(exponent(high)), first + 1)];
}

/** Whether a line between these two would have no scale of its own. */
export function isOneValue(low: number, high: number): boolean {
  return high - low <= Math.max(minDifference, minSpan * Math.max(Math.abs(low), Math.abs(high)));
}

/** The nearest number that an axis reaches. */
export function withinReach(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, -furthest), furthest);
}
