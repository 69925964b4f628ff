/** What all charts of a run share: columns, visible range, smoothing, colours and crosshair. Draws nothing. */
import type { Metrics } from '../../../rl/report';
import { Columns } from '../../../presentation/charts/columns';
import { type Move, clampView, pan, zoom, type View } from '../../../presentation/charts/view';
import type { Palette } from './palette';
import { lowerBound } from '../../../lib/series';

/** A dashed line at a place on the x axis. */
export interface ChartMark {
  readonly at: number;
  readonly paint: 'text-muted' | 'accent';
}

/** The run that is charted. */
export interface ChartedRun {
  /** Ascending by iteration. */
  readonly metrics: readonly Metrics[];
  /** Iterations the run will have. */
  readonly total: number;
  readonly marks?: readonly ChartMark[];
}

/** Where the crosshair is. */
class Place {
  cursor = $state<number | null>(null);
}

export class ChartGroup {
  smoothing = $state(0.6);
  palette = $state.raw<Palette>(() => 'transparent');
  zoomed = $state.raw<View | null>(null);

  readonly columns: Columns = $derived.by(() => (this.#latest = new Columns(this.run().metrics, this.#latest)));
  readonly whole: View = $derived.by(() => {
    const { iterations } = this.columns;
    return { from: Math.min(iterations[0] ?? 1, 1), to: Math.max(this.run().total, iterations.at(-1) ?? 0, 2) };
  });
  readonly view: View = $derived.by(() => (this.zoomed && clampView(this.zoomed, this.whole)) ?? this.whole);

  #latest: Columns | undefined;
  /** What the crosshair returns to when the pointer leaves; undefined while no pointer is over a chart. */
  #held: number | null | undefined;

  /**
   * @param run what is charted now
   * @param place iteration under the crosshair, where others than the charts know it, too
   */
  constructor(
    private readonly run: () => ChartedRun,
    private readonly place: { cursor: number | null } = new Place(),
  ) {}

  get cursor(): number | null {
    return this.place.cursor;
  }

  get marks(): readonly ChartMark[] {
    return this.run().marks ?? [];
  }

  /** The pointer is over an iteration; null: it has left the charts. */
  hover(iteration: number | null): void {
    if (iteration !== null) {
      if (this.#held === undefined) this.#held = this.place.cursor;
      this.place.cursor = iteration;
    } else if (this.#held !== undefined) {
      this.place.cursor = this.#held;
      this.#held = undefined;
    }
  }

  /** Keeps the crosshair where it is when the pointer leaves. */
  pick(): void {
    this.#held = this.place.cursor;
  }

  move(by: Move): void {
    const { iterations, length } = this.columns;
    if (length === 0) return;
    this.#held = undefined;
    if (by === 'none') this.place.cursor = null;
    else if (by === 'first') this.place.cursor = iterations[0];
    else if (by === 'last') this.place.cursor = iterations[length - 1];
    else {
      const here = this.cursor === null ? length - 1 : Math.min(lowerBound(iterations, this.cursor), length - 1);
      this.place.cursor = iterations[Math.min(Math.max(here + by, 0), length - 1)];
    }
  }

  /** `factor` below 1 zooms in: around the crosshair if it is in view, else around the middle. */
  zoomBy(factor: number): void {
    const { cursor, view } = this;
    const around = cursor !== null && cursor > view.from && cursor < view.to ? cursor : (view.from + view.to) / 2;
    this.zoomed = zoom(view, this.whole, factor, around);
  }

  zoomTo(view: View): void {
    this.zoomed = clampView(view, this.whole);
  }

  /** Moves by a share of the visible width. */
  pan(share: number): void {
    this.zoomed = pan(this.view, this.whole, share);
  }

  fit(): void {
    this.zoomed = null;
  }
}
