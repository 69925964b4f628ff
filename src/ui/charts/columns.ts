/**
 * The run's metrics as one column a series. A snapshot is made for each update of the run; it takes over the columns of
 * the snapshot before it and appends, so an update costs what is new.
 */
import type { Metrics } from '../../rl/report';
import type { SeriesSpec } from './specs';
import { nearest } from './series';

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

  push(value: number): void {
    const row = this.values.push(value) - 1;
    if (Number.isNaN(value)) return;
    this.measured++;
    if (this.firstRow < 0) this.firstRow = row;
    this.lastRow = row;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }
}

export class Columns {
  readonly iterations: readonly number[];
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
    this.iterations = rows.map(({ iteration }) => iteration);
    this.#columns = previous?.isPrefixOf(rows) ? previous.#columns : new Map();
  }

  get length(): number {
    return this.rows.length;
  }

  /** Values of a series, one a row; NaN where it was not measured, or is no number. */
  values(series: SeriesSpec): readonly number[] {
    return this.#column(series.value).values;
  }

  facts(series: SeriesSpec): Facts {
    return this.#column(series.value);
  }

  spreads(series: SeriesSpec): readonly number[] | null {
    return series.spread ? this.#column(series.spread).values : null;
  }

  bands(series: SeriesSpec): { readonly low: readonly number[]; readonly high: readonly number[] } | null {
    const { band } = series;
    return band ? { low: this.#column(band.low).values, high: this.#column(band.high).values } : null;
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
