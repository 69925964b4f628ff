/** Frozen lake: how often moves slip, what ends an episode, and that the oracle does as well as can be expected. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment, type Played } from './open';

interface Lake {
  readonly start: number;
  readonly goal: number;
  readonly holes: readonly number[];
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const lakeOf = (task: Task) => task.data as unknown as Lake;
const go = (direction: string) => ({ calls: [{ name: 'go', arguments: { direction } }] });

beforeAll(async () => {
  environment = await OpenEnvironment.open('frozen-lake');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

const share = <T>(list: readonly T[], is: (each: T) => boolean) => list.filter(is).length / list.length;
const solved = ({ success }: Played) => success;

describe('tasks', () => {
  test('training has four to six holes, the other split seven or eight', () => {
    const holes = (split: string) => new Set(drawn.get(split)!.map((task) => lakeOf(task).holes.length));
    expect(holes('train')).toEqual(new Set([4, 5, 6]));
    expect(holes('validation')).toEqual(new Set([4, 5, 6]));
    expect(holes('out-of-distribution')).toEqual(new Set([7, 8]));
  });
});

describe('moves', () => {
  test('go where they should at a slip of 0, and to either side as often as the option says', async () => {
    for (const slip of [0, 20]) {
      const tasks = (await environment.draw('train', 2, 512, { slip })).filter((task) => inTheMiddle(lakeOf(task)));
      const sides = { straight: 0, left: 0, right: 0 };
      for (const [i, task] of tasks.entries()) {
        const place = (await environment.play(task, [go('up')], i)).results[0].slice(0, 2);
        const moved = numberOf(place) - lakeOf(task).start;
        sides[moved === -6 ? 'straight' : moved === -1 ? 'left' : 'right']++;
      }
      // Five standard deviations.
      const slack = (5 * Math.sqrt(tasks.length * 0.16)) / tasks.length;
      expect(Math.abs(sides.straight / tasks.length - (1 - slip / 100))).toBeLessThan(slack);
      expect(Math.abs(sides.left - sides.right) / tasks.length).toBeLessThan(slack);
      if (slip === 0) expect(sides.straight).toBe(tasks.length);
    }
  });

  test('an episode repeats, and another one of the same task slips elsewhere', async () => {
    const task = (await environment.draw('train', 2, 64, { slip: 20, daylight: 12 })).find((each) =>
      inTheMiddle(lakeOf(each)),
    )!;
    const places = async (seeds: readonly number[]) => {
      const episodes = [];
      for (const seed of seeds) episodes.push((await environment.play(task, [go('up')], seed)).results[0]);
      return episodes;
    };
    const seeds = Array.from({ length: 32 }, (_, i) => i);
    const first = await places(seeds);
    expect(await places(seeds)).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
  });

  test('it is dark after twelve moves', async () => {
    const [task] = (await environment.draw('train', 1, 16, { slip: 0, daylight: 12 })).filter(
      (each) => lakeOf(each).start < 6,
    );
    const turns = Array.from({ length: 12 }, () => go('up'));
    const { results, success, terms } = await environment.play(task, turns);
    expect(results.at(-1)).toMatch(/^a\d dark$/);
    expect({ success, terms }).toEqual({ success: false, terms: { goal: 0, fell: 0, moves: 12 } });
  });
});

describe('policies', () => {
  test('the oracle never drowns where nothing slips', async () => {
    const tasks = await environment.draw('validation', 1, 64, { slip: 0, daylight: 12 });
    expect(share(await environment.playAll(tasks, 'oracle'), solved)).toBe(1);
  });

  test.each(splits)('in %s the oracle arrives as often as is expected, and the others seldom', async (split) => {
    const tasks = drawn.get(split)!;
    expect(share(await environment.playAll(tasks, 'oracle'), solved)).toBeGreaterThan(0.75);
    expect(share(await environment.playAll(tasks, 'hasty'), solved)).toBeLessThan(0.5);
    expect(share(await environment.playAll(tasks, 'random'), solved)).toBeLessThan(0.15);
    expect(share(await environment.playAll(tasks, 'first-open'), solved)).toBeLessThan(0.6);
    expect(share(await environment.playAll(tasks, 'reflex'), solved)).toBeLessThan(0.85);
  });
});

/** Not at an edge, so that each direction leads elsewhere. */
const inTheMiddle = ({ start }: Lake) => start % 6 > 0 && start % 6 < 5 && start > 5 && start < 30;

/** @param place as it is named, like b3 */
const numberOf = (place: string) => 6 * 'abcdef'.indexOf(place[0]) + Number(place[1]) - 1;
