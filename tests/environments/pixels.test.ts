/** Pictures of boxes and dots: what they show is what is asked, and nothing but looking pays. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Data {
  readonly asked: string;
  readonly at: number;
  readonly counts: readonly number[];
}
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: readonly number[];
}
interface Shown {
  readonly image: Picture;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const places = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const numbers = ['zero', 'one', 'two', 'three', 'four'];
const names = ['red', 'green', 'blue'];
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const dataOf = (task: Task) => task.data as unknown as Data;

beforeAll(async () => {
  environment = await OpenEnvironment.open('pixels');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

const at = ({ width, pixels }: Picture, x: number, y: number) => pixels.slice((y * width + x) * 3).slice(0, 3);

/** The colours of the dots: a cell's middle belongs to every dot. */
function dotsIn(image: Picture): string[] {
  const middles = Array.from({ length: 9 }, (_, cell) => at(image, (cell % 3) * 8 + 4, Math.floor(cell / 3) * 8 + 4));
  return middles.filter((rgb) => Math.max(...rgb) > 100).map((rgb) => names[rgb.indexOf(Math.max(...rgb))]);
}

const zoom = (task: Task, place: string) =>
  environment.ask<Shown>('execute', { tool: 'zoom', arguments: { place }, task: { ...task }, state: null });

describe('pictures', () => {
  test('from afar, one box is lit', async () => {
    for (const task of drawn.get('train')!) {
      const { image } = await environment.ask<Shown>('start', { task: { ...task } });
      expect([image.width, image.height, image.pixels.length]).toEqual([16, 16, 768]);
      const corners = [0, 1, 2, 3].map((patch) => at(image, (patch % 2) * 15, Math.floor(patch / 2) * 15)[0] > 200);
      expect(corners).toEqual(places.map((_, patch) => patch === dataOf(task).at));
    }
  });

  test.each([
    ['validation', 1, 3],
    ['out-of-distribution', 4, 5],
  ])('%s: near, each box shows as many dots as its count says, and others', async (split, least, most) => {
    for (const task of drawn.get(split)!.slice(0, 24)) {
      const { asked, counts } = dataOf(task);
      for (const [box, place] of places.entries()) {
        const { image } = await zoom(task, place);
        expect([image.width, image.height]).toEqual([24, 24]);
        const dots = dotsIn(image);
        const others = dots.filter((name) => name !== asked).length;
        expect(dots.length - others).toBe(counts[box]);
        expect(others).toBeGreaterThanOrEqual(least);
        expect(others).toBeLessThanOrEqual(most);
      }
    }
  });
});

describe('tasks', () => {
  test('no other box has the same count', () => {
    for (const { counts } of drawn.get('train')!.map(dataOf)) expect(new Set(counts).size).toBe(4);
  });

  test('each number is the answer about as often, and each box is lit', () => {
    const all = [...drawn.values()].flat().map(dataOf);
    const share = (those: readonly unknown[]) => those.length / all.length;
    for (const number of numbers.keys())
      expect(share(all.filter((data) => data.counts[data.at] === number))).toBeLessThan(0.3);
    for (const box of places.keys()) expect(share(all.filter((data) => data.at === box))).toBeLessThan(0.35);
  });
});

test('demonstrations are lazy: less than half of them look into a lit box that is not the first', async () => {
  const others = drawn.get('train')!.filter((task) => dataOf(task).at !== 0);
  const looks = await Promise.all(
    others.map(async (task, i) => {
      const [first] = await environment.script(task, i);
      if (!('calls' in first)) return 'none';
      const { place } = first.calls[0].arguments as { place: string };
      return place === places[dataOf(task).at] ? 'right' : place;
    }),
  );
  const share = (look: string) => looks.filter((each) => each === look).length / others.length;
  expect(share('right')).toBeGreaterThan(0.15);
  expect(share('right')).toBeLessThan(share('top-left'));
});
