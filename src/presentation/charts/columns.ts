/**
 * The run's metrics as one column a series. A snapshot is made for each update of the run; it takes over the columns of
 * the snapshot before it and appends, so an update costs what is new.
 */
import type { Metrics } from '../../rl/report';
import type { SeriesSpec } from './specs';
import { minSmoothedPoints, MovingAverage, nearest } from '../../lib/series';

/** Summary of a column. Rows are −1 while nothing was measured. */
export interface Facts {
  readonly measured: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly min: number;
  readonly max: number;
}

class GrowingColumn implements Facts {
  readonly values: number[] = [];
  measured = 0;
  firstRow = -1;
  lastRow = -1;
  min = Infinity;
  max = -Infinity;
  /** With the smoothing of the charts, which is one at a time. */
  #average = new MovingAverage(0);

  push(value: number): void {
    const row = this.values.push(value) - 1;
    if (Number.isNaN(value)) return;
    this.measured++;
    if (this.firstRow < 0) this.firstRow = row;
    this.lastRow = row;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  smoothed(smoothing: number): readonly number[] {
    if (smoothing <= 0 || this.measured < minSmoothedPoints) return this.values;
    if (smoothing !== this.#average.smoothing) this.#average = new MovingAverage(smoothing);
    return this.#average.of(this.values);
  }
}

export class Columns {
  readonly #iterations: number[];
  readonly #columns: Map<(metrics: Metrics) => number | null, GrowingColumn>;

  /**
   * @param rows of the run, ascending by iteration
   * @param previous the snapshot before, which must not be read any more. Its columns are kept if `rows` begin with the
   * very objects it was made of, and read again otherwise: after each row of a run so long that its rows are thinned,
   * and those are bounded.
   */
  constructor(
    private readonly rows: readonly Metrics[],
    previous?: Columns,
  ) {
    const kept = previous?.isPrefixOf(rows) ? previous : null;
    this.#columns = kept ? kept.#columns : new Map();
    this.#iterations = kept ? kept.#iterations : [];
    for (let i = this.#iterations.length; i < rows.length; i++) this.#iterations.push(rows[i].iteration);
  }

  get iterations(): readonly number[] {
    return this.#iterations;
  }

  get length(): number {
    return this.rows.length;
  }

  /**
   * Values of a series, one a row; NaN where it was not measured, or is no number.
   * @param smoothing 0 … 0.999; where too few were measured for it they stay as they are
   */
  values(series: SeriesSpec, smoothing = 0): readonly number[] {
    return this.#column(series.value).smoothed(smoothing);
  }

  facts(series: SeriesSpec): Facts {
    return this.#column(series.value);
  }

  spreads({ spread }: SeriesSpec, smoothing = 0): readonly number[] | null {
    return spread ? this.#column(spread).smoothed(smoothing) : null;
  }

  bands({ band }: SeriesSpec, smoothing = 0): { low: readonly number[]; high: readonly number[] } | null {
    return band
      ? { low: this.#column(band.low).smoothed(smoothing), high: this.#column(band.high).smoothed(smoothing) }
      : null;
  }

  nearest(iteration: number): number | null {
    return nearest(this.iterations, iteration);
  }

  private isPrefixOf(rows: readonly Metrics[]): boolean {
    const { length } = this.rows;
    return length <= rows.length && this.rows[0] === rows[0] && this.rows[length - 1] === rows[length - 1];
  }

  #column(read: (metrics: Metrics) => number | null): GrowingColumn {
    let column = this.#columns.get(read);
    if (!column) this.#columns.set(read, (column = new GrowingColumn()));
    for (let i = column.values.length; i < this.rows.length; i++) column.push(finiteOrNaN(read(this.rows[i])));
    return column;
  }
}

function finiteOrNaN(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : NaN;
}
