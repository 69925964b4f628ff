/** The shop: what a search lists and what it hides, what the score counts, and how careless customers fare. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, Task } from '../../src/agent/types';
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
  test('colour and kind list all of a title, two to four in training, five otherwise, at every place', async () => {
    for (const split of splits) {
      const counts = new Set<number>();
      for (const task of drawn.get(split)!) {
        const [color, kind] = task.prompt.split(' ');
        const [listed] = (await environment.play(task, calls(['search', { query: `${color} ${kind}` }]))).results;
        expect(listed.split(' , ')).toHaveLength(5);
        counts.add(listed.split(' , ').filter((title) => title.startsWith(`${color} ${kind} `)).length);
      }
      expect([...counts].sort()).toEqual(split === 'out-of-distribution' ? [5] : [2, 3, 4]);
      const places = drawn.get(split)!.map(({ tags }) => tags!.at(-1)!);
      expect([...new Set(places)].sort()).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
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
    },
  } as unknown as Task;
  const buy = (name: string, ...more: [string, Record<string, string>][]) =>
    environment.play(task, calls(['open', { item: name }], ...more, ['buy', {}]));

  test('a search lists titles with a word of the query, in the order of the catalogue', async () => {
    const { results } = await environment.play(
      task,
      calls(['search', { query: 'hat' }], ['search', { query: ' red  hat' }], ['search', { query: 'wool' }]),
    );
    const all = 'blue hat deno , red hat bara , red coat kano';
    expect(results).toEqual(['blue hat deno , red hat bara', all, 'nothing found']);
  });

  test('of more than five items those with most words of the query are listed', async () => {
    const more = ['go', 'ka', 'lu', 'mi'].map((name) => item(name, 'pink', 'hat', 'wool', 40));
    const data = { ...(task.data as { items: object[] }), items: [...more, item('so', 'red', 'hat', 'wool', 40)] };
    data.items.splice(1, 0, item('fi', 'red', 'dress', 'wool', 40));
    const { results } = await environment.play({ ...task, data } as Task, calls(['search', { query: 'red hat' }]));
    expect(results).toEqual(['pink hat go , red dress fi , pink hat ka , pink hat lu , red hat so']);
  });

  test('the agent is shown the wish, the list with opened items ticked off, and what the last call said', async () => {
    const user = { role: 'user', content: task.prompt };
    const listed = ['blue hat deno', 'red hat bara'];
    const state = { listed, opened: ['deno'], open: 'deno', size: null, bought: false };
    const ask = (said: string, state: object) =>
      environment.ask('context', {
        messages: [user, { role: 'assistant', content: '', step: 0 }, { role: 'tool', content: said }],
        state: state as Json,
      });
    const tool = (content: string) => ({ role: 'tool', content });
    const page = 'of wool in m l for 40';
    expect(await ask(page, state)).toEqual([user, tool('✓ , red hat bara'), tool(page)]);
    const unopened = { ...state, opened: [], open: '' };
    expect(await ask(listed.join(' , '), unopened)).toEqual([user, tool(listed.join(' , '))]);
    expect(await ask('error: no such item', { ...unopened, listed: [] })).toEqual([user, tool('error: no such item')]);
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
