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
  test('colour and kind list all of a title first: two to four in training, else five; any can be right', async () => {
    for (const split of splits) {
      const counts = new Set<number>();
      for (const task of drawn.get(split)!) {
        const [color, kind] = task.prompt.split(' ');
        const [listed] = (await environment.play(task, calls(['search', { query: `${color} ${kind}` }]))).results;
        expect(listed.split(' , ')).toHaveLength(5);
        const isTitled = listed.split(' , ').map((title) => title.startsWith(`${color} ${kind} `));
        expect(isTitled).toEqual([...isTitled].sort().reverse());
        counts.add(isTitled.filter(Boolean).length);
      }
      expect([...counts].sort()).toEqual(split === 'out-of-distribution' ? [5] : [2, 3, 4]);
      const places = drawn.get(split)!.map(({ tags }) => tags!.at(-1)!);
      const far = split === 'out-of-distribution' ? ['fifth'] : [];
      expect([...new Set(places)].sort()).toEqual([...far, 'first', 'fourth', 'second', 'third']);
    }
  });
});

describe('policies', () => {
  test.each(splits)('in %s only a customer who compares buys the right item every time', async (split) => {
    expect(await fares(split, 'oracle')).toEqual({ score: 1, solved: 1 });
    expect((await fares(split, 'first-listed')).solved).toBeLessThan(0.5);
    expect((await fares(split, 'reflex')).solved).toBeLessThan(0.75);
    expect((await fares(split, 'random')).solved).toBeLessThan(0.25);
    expect((await fares(split)).solved).toBeLessThan(0.6);
  });

  test('of the title one item has size and price, the others one of the two at a price near the limit', async () => {
    type Shop = { wish: Wish; items: Item[] };
    type Wish = { kind: string; color: string; size: string; limit: number };
    type Item = { kind: string; color: string; price: number; sizes: string[] };
    const lacking = new Set<string>();
    for (const split of splits)
      for (const { data } of drawn.get(split)!) {
        const { wish, items } = data as unknown as Shop;
        const titled = items.filter(({ color, kind }) => color === wish.color && kind === wish.kind);
        const has = titled.map(({ sizes, price }) => [sizes.includes(wish.size), price <= wish.limit]);
        expect(has.filter(([size, price]) => size && price)).toHaveLength(1);
        expect(has.filter(([size, price]) => !size && !price)).toHaveLength(0);
        for (const [size] of has.filter((each) => each.includes(false))) lacking.add(size ? 'price' : 'size');
        for (const { price } of titled) expect(Math.abs(price - wish.limit)).toBeLessThanOrEqual(20);
      }
    expect([...lacking].sort()).toEqual(['price', 'size']);
  });
});

describe('calls', () => {
  const item = (name: string, color: string, kind: string, price: number) => ({
    name,
    color,
    kind,
    price,
    sizes: ['m', 'l'],
  });
  const task = {
    id: 't',
    prompt: 'red hat in m up to 40',
    data: {
      wish: { color: 'red', kind: 'hat', size: 'm', limit: 40 },
      items: [
        item('deno', 'blue', 'hat', 40),
        item('bara', 'red', 'hat', 40),
        item('kano', 'red', 'coat', 50),
        item('lulim', 'red', 'hat', 50),
      ],
    },
  } as unknown as Task;
  const buy = (name: string, ...more: [string, Record<string, string>][]) =>
    environment.play(task, calls(['open', { item: name }], ...more, ['buy', {}]));
  const choose = (size: string): [string, Record<string, string>] => ['choose', { size }];

  test('a search lists titles with a word of the query, those with most words first', async () => {
    const { results } = await environment.play(
      task,
      calls(['search', { query: 'hat' }], ['search', { query: ' red  hat' }], ['search', { query: 'wool' }]),
    );
    const all = 'red hat bara , red hat lulim , blue hat deno , red coat kano';
    expect(results).toEqual(['blue hat deno , red hat bara , red hat lulim', all, 'nothing found']);
  });

  test('of more than five items those with most words of the query are listed', async () => {
    const more = ['go', 'ka', 'lu'].map((name) => item(name, 'pink', 'hat', 40));
    const data = { ...(task.data as { items: object[] }), items: [...more, item('so', 'red', 'hat', 40)] };
    data.items.splice(1, 0, item('fi', 'red', 'dress', 40), item('mi', 'pink', 'hat', 40));
    const { results } = await environment.play({ ...task, data } as Task, calls(['search', { query: 'red hat' }]));
    expect(results).toEqual(['red hat so , pink hat go , red dress fi , pink hat mi , pink hat ka']);
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
    const page = 'in m l for 40';
    expect(await ask(page, state)).toEqual([user, tool('✓ , red hat bara'), tool(page)]);
    const unopened = { ...state, opened: [], open: '' };
    expect(await ask(listed.join(' , '), unopened)).toEqual([user, tool(listed.join(' , '))]);
    expect(await ask('error: no such item', { ...unopened, listed: [] })).toEqual([user, tool('error: no such item')]);
  });

  test.each([
    ['bara', 'm', 1],
    ['bara', 'l', 2 / 3],
    ['lulim', 'm', 2 / 3],
    ['deno', 'm', 2 / 3],
    ['deno', 'l', 1 / 3],
    ['kano', 'm', 0],
  ])('%s in %s has %f of colour, size and price; another kind is worth nothing', async (name, size, score) => {
    const { success, terms } = await buy(name, choose(size));
    expect(terms.score).toBeCloseTo(score);
    expect(success).toBe(score === 1);
  });

  test('to choose a size that is sold out ends the episode', async () => {
    const state = { listed: [], opened: ['bara'], open: 'bara', size: null, bought: false };
    const tried = (size: string) =>
      environment.ask('execute', { tool: 'choose', arguments: { size }, task: { ...task }, state });
    expect(await tried('s')).toMatchObject({ text: 'sold out', done: true });
    expect(await tried('m')).toEqual({ text: 'size m', state: { ...state, size: 'm' } });
  });

  test('a page that is opened next forgets the size; what is not bought is worth nothing', async () => {
    const moved = await buy('deno', choose('m'), ['open', { item: 'bara' }]);
    expect(moved.terms.score).toBeCloseTo(2 / 3);
    const looked = await environment.play(task, calls(['open', { item: 'bara' }], choose('m')));
    expect(looked).toMatchObject({ success: false, terms: { score: 0, pages: 1 } });
  });

  test('what the shop refuses, it says why', async () => {
    const { results, terms } = await environment.play(
      task,
      calls(['buy', {}], choose('m'), ['open', { item: 'hat' }], ['open', { item: 'bara' }]),
    );
    for (const [i, text] of ['open an item first', 'open an item first', 'no such item'].entries())
      expect(results[i]).toContain(text);
    expect(results[3]).toBe('in m l for 40');
    expect(terms).toMatchObject({ score: 0, refused: 3 });
  });
});
