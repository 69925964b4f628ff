import { expect, test } from 'vitest';
import { edits } from '../../src/lib/edits';
import { Purpose, uniform } from '../../src/lib/rng';

const applied = (before: readonly number[], found: ReturnType<typeof edits>): number[] => {
  const after: number[] = [];
  let next = 0;
  for (const { at, count, instead } of found) {
    after.push(...before.slice(next, at), ...instead);
    next = at + count;
  }
  return [...after, ...before.slice(next)];
};

test.each([
  ['alike', [1, 2, 3], [1, 2, 3], []],
  ['one is empty', [], [4, 5], [{ at: 0, count: 0, instead: [4, 5] }]],
  ['left out', [1, 2, 3, 4], [1, 4], [{ at: 1, count: 2, instead: [] }]],
  ['added', [1, 4], [1, 2, 3, 4], [{ at: 1, count: 0, instead: [2, 3] }]],
  ['replaced', [1, 2, 3], [1, 9, 3], [{ at: 1, count: 1, instead: [9] }]],
  [
    'twice',
    [1, 7, 2, 3, 4],
    [1, 2, 3, 8, 4],
    [
      { at: 1, count: 1, instead: [] },
      { at: 4, count: 0, instead: [8] },
    ],
  ],
] as const)('%s', (_, before, after, expected) => {
  expect(edits(before, after)).toEqual(expected);
});

test('edits make the one list of the other, and leave alone what is alike at both ends', () => {
  for (let trial = 0; trial < 200; trial++) {
    const draw = (length: number, place: number) =>
      Array.from({ length }, (_, i) => Math.floor(4 * uniform(trial, Purpose.init, place, i)));
    const [before, after] = [draw(trial % 13, 1), draw((trial * 7) % 11, 2)];
    const found = edits(before, after);
    expect(applied(before, found), JSON.stringify([before, after])).toEqual(after);
    found.forEach(({ at, count, instead }, i) => {
      expect(count + instead.length).toBeGreaterThan(0);
      if (i > 0) expect(at).toBeGreaterThan(found[i - 1].at + found[i - 1].count);
    });
  }
});

test('lists that are too long to compare pair by pair are one edit between their ends', () => {
  const before = [1, ...new Array<number>(3000).fill(2), 3];
  const after = [1, ...new Array<number>(3000).fill(4), 3];
  expect(edits(before, after)).toEqual([{ at: 1, count: 3000, instead: after.slice(1, -1) }]);
});
