/** What the charts of a run share: the visible range, and a crosshair that follows pointer and keys. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ChartGroup, type ChartedRun } from '../../src/ui/view/charts/chart-group.svelte';
import { crosshairMove } from '../../src/presentation/charts/view';
import { metricsRow } from '../helpers/metrics-row';

const rows = [1, 2, 4, 8].map((iteration) => metricsRow(iteration));
let run: ChartedRun;
let group: ChartGroup;
beforeEach(() => {
  run = { metrics: rows, total: 20 };
  group = new ChartGroup(() => run);
});

describe('the visible range', () => {
  test('is the whole run: from its first iteration to the last that it will have, and never empty', () => {
    expect(group.view).toEqual({ from: 1, to: 20 });
    run = { metrics: rows, total: 3 };
    expect(group.view, 'a run that was made shorter').toEqual({ from: 1, to: 8 });
    run = { metrics: [], total: 0 };
    expect(group.view).toEqual({ from: 1, to: 2 });
    run = { metrics: [metricsRow(5)], total: 9 };
    expect(group.view).toEqual({ from: 1, to: 9 });
    run = { metrics: [metricsRow(0), metricsRow(1)], total: 9 };
    expect(group.view, 'tokens begin at 0').toEqual({ from: 0, to: 9 });
  });

  test('is what was zoomed to, within the run, until all is shown again', () => {
    group.zoomTo({ from: 4, to: 12 });
    expect(group.view).toEqual({ from: 4, to: 12 });
    group.pan(0.5);
    expect(group.view).toEqual({ from: 8, to: 16 });
    group.pan(5);
    expect(group.view.to).toBe(20);
    group.fit();
    expect(group.view).toEqual({ from: 1, to: 20 });
  });

  test('is zoomed around the crosshair if that is in view, else around the middle', () => {
    const middle = () => (group.view.from + group.view.to) / 2;
    group.zoomBy(0.5);
    expect(middle()).toBeCloseTo(10.5, 6);
    group.fit();
    group.hover(4);
    group.zoomBy(0.5);
    expect(group.view.from).toBeCloseTo(4 - 1.5, 6);
    expect(group.view.to).toBeCloseTo(4 + 8, 6);
    for (const outside of [2, 16]) {
      group.zoomTo({ from: 6, to: 14 });
      group.hover(outside);
      group.zoomBy(0.5);
      expect(middle(), `${outside}`).toBeCloseTo(10, 6);
    }
    for (const edge of [6, 14]) {
      group.zoomTo({ from: 6, to: 14 });
      group.hover(edge);
      group.zoomBy(0.5);
      expect(middle(), `the edge ${edge}`).toBeCloseTo(10, 6);
    }
  });
});

describe('the crosshair', () => {
  test('follows the pointer and returns when it leaves', () => {
    group.move('first');
    expect(group.cursor).toBe(1);
    group.hover(4);
    group.hover(8);
    expect(group.cursor).toBe(8);
    group.hover(null);
    expect(group.cursor).toBe(1);
    group.hover(null);
    expect(group.cursor).toBe(1);
  });

  test('stays where it was picked', () => {
    group.hover(4);
    group.pick();
    group.hover(8);
    group.hover(null);
    expect(group.cursor).toBe(4);
  });

  test('goes from row to row by keys, from the latest, and stops at both ends', () => {
    const moved = (...by: Parameters<typeof group.move>[0][]) =>
      by.map((each) => {
        group.move(each);
        return group.cursor;
      });
    expect(moved(-1, -1, -1, -1, 1, 2, 1)).toEqual([4, 2, 1, 1, 2, 8, 8]);
    expect(moved('first', 'last', 'none')).toEqual([1, 8, null]);
    expect(moved(0)).toEqual([8]);
    group.hover(6);
    expect(moved(-1), 'between rows').toEqual([4]);
    group.hover(30);
    expect(moved(-1), 'beyond the last').toEqual([4]);
    group.hover(null);
    expect(group.cursor, 'a key ends what the pointer held').toBe(4);
  });

  test('of a run without rows stays where it is', () => {
    run = { metrics: [], total: 20 };
    group.move('last');
    expect(group.cursor).toBeNull();
  });
});

test('marks of a run are its own, or none', () => {
  expect(group.marks).toEqual([]);
  const marks = [{ at: 3, paint: 'accent' }] as const;
  run = { metrics: rows, total: 20, marks };
  expect(group.marks).toEqual(marks);
});

test('keys move the crosshair, alone or with Shift, and no other key is theirs', () => {
  const moved = (key: string, held = '') =>
    crosshairMove({
      key,
      ctrlKey: held === 'ctrl',
      metaKey: held === 'meta',
      altKey: held === 'alt',
      shiftKey: held === 'shift',
    } as KeyboardEvent);
  expect(['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown'].map((key) => moved(key))).toEqual([1, 1, -1, -1]);
  expect(['ArrowRight', 'ArrowLeft'].map((key) => moved(key, 'shift'))).toEqual([10, -10]);
  expect(['PageUp', 'PageDown', 'Home', 'End', 'Escape'].map((key) => moved(key))).toEqual([
    10,
    -10,
    'first',
    'last',
    'none',
  ]);
  for (const held of ['ctrl', 'meta', 'alt']) expect(moved('ArrowRight', held), held).toBeUndefined();
  expect(moved('a')).toBeUndefined();
});
