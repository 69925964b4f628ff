/** Arithmetic on columns of numbers that may grow: smoothing, decimation, search. NaN means "not measured". */
import { spacingOf } from './thin';

export type Column = ArrayLike<number>;

/** Fewer measured points than this are never smoothed: the average would hide them. */
export const minSmoothedPoints = 10;

/**
 * Exponential moving average with the start's bias removed (Kingma & Ba 2015, section 3) of a column that grows:
 * m = s·m + (1 − s)·y, shown m / (1 − sⁿ) with n the measured points so far.
 */
export class MovingAverage {
  readonly #values: number[] = [];
  #mean = 0;
  #weight = 1;

  /** @param smoothing s in 0 … 0.999 */
  constructor(readonly smoothing: number) {}

  /** Of a column that begins with what it was given before: costs what is new. */
  of(column: Column): readonly number[] {
    const { smoothing } = this;
    for (let i = this.#values.length; i < column.length; i++) {
      const value = column[i];
      if (!Number.isNaN(value)) {
        this.#mean = smoothing * this.#mean + (1 - smoothing) * value;
        this.#weight *= smoothing;
      }
      this.#values.push(Number.isNaN(value) ? value : this.#mean / (1 - this.#weight));
    }
    return this.#values;
  }
}

/**
 * Indices in [from, to) to draw so that no peak is lost: per bucket the least and the greatest point of every column,
 * and both ends. Ascending and unique; all of them if there are no more than `buckets` × 2 × columns. A bucket has as
 * many rows as a power of 2, and its place does not depend on the range, so its extremes are looked for once.
 * @param columns each may have grown since it was given before, at its end only
 * @param buckets the greatest number of them, but for those that the range cuts
 */
export function decimate(columns: readonly Column[], from: number, to: number, buckets: number): number[] {
  const count = to - from;
  if (count <= 0) return [];
  if (count <= buckets * 2 * columns.length) return Array.from({ length: count }, (_, i) => from + i);
  const size = spacingOf(count, buckets);
  const known = columns.map((column) => knownExtremes(column, size));
  const out: number[] = [from];
  const picked: number[] = [];
  for (let bucket = Math.floor(from / size); bucket * size < to; bucket++) {
    const start = Math.max(from, bucket * size);
    const end = Math.min(to, (bucket + 1) * size);
    picked.length = 0;
    columns.forEach((column, i) => {
      const extremes = end - start === size ? (known[i][bucket] ??= extremesOf(column, start, end)) : undefined;
      picked.push(...(extremes ?? extremesOf(column, start, end)));
    });
    picked.sort((a, b) => a - b);
    for (const index of picked) if (index > out[out.length - 1]) out.push(index);
  }
  if (out[out.length - 1] !== to - 1) out.push(to - 1);
  return out;
}

/** Column → size of a bucket → extremes of each whole bucket that was looked at. */
const extremes = new WeakMap<Column, Map<number, (readonly number[])[]>>();

function knownExtremes(column: Column, size: number): (readonly number[])[] {
  const bySize = extremes.get(column) ?? new Map<number, (readonly number[])[]>();
  const known = bySize.get(size) ?? [];
  extremes.set(column, bySize.set(size, known));
  return known;
}

/** Rows of the least and the greatest value in [start, end); none if nothing was measured there. */
function extremesOf(column: Column, start: number, end: number): readonly number[] {
  let minAt = -1;
  let maxAt = -1;
  for (let i = start; i < end; i++) {
    const value = column[i];
    if (Number.isNaN(value)) continue;
    if (minAt < 0 || value < column[minAt]) minAt = i;
    if (maxAt < 0 || value > column[maxAt]) maxAt = i;
  }
  return minAt < 0 ? [] : [minAt, maxAt];
}

/** First index whose value is ≥ x in an ascending column; its length if there is none. */
export function lowerBound(ascending: Column, x: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value of an ascending column nearest to x, or null if it is empty. */
export function nearest(ascending: Column, x: number): number | null {
  if (ascending.length === 0) return null;
  const at = lowerBound(ascending, x);
  if (at === 0) return ascending[0];
  if (at === ascending.length) return ascending[at - 1];
  return x - ascending[at - 1] <= ascending[at] - x ? ascending[at - 1] : ascending[at];
}
