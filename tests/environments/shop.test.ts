/** The shop: what a search lists and what it hides, what the score counts, and how careless customers fare. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 48;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const calls = (...given: [string, Record<string, string>][]) =>
  given.map(([name, args]) => ({ calls: [{ name, arguments: args }] }));

beforeAll(async () => {
  environment = await OpenEnvironment.open('shop');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

/** Mean score and share of tasks solved of a policy, or of the demonstrations. */
async function fares(split: string, policy?: string) {
  let [score, solved] = [0, 0];
  for (const [i, task] of drawn.get(split)!.entries()) {
    const played = await environment.play(task, await environment.script(task, i, policy));
    score += played.terms.score;
    solved += Number(played.success);
  }
  // Divided once, so that 48 times 1 is a mean of 1.
  return { score: score / count, solved: solved / count };
}

describe('tasks', () => {
  test('colour and kind list the right item at every place, of three in training and four otherwise', async () => {
    for (const split of splits) {
      for (const task of drawn.get(split)!) {
        const [color, kind] = task.prompt.split(' ');
        const [listed] = (await environment.play(task, calls(['search', { query: `${color} ${kind}` }]))).results;
        expect(listed.split(' , ')).toHaveLength(split === 'out-of-distribution' ? 4 : 3);
        for (const title of listed.split(' , ')) expect(title.startsWith(`${color} ${kind} `)).toBe(true);
      }
      const places =
        split === 'out-of-distribution' ? ['first', 'fourth', 'second', 'third'] : ['first', 'second', 'third'];
      expect([...new Set(drawn.get(split)!.flatMap(({ tags }) => tags))].sort()).toEqual(places);
    }
  });
});

describe('policies', () => {
  test.each(splits)('in %s only a customer who compares buys the right item every time', async (split) => {
    expect(await fares(split, 'oracle')).toEqual({ score: 1, solved: 1 });
    expect((await fares(split, 'first-listed')).solved).toBeLessThan(0.5);
    expect((await fares(split, 'random')).solved).toBeLessThan(0.2);
    expect((await fares(split)).solved).toBeLessThan(0.4);
  });
});

describe('calls', () => {
  const item = (name: string, color: string, kind: string, material: string, price: number) => ({
    name,
    color,
    kind,
    material,
    price,
    sizes: ['m', 'l'],
  });
  const task = {
    id: 't',
    prompt: 'red hat of wool in m up to 40',
    data: {
      wish: { color: 'red', kind: 'hat', material: 'wool', size: 'm', limit: 40 },
      items: [
        item('deno', 'blue', 'hat', 'wool', 40),
        item('bara', 'red', 'hat', 'wool', 40),
        item('kano', 'red', 'coat', 'silk', 50),
      ],
      shown: 2,
    },
  } as unknown as Task;
  const buy = (name: string, ...more: [string, Record<string, string>][]) =>
    environment.play(task, calls(['open', { item: name }], ...more, ['buy', {}]));

  test('a search lists titles, those with most words of the query first', async () => {
    const { results } = await environment.play(
      task,
      calls(['search', { query: 'hat' }], ['search', { query: ' red  hat' }], ['search', { query: 'wool' }]),
    );
    expect(results).toEqual(['blue hat deno , red hat bara', 'red hat bara , blue hat deno', 'nothing found']);
  });

  test('the score is the share of colour, material, size and price; another kind is worth nothing', async () => {
    expect(await buy('bara', ['choose', { size: 'm' }])).toMatchObject({
      success: true,
      terms: { score: 1, pages: 1 },
    });
    expect(await buy('bara')).toMatchObject({ success: false, terms: { score: 0.75 } });
    expect(await buy('deno', ['choose', { size: 'm' }])).toMatchObject({ success: false, terms: { score: 0.75 } });
    expect(await buy('kano', ['choose', { size: 'm' }])).toMatchObject({ success: false, terms: { score: 0 } });
  });

  test('a page that is opened next forgets the size; what is not bought is worth nothing', async () => {
    expect((await buy('deno', ['choose', { size: 'm' }], ['open', { item: 'bara' }])).terms.score).toBe(0.75);
    const looked = await environment.play(task, calls(['open', { item: 'bara' }], ['choose', { size: 'm' }]));
    expect(looked).toMatchObject({ success: false, terms: { score: 0, pages: 1 } });
  });

  test('what the shop refuses, it says why', async () => {
    const { results, terms } = await environment.play(
      task,
      calls(
        ['buy', {}],
        ['choose', { size: 'm' }],
        ['open', { item: 'hat' }],
        ['open', { item: 'bara' }],
        ['choose', { size: 's' }],
      ),
    );
    for (const [i, text] of ['open an item first', 'open an item first', 'no such item'].entries())
      expect(results[i]).toContain(text);
    expect(results[3]).toBe('of wool in m l for 40');
    expect(results[4]).toContain('not in this size');
    expect(terms).toMatchObject({ score: 0, refused: 4 });
  });
});
