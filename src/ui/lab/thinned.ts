/** A growing series that keeps a bounded number of points, spread evenly. Generic over the points. */

export interface ThinnedOptions<T> {
  /** Maximum number of points. */
  readonly limit: number;
  /** Position of a point: 1, 2, 3 … */
  readonly at: (point: T) => number;
  /** Points to keep before their neighbours, such as those that hold a rare measurement. */
  readonly matters?: (point: T) => boolean;
}

/** Every point while there are few; later one of each bucket of 2, 4, 8 … places. The newest point is always there. */
export class Thinned<T> {
  #points: readonly T[] = [];
  #bucketSize = 1;

  constructor(private readonly options: ThinnedOptions<T>) {}

  /** Ascending; another array after each change. */
  get points(): readonly T[] {
    return this.#points;
  }

  /** Replaces all points. */
  replace(points: readonly T[]): void {
    this.#bucketSize = 1;
    this.#points = this.#bounded([...points]);
  }

  /** Adds a point at the end. Points at its position or later are removed: the run was rolled back. */
  add(point: T): void {
    const { at } = this.options;
    let kept = [...this.#points];
    while (kept.length > 0 && at(kept[kept.length - 1]) >= at(point)) kept.pop();
    if (this.#bucketSize > 1) kept = this.#oneOfEachBucket(kept);
    this.#points = this.#bounded([...kept, point]);
  }

  #bounded(points: T[]): T[] {
    let bounded = points;
    while (bounded.length > this.options.limit) {
      this.#bucketSize *= 2;
      bounded = [...this.#oneOfEachBucket(bounded.slice(0, -1)), bounded[bounded.length - 1]];
    }
    return bounded;
  }

  #oneOfEachBucket(points: readonly T[]): T[] {
    const { at, matters } = this.options;
    const out: T[] = [];
    let bucket = -1;
    for (const point of points) {
      const its = Math.floor((at(point) - 1) / this.#bucketSize);
      if (its !== bucket) out.push(point);
      else if (matters?.(point) === true && !matters(out[out.length - 1])) out[out.length - 1] = point;
      bucket = its;
    }
    return out;
  }
}
