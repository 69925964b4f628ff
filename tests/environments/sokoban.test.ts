/** Sokoban: how boxes move, which pushes are dead ends, and that haste finds most of them. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Room {
  readonly pillars: readonly number[];
  readonly target: number;
  readonly live: readonly number[];
  readonly start: { readonly player: number; readonly box: number };
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const roomOf = (task: Task) => task.data as unknown as Room;
const everywhere = Array.from({ length: 25 }, (_, place) => place);
const go = (moves: string) => ({ calls: [{ name: 'go', arguments: { moves } }] });

/** A room in which the box can be saved wherever it stands, unless `live` says otherwise. */
function room(target: number, player: number, box: number, live = everywhere, pillars: number[] = []): Task {
  return { id: 'x', prompt: 'x', data: { pillars, target, live, start: { player, box } } };
}

beforeAll(async () => {
  environment = await OpenEnvironment.open('sokoban');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

async function solved(split: string, policy?: string): Promise<number> {
  let sum = 0;
  for (const [i, task] of drawn.get(split)!.entries())
    sum += Number((await environment.play(task, await environment.script(task, i, policy))).success);
  return sum / count;
}

describe('tasks', () => {
  test('training has one pillar or two, the other split three; box and target never share row or column', () => {
    for (const split of splits)
      for (const { pillars, target, start } of drawn.get(split)!.map(roomOf)) {
        expect(split === 'out-of-distribution' ? [3] : [1, 2]).toContain(pillars.length);
        expect(Math.floor(target / 5)).not.toBe(Math.floor(start.box / 5));
        expect(target % 5).not.toBe(start.box % 5);
        expect(new Set([...pillars, target, start.box, start.player]).size).toBeGreaterThanOrEqual(pillars.length + 2);
      }
  });

  test('a box lives at its start and its target, not in other corners, nor along walls without the target', () => {
    for (const { target, live, start } of splits.flatMap((split) => drawn.get(split)!.map(roomOf))) {
      const [row, column] = [Math.floor(target / 5), target % 5];
      expect(live).toContain(start.box);
      expect(live).toContain(target);
      for (const place of live) {
        const [r, c] = [Math.floor(place / 5), place % 5];
        const lost =
          place !== target && ((isEdge(r) && (r !== row || isEdge(c))) || (isEdge(c) && (c !== column || isEdge(r))));
        expect(lost, `${place} for ${target}`).toBe(false);
      }
    }
  });

  test('who is blind to pillars solves fewer than four rooms of five', async () => {
    let sum = 0;
    for (const split of splits) sum += await solved(split, 'reflex');
    expect(sum / splits.length).toBeLessThan(0.8);
  });
});

describe('moves', () => {
  test('push the box, and lead where they say', async () => {
    const { results } = await environment.play(room(0, 12, 13), [go('right'), go('up up'), go('left')]);
    expect(results).toEqual([
      'me c4 box down0 right1 target up2 left4',
      'me a4 box down2 right1 target up2 left4',
      'me a3 box down2 right2 target up2 left4',
    ]);
  });

  test('tell where the nearest two pillars are', async () => {
    const { results } = await environment.play(room(0, 12, 13, everywhere, [2, 10, 24]), [
      go('up'),
      go('down down down'),
    ]);
    expect(results).toEqual([
      'me b3 box down1 right1 target up2 left3 pillar up1 right0 pillar down1 left2',
      'me e3 box up2 right1 target up2 left3 pillar down0 right2 pillar up4 right0',
    ]);
  });

  test.each([
    ['a wall', room(0, 4, 12), 'right'],
    ['a pillar', room(0, 11, 18, everywhere, [12]), 'right'],
    ['the box, which a wall holds', room(0, 13, 14), 'right'],
  ])('one that is blocked by %s ends the episode', async (_, task, moves) => {
    const { results, success, terms } = await environment.play(task, [go(moves)]);
    expect({ results, success, terms }).toEqual({
      results: ['stuck'],
      success: false,
      terms: { solved: 0, stuck: 1, calls: 1 },
    });
  });

  test('no move follows the one that solves the room', async () => {
    const { results, success, terms } = await environment.play(room(14, 11, 12), [go('right right right right')]);
    expect({ results, success, terms }).toEqual({
      results: ['done'],
      success: true,
      terms: { solved: 1, stuck: 0, calls: 1 },
    });
  });

  test('a box where it is lost ends the episode', async () => {
    const { results, success, terms } = await environment.play(room(2, 11, 12, [2, 7, 12]), [go('right')]);
    expect({ results, success, terms }).toEqual({
      results: ['stuck'],
      success: false,
      terms: { solved: 0, stuck: 1, calls: 1 },
    });
  });

  test('it is late after eight calls', async () => {
    const { results } = await environment.play(
      room(0, 24, 12),
      Array.from({ length: 8 }, (_, call) => go(call % 2 ? 'down' : 'up')),
    );
    expect(results.at(-1)).toBe('late');
  });

  test.each(['', 'north', 'up up up up up', 'up, up', 'Up'])('%j is refused', async (moves) => {
    const { results } = await environment.play(room(0, 24, 12), [go(moves)]);
    expect(results[0]).toContain('one to four of up right down left');
  });
});

test.each(splits)(
  'in %s the oracle solves nearly every room, hasty players less than half, random ones none',
  async (split) => {
    expect(await solved(split, 'oracle')).toBeGreaterThan(split === 'out-of-distribution' ? 0.98 : 0.999);
    expect(await solved(split, 'hasty')).toBeLessThan(0.5);
    expect(await solved(split, 'random')).toBeLessThan(0.05);
  },
);

const isEdge = (at: number) => at === 0 || at === 4;
