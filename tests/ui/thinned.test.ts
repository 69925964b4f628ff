/** Long series held to a bounded number of points. */
import { describe, expect, it } from 'vitest';
import { Thinned } from '../../src/ui/lab/thinned';

interface Point {
  readonly at: number;
  readonly rare?: boolean;
}

const series = (limit: number) =>
  new Thinned<Point>({ limit, at: (point) => point.at, matters: (point) => point.rare === true });
const places = (thinned: Thinned<Point>) => thinned.points.map((point) => point.at);

describe('Thinned', () => {
  it('holds every point while there are few', () => {
    const thinned = series(8);
    for (let at = 1; at <= 8; at++) thinned.add({ at });
    expect(places(thinned)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stays bounded and even over 10,000 points, and always ends with the newest', () => {
    const limit = 200;
    const thinned = series(limit);
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
    const thinned = series(50);
    for (let at = 1; at <= 1000; at++) thinned.add({ at, rare: at % 100 === 0 });
    const rare = thinned.points.filter((point) => point.rare).map((point) => point.at);
    expect(rare).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  it('takes back what is said again', () => {
    const thinned = series(50);
    for (let at = 1; at <= 12; at++) thinned.add({ at });
    thinned.add({ at: 10, rare: true });
    expect(places(thinned)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(thinned.points[9].rare).toBe(true);
  });

  it('bounds what it is given at once as it bounds what comes one by one', () => {
    const points = Array.from({ length: 777 }, (_, i) => ({ at: i + 1 }));
    const [one, all] = [series(100), series(100)];
    for (const point of points) one.add(point);
    all.replace(points);
    expect(all.points.length).toBeLessThanOrEqual(100);
    expect(places(all)).toEqual(places(one));
    one.add({ at: 778 });
    all.add({ at: 778 });
    expect(places(all)).toEqual(places(one));
  });
});
