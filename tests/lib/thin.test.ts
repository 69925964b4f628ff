/** Long series held to a bounded number of points. */
import { describe, expect, it } from 'vitest';
import { thin, thinWith, type ThinRule } from '../../src/lib/thin';

interface Point {
  readonly at: number;
  readonly rare?: boolean;
}

/** A series that grows point by point. */
class Series {
  points: readonly Point[] = [];

  private readonly rule: ThinRule<Point>;

  constructor(limit: number) {
    this.rule = { limit, at: (point) => point.at, matters: (point) => point.rare === true };
  }

  add(point: Point): void {
    this.points = thinWith(this.points, point, this.rule);
  }

  replace(points: readonly Point[]): void {
    this.points = thin(points, this.rule);
  }
}

const places = ({ points }: Series) => points.map((point) => point.at);

describe('thin', () => {
  it('holds every point while there are few', () => {
    const thinned = new Series(8);
    for (let at = 1; at <= 8; at++) thinned.add({ at });
    expect(places(thinned)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stays bounded and even over 10,000 points, and always ends with the newest', () => {
    const limit = 200;
    const thinned = new Series(limit);
    for (let at = 1; at <= 10_000; at++) {
      thinned.add({ at });
      expect(thinned.points.length).toBeLessThanOrEqual(limit);
      expect(thinned.points[thinned.points.length - 1].at).toBe(at);
    }
    const gaps = places(thinned)
      .slice(1, -1)
      .map((at, i) => at - places(thinned)[i]);
    expect(new Set(gaps)).toEqual(new Set([64]));
    expect(places(thinned)[0]).toBe(1);
  });

  it('keeps the points that matter before their neighbours', () => {
    const thinned = new Series(50);
    for (let at = 1; at <= 1000; at++) thinned.add({ at, rare: at % 100 === 0 });
    const rare = thinned.points.filter((point) => point.rare).map((point) => point.at);
    expect(rare).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  it('takes back what is said again', () => {
    const thinned = new Series(50);
    for (let at = 1; at <= 12; at++) thinned.add({ at });
    thinned.add({ at: 10, rare: true });
    expect(places(thinned)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(thinned.points[9].rare).toBe(true);
  });

  it('bounds what it is given at once as it bounds what comes one by one', () => {
    const points = Array.from({ length: 777 }, (_, i) => ({ at: i + 1 }));
    const [one, all] = [new Series(100), new Series(100)];
    for (const point of points) one.add(point);
    all.replace(points);
    expect(all.points.length).toBeLessThanOrEqual(100);
    expect(places(all)).toEqual(places(one));
    one.add({ at: 778 });
    all.add({ at: 778 });
    expect(places(all)).toEqual(places(one));
  });

  it('goes on evenly from points that were thinned before', () => {
    const few = new Series(50);
    for (let at = 1; at <= 1000; at++) few.add({ at });
    const many = new Series(100);
    many.replace(few.points);
    expect(many.points).toEqual(few.points);
    for (let at = 1001; at <= 1200; at++) many.add({ at });
    expect(new Set(places(many).map((at) => (at - 1) % 16)).size, 'but for the newest').toBeLessThanOrEqual(2);
  });

  it('keeps points at one position together, and the newest position to the last', () => {
    const at = ({ at }: Point) => at;
    const pairs = Array.from({ length: 40 }, (_, i) => ({ at: 1 + (i >> 1) }));
    expect(thin(pairs, { limit: 12, at }).map(at)).toEqual([1, 1, 5, 5, 9, 9, 13, 13, 17, 17, 20, 20]);
    const crowd = Array.from({ length: 9 }, () => ({ at: 3 }));
    expect(thin([{ at: 1 }, ...crowd], { limit: 6, at }).map(at)).toEqual([3, 3, 3, 3, 3, 3]);
  });
});
