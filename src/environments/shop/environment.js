/**
 * A shop, WebShop in small: each task brings a catalogue of its own, and the agent buys one thing in it for a customer
 * who wants a colour, a size and a price.
 *
 * A search reads the titles alone, colour and kind. Sizes and price are on an item's page, so pages must be opened
 * until one has both. A search for both words lists the items of that title first, two to four in training. One of
 * them has the size and the price, and it can be any; each of the others lacks one of the two, and its price is near
 * the limit. A search for the kind alone mixes colours, and may leave the right item out. The size must be chosen. To
 * choose one that is sold out ends the episode, so nobody finds the size by trying.
 *
 * Before each turn the agent is shown the wish, the list with a tick in place of each item that was opened, and what
 * the last call said. So it need not remember which pages it has seen.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {object} Item
 * @property {string} name
 * @property {string} kind
 * @property {string} color
 * @property {number} price
 * @property {readonly string[]} sizes
 *
 * @typedef {{ kind: string, color: string, size: string, limit: number }} Wish
 *
 * @typedef {{ wish: Wish, items: Item[] }} Shop
 *
 * @typedef {object} State
 * @property {string[]} listed Titles that the last search listed, each with the item's name last.
 * @property {string[]} opened Names.
 * @property {string} open The name of the open item; '' if there is none.
 * @property {string | null} size Chosen for it.
 * @property {boolean} bought
 */

/** Shares of demonstrations that search for the colour too, compare pages, and choose the size. */
const care = { search: 0.5, compare: 0.8, choose: 0.45 };
/** How many items a search lists, and how many of each other title there are. */
const shown = 5;
const others = 3;
/** Stands in the list in place of an item that was opened. */
const tick = '✓';

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'so'].flatMap((start) =>
  ['ra', 'no', 'lim', 'tes'].map((end) => start + end),
);
const kinds = ['hat', 'coat', 'shirt', 'dress', 'glove', 'shoe'];
const colors = ['red', 'blue', 'green', 'black', 'white', 'pink'];
const sizes = ['s', 'm', 'l'];
/** Tags of a task: where in the list the right item stands. */
const places = ['first', 'second', 'third', 'fourth', 'fifth'];
const prices = [10, 20, 30, 40, 50, 60, 70, 80];
const limits = prices.slice(1, -2);

