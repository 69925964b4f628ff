/**
 * The run's metrics turned into one column a series, appended to as the run goes so that an update costs what is new,
 * not what is there. Lives outside reactivity: whoever changes it bumps a version.
 */
import type { Metrics } from '../../rl/report';
import type { SeriesSpec } from './specs';
import { nearest } from './series';

/** What is known of a column without reading it again. Rows are −1 while nothing was measured. */
export interface Facts {
  readonly measured: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly least: number;
  readonly greatest: number;
}

class GrowingColumn implements Facts {
  readonly values: number[] = [];
  measured = 0;
  firstRow = -1;
  lastRow = -1;
  least = Infinity;
  greatest = -Infinity;

  push(value: number): void {
    const row = this.values.push(value) - 1;
    if (Number.isNaN(value)) return;
    this.measured++;
    if (this.firstRow < 0) this.firstRow = row;
    this.lastRow = row;
    this.least = Math.min(this.least, value);
    this.greatest = Math.max(this.greatest, value);
  }
}

export class Columns {
  #rows: readonly Metrics[] = [];
  #iterations: number[] = [];
  #columns = new Map<(metrics: Metrics) => number | null, GrowingColumn>();

  /**
   * Takes the run's rows. Rows that were there before must be the same objects, or everything is read again: after each
   * row of a run so long that its rows are thinned, and they are bounded.
   */
  update(rows: readonly Metrics[]): void {
    const kept = this.#rows.length;
    const extends_ =
      rows.length >= kept && (kept === 0 || (rows[0] === this.#rows[0] && rows[kept - 1] === this.#rows[kept - 1]));
    if (!extends_) {
      this.#iterations = [];
      this.#columns.clear();
    }
    this.#rows = rows;
    for (let i = this.#iterations.length; i < rows.length; i++) this.#iterations.push(rows[i].iteration);
  }

  get length(): number {
    return this.#rows.length;
  }

  get iterations(): readonly number[] {
    return this.#iterations;
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

  nearest(iteration: number): number | null {
    return nearest(this.#iterations, iteration);
  }

  #column(read: (metrics: Metrics) => number | null): GrowingColumn {
    let column = this.#columns.get(read);
    if (!column) this.#columns.set(read, (column = new GrowingColumn()));
    for (let i = column.values.length; i < this.#rows.length; i++) column.push(finiteOrNaN(read(this.#rows[i])));
    return column;
  }
}

function finiteOrNaN(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : NaN;
}