const texts = {
  nothing: 'nothing found',
  unknown: 'no such item',
  closed: 'open an item first',
  soldOut: 'sold out',
  bought: 'bought',
};
const words = [
  ...new Set(
    [
      ...['error:', 'search', 'open', 'choose', 'buy', 'in', 'for', 'up', 'to', 'size', ',', tick],
      ...[...names, ...kinds, ...colors, ...sizes, ...prices.map(String)],
      ...Object.values(texts).join(' ').split(' '),
    ].sort(),
  ),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Shop',
  task: 'Search a shop, compare what it lists, choose the size, and buy what the customer wants.',
  watch:
    'The agent copied customers who are careless somewhere: most forget the size, some buy what stands first. ' +
    'Watch it choose the size, and compare pages until one has everything.',
  rewards: {
    score: {
      description: 'Share of colour, size and price that the bought item has; 0 for another kind.',
      weight: 1,
    },
    pages: { description: 'Pages opened, each counted once.', weight: 0 },
    refused: { description: 'Calls that the shop refused.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Five items of the colour and kind are listed, where training has two to four.',
  examples: ['red hat in m up to 40', 'black shoe in s up to 60'],
};

export const tools = [
  tool({
    name: 'search',
    description: 'Lists the items whose titles fit the query best.',
    arguments: { query: { ...string('A kind, a colour, or both, like red hat.'), maxLength: 100 } },
    execute: ({ query }, { task, state }) => {
      const listed = look(task.data, query).map(({ color, kind, name }) => `${color} ${kind} ${name}`);
      return { text: listed.join(' , ') || texts.nothing, state: { ...state, listed } };
    },
  }),
  tool({
    name: 'open',
    description: 'Opens the page of an item: sizes and price.',
    arguments: { item: { ...string('Name of an item.'), maxLength: 100 } },
    execute: ({ item }, { task, state }) => {
      const found = named(task.data, item.trim());
      if (!found) throw new ToolError(texts.unknown);
      const opened = [...new Set([...state.opened, found.name])];
      return { text: pageOf(found), state: { ...state, opened, open: found.name, size: null } };
    },
  }),
  tool({
    name: 'choose',
    description: 'Chooses the size of the open item. One that is sold out ends the episode.',
    arguments: { size: { ...string('One of the sizes on the page.'), maxLength: 100 } },
    execute: ({ size }, { task, state }) => {
      const item = named(task.data, state.open);
      if (!item) throw new ToolError(texts.closed);
      const chosen = size.trim();
      if (!item.sizes.includes(chosen)) return { text: texts.soldOut, state, done: true };
      return { text: `size ${chosen}`, state: { ...state, size: chosen } };
    },
  }),
  tool({
    name: 'buy',
    description: 'Buys the open item in the chosen size. This ends the episode.',
    arguments: {},
    execute: (_, { state }) => {
      if (state.open === '') throw new ToolError(texts.closed);
      return { text: texts.bought, state: { ...state, bought: true }, done: true };
    },
  }),
];

export const start = () => ({ state: { listed: [], opened: [], open: '', size: null, bought: false } });

/** @param {import('agentlet').Message[]} messages @param {State} state */
export function context([wish, ...rest], { listed, opened }) {
  const list = listed.map((title) => (opened.some((name) => title.endsWith(` ${name}`)) ? tick : title)).join(' , ');
  const said = rest.slice(-1).filter(({ content }) => content !== listed.join(' , '));
  return [wish, ...(list === '' ? [] : [{ role: 'tool', content: list }]), ...said];
}

/**
 * The items that share most words with the query, best first, and equals in the catalogue's order.
 * @param {Shop} shop @param {string} query
 */
function look({ items }, query) {
  const read = query.trim().split(/ +/);
  const hits = (/** @type {Item} */ { color, kind }) => Number(read.includes(color)) + Number(read.includes(kind));
  return items
    .filter((item) => hits(item) > 0)
    .sort((a, b) => hits(b) - hits(a))
    .slice(0, shown);
}

/** @param {Item} item */
function pageOf({ sizes, price }) {
  return `in ${sizes.join(' ')} for ${price}`;
}

/** @param {Shop} shop @param {string} name */
function named({ items }, name) {
  return items.find((item) => item.name === name);
}

/** @param {Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  const number = rng.integer(0, 0xffffffff);
  const titled = split === 'out-of-distribution' ? shown : rng.integer(2, shown - 1);
  const random = new Random(number);
  let wish = drawWish(random);
  while (splitOf(wish) !== split) wish = drawWish(random);
  const shop = { wish, items: stock(random, wish, titled) };
  return {
    id: `${titled} ${number}`,
    tags: [
      `${titled} of the title`,
      places[look(shop, `${wish.color} ${wish.kind}`).findIndex((item) => fits(wish, item))],
    ],
    prompt: `${wish.color} ${wish.kind} in ${wish.size} up to ${wish.limit}`,
    data: shop,
  };
}

/** @param {Random} random @returns {Wish} */
const drawWish = (random) => ({
  kind: random.pick(kinds),
  color: random.pick(colors),
  size: random.pick(sizes),
  limit: random.pick(limits),
});

/** Each wish is for one split alone: two in three are for training. @param {Wish} wish */
function splitOf({ kind, color, size, limit }) {
  const places = [kinds.indexOf(kind), colors.indexOf(color), sizes.indexOf(size)];
  const sum = places.reduce((a, b) => a + b) + limits.indexOf(limit);
  return ['validation', 'out-of-distribution'][sum % 6] ?? 'train';
}

/**
 * A catalogue: one item with everything, others of its title that lack the size or the price, some of its kind in other
 * colours, and as many of its colour and other kinds.
 * @param {Random} random @param {Wish} wish @param {number} titled How many have its title. @returns {Item[]}
 */
function stock(random, wish, titled) {
  const fresh = random.shuffle(names);
  const other = (/** @type {readonly string[]} */ list, /** @type {string} */ but) =>
    random.pick(list.filter((each) => each !== but));
  const alsoIn = other(sizes, wish.size);
  const at = prices.indexOf(wish.limit);
  const cheap = prices.slice(at - 1, at + 1);
  const dear = prices.slice(at + 1, at + 3);
  const coin = () => random.uniform() < 0.5;
  /** @param {string} color @param {string} kind @param {boolean} size As wanted? @param {boolean} price */
  const make = (color, kind, size, price) => ({
    name: /** @type {string} */ (fresh.pop()),
    kind,
    color,
    price: random.pick(price ? cheap : dear),
    sizes: size
      ? sizes.filter((each) => each === wish.size || each === alsoIn)
      : sizes.filter((each) => each !== wish.size),
  });
  const items = [make(wish.color, wish.kind, true, true)];
  for (let i = 1; i < titled; i++) {
    const size = coin();
    items.push(make(wish.color, wish.kind, size, !size));
  }
  for (let i = 0; i < others; i++) {
    items.push(make(other(colors, wish.color), wish.kind, coin(), coin()));
    items.push(make(wish.color, other(kinds, wish.kind), coin(), coin()));
  }
  return random.shuffle(items);
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, steps, state }) {
  const { wish } = task.data;
  const calls = steps.flatMap((step) => step.toolCalls);
  const bought = state.bought ? named(task.data, state.open) : undefined;
  const score = bought ? worth(wish, bought, state.size) : 0;
  const pages = new Set(calls.filter(({ name, error }) => name === 'open' && !error).map((call) => call.result));
  return { success: score === 1, score, pages: pages.size, refused: calls.filter(({ error }) => error).length };
}

/** Share of the wish that an item in a size has. @param {Wish} wish @param {Item} item @param {string | null} size */
function worth(wish, item, size) {
  if (item.kind !== wish.kind) return 0;
  const has = [item.color === wish.color, item.price <= wish.limit, size === wish.size];
  return has.filter(Boolean).length / has.length;
}

/** Does an item have everything, in one of its sizes? @param {Wish} wish @param {Item} item */
const fits = (wish, item) => hasSize(wish, item) && worth(wish, item, wish.size) === 1;

/** @param {Wish} wish @param {Item} item */
const hasSize = (wish, item) => item.sizes.includes(wish.size);

/** Most demonstrations are careless somewhere, so what is left to learn is to be careful everywhere. */
export function demonstrate(/** @type {import('agentlet').Task} */ task) {
  const [search, compare, choose] = [care.search, care.compare, care.choose].map((share) => Math.random() < share);
  return visit(task, compare ? fits : anything, { search, choose });
}

const anything = () => true;

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => visit(task, fits),

  /** Searches for everything that the prompt says and buys the first item of that title, in the right size. */
  'first-listed': (task) => visit(task, anything),

  /** Opens page after page until the size is right, and buys that item, whatever it costs. */
  reflex: (task) => visit(task, hasSize),

  /** Buys any item of a search for the kind in any size. */
  random: ({ data }) => {
    const any = (/** @type {readonly any[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const item = any(look(data, data.wish.kind));
    return play([['search', data.wish.kind], ['open', item.name], ['choose', any(item.sizes)], ['buy']]);
  },
};

/**
 * Searches, opens pages until one is good enough, and buys that item. Who finds none buys the last one.
 * @param {import('agentlet').Task} task @param {(wish: Wish, item: Item) => boolean} enough
 * @param {{ search: boolean, choose: boolean }} [careful] Does it search for the colour too, and choose the size?
 */
function visit({ data }, enough, { search, choose } = { search: true, choose: true }) {
  const { wish } = /** @type {Shop} */ (data);
  const query = search ? `${wish.color} ${wish.kind}` : wish.kind;
  const listed = look(data, query);
  const titled = listed.filter(({ color, kind }) => color === wish.color && kind === wish.kind);
  const candidates = titled.length > 0 ? titled : listed;
  const right = candidates.findIndex((item) => enough(wish, item));
  const opened = candidates.slice(0, right < 0 ? candidates.length : right + 1);
  return play([
    ['search', query],
    ...opened.map(({ name }) => ['open', name]),
    ...(choose && hasSize(wish, opened[opened.length - 1]) ? [['choose', wish.size]] : []),
    ['buy'],
  ]);
}

const argument = { search: 'query', open: 'item', choose: 'size' };

/** Calls by tool and argument. @param {readonly (readonly string[])[]} calls @returns {import('agentlet').Turn[]} */
function play(calls) {
  return calls.map(([name, text]) => ({
    calls: [{ name, arguments: text === undefined ? {} : { [argument[/** @type {'open'} */ (name)]]: text } }],
  }));
}

/** The shelf: items that were listed stand out, pages that were opened tell more. @type {import('agentlet').Draw} */
export function draw({ prompt, data }, state, { steps, success }) {
  const calls = steps.flatMap(({ toolCalls }) => toolCalls).filter(({ error }) => error === undefined);
  const query = calls.filter(({ name }) => name === 'search').at(-1)?.arguments?.query;
  const listed = typeof query === 'string' ? look(data, query) : [];
  const opened = calls.filter(({ name }) => name === 'open').map((call) => Object.values(call.arguments ?? {}).join());
  const bought = state?.bought ? state.open : '';
  const across = 4;
  const cards = data.items.flatMap((/** @type {Item} */ item, /** @type {number} */ i) => {
    const [x, y] = [6 + 110 * (i % across), 42 + 78 * Math.floor(i / across)];
    const isOpen = state?.open === item.name;
    const wasOpened = opened.includes(item.name) || isOpen;
    const isBought = item.name === bought;
    const role = isBought ? (success ? 'good' : 'danger') : isOpen ? 'agent' : listed.includes(item) ? 'note' : 'muted';
    const line = (/** @type {number} */ row, /** @type {string} */ text, bold = false) => ({
      kind: 'text',
      x: x + 6,
      y: y + 6 + 15 * row,
      width: 94,
      size: 11,
      text,
      bold,
      role: role === 'muted' ? 'muted' : 'ink',
    });
    const size = isOpen && state?.size ? `${item.sizes.join(' ')} ▸ ${state.size}` : item.sizes.join(' ');
    const fill = role === 'muted' ? 'outline' : 'soft';
    return [
      { kind: 'rectangle', x, y, width: 104, height: 72, radius: 6, role, fill },
      line(0, `${item.name}${isBought ? (success ? ' ✓' : ' ✗') : ''}`, true),
      line(1, `${item.color} ${item.kind}`),
      line(2, wasOpened ? `${item.price}` : '?'),
      ...(wasOpened ? [line(3, size)] : []),
    ];
  });
  return {
    width: 446,
    height: 42 + 78 * Math.ceil(data.items.length / across),
    words: `${prompt}. Listed: ${listed.length}, opened: ${opened.join(' ') || 'none'}, bought: ${bought || 'none'}.`,
    shapes: [{ kind: 'text', x: 6, y: 6, width: 434, lines: 2, size: 12, bold: true, text: prompt }, ...cards],
  };
}
