/**
 * A shop, WebShop in small: each task brings a catalogue of its own, and the agent buys one thing in it for a customer
 * who wants a colour, a material, a size and a price.
 *
 * A search reads the titles alone, colour and kind. Material, price and sizes are on an item's page, so pages must be
 * opened until one has everything. A search for both words lists every item of that title, two to four in training, and
 * fills up with others. One item of the title has everything, and it can stand anywhere in the list; each of the others
 * lacks one thing, so who looks at the material alone buys the right item in half of the tasks, and who does not look
 * at sizes in seven of ten. A search for the kind alone may leave the right item out. The size must be chosen.
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
 * @property {string} material
 * @property {number} price
 * @property {readonly string[]} sizes
 *
 * @typedef {{ kind: string, color: string, material: string, size: string, limit: number }} Wish
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
const care = { search: 0.5, compare: 0.8, choose: 0.35 };
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
const materials = ['wool', 'silk', 'felt'];
const sizes = ['s', 'm', 'l'];
/** Tags of a task: where in the list the right item stands. */
const places = ['first', 'second', 'third', 'fourth', 'fifth'];
const prices = [10, 20, 30, 40, 50, 60, 70, 80];
const limits = prices.slice(2, -2);

const texts = {
  nothing: 'nothing found',
  unknown: 'no such item',
  closed: 'open an item first',
  soldOut: 'not in this size',
  bought: 'bought',
};
const words = [
  ...new Set(
    [
      ...['error:', 'search', 'open', 'choose', 'buy', 'of', 'in', 'for', 'up', 'to', 'size', ',', tick],
      ...[...names, ...kinds, ...colors, ...materials, ...sizes, ...prices.map(String)],
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
      description: 'Share of colour, material, size and price that the bought item has; 0 for another kind.',
      weight: 1,
    },
    pages: { description: 'Pages opened, each counted once.', weight: 0 },
    refused: { description: 'Calls that the shop refused.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Five items of the colour and kind are listed, where training has two to four.',
  examples: ['red hat of wool in m up to 40', 'black shoe of felt in s up to 60'],
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
    description: 'Opens the page of an item: material, sizes and price.',
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
    description: 'Chooses the size of the open item.',
    arguments: { size: { ...string('One of the sizes on the page.'), maxLength: 100 } },
    execute: ({ size }, { task, state }) => {
      const item = named(task.data, state.open);
      if (!item) throw new ToolError(texts.closed);
      const chosen = size.trim();
      if (!item.sizes.includes(chosen)) throw new ToolError(texts.soldOut);
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
 * The items that share most words with the query, in the catalogue's order.
 * @param {Shop} shop @param {string} query
 */
function look({ items }, query) {
  const read = query.trim().split(/ +/);
  const hits = (/** @type {Item} */ { color, kind }) => Number(read.includes(color)) + Number(read.includes(kind));
  const found = items
    .filter((item) => hits(item) > 0)
    .sort((a, b) => hits(b) - hits(a))
    .slice(0, shown);
  return items.filter((item) => found.includes(item));
}

/** @param {Item} item */
function pageOf({ material, sizes, price }) {
  return `of ${material} in ${sizes.join(' ')} for ${price}`;
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
    prompt: `${wish.color} ${wish.kind} of ${wish.material} in ${wish.size} up to ${wish.limit}`,
    data: shop,
  };
}

/** @param {Random} random @returns {Wish} */
const drawWish = (random) => ({
  kind: random.pick(kinds),
  color: random.pick(colors),
  material: random.pick(materials),
  size: random.pick(sizes),
  limit: random.pick(limits),
});

/** Each wish is for one split alone: two in three are for training. @param {Wish} wish */
function splitOf({ kind, color, material, size, limit }) {
  const places = [kinds.indexOf(kind), colors.indexOf(color), materials.indexOf(material), sizes.indexOf(size)];
  const sum = places.reduce((a, b) => a + b) + limits.indexOf(limit);
  return ['validation', 'out-of-distribution'][sum % 6] ?? 'train';
}

/**
 * A catalogue: one item with everything, others of its title that lack one thing each, some of its kind in other
 * colours, and as many of its colour and other kinds.
 * @param {Random} random @param {Wish} wish @param {number} titled How many have its title. @returns {Item[]}
 */
function stock(random, wish, titled) {
  const fresh = random.shuffle(names);
  const other = (/** @type {readonly string[]} */ list, /** @type {string} */ but) =>
    random.pick(list.filter((each) => each !== but));
  const alsoIn = other(sizes, wish.size);
  const lucky = () => [0, 1, 2].map(() => random.uniform() < 0.5);
  const cheap = prices.filter((price) => price <= wish.limit);
  const dear = prices.filter((price) => price > wish.limit);
  /** @param {string} color @param {string} kind @param {boolean[]} has Material, size and price as wanted? */
  const make = (color, kind, [material, size, price]) => ({
    name: /** @type {string} */ (fresh.pop()),
    kind,
    color,
    material: material ? wish.material : other(materials, wish.material),
    price: random.pick(price ? cheap : dear),
    sizes: size
      ? sizes.filter((each) => each === wish.size || each === alsoIn)
      : sizes.filter((each) => each !== wish.size),
  });
  const items = [make(wish.color, wish.kind, [true, true, true])];
  for (let i = 1; i < titled; i++) {
    const lacks = random.integer(0, 2);
    items.push(
      make(
        wish.color,
        wish.kind,
        [0, 1, 2].map((thing) => thing !== lacks),
      ),
    );
  }
  for (let i = 0; i < others; i++) {
    items.push(make(other(colors, wish.color), wish.kind, lucky()));
    items.push(make(wish.color, other(kinds, wish.kind), lucky()));
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
  const has = [
    item.color === wish.color,
    item.material === wish.material,
    item.price <= wish.limit,
    size === wish.size,
  ];
  return has.filter(Boolean).length / has.length;
}

/** Does an item have everything, in one of its sizes? @param {Wish} wish @param {Item} item */
function fits(wish, item) {
  return item.sizes.includes(wish.size) && worth(wish, item, wish.size) === 1;
}

/** Most demonstrations are careless somewhere, so what is left to learn is to be careful everywhere. */
export const demonstrate = (/** @type {import('agentlet').Task} */ task) =>
  visit(task, {
    search: Math.random() < care.search,
    compare: Math.random() < care.compare,
    choose: Math.random() < care.choose,
  });

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => visit(task, { search: true, compare: true, choose: true }),

  /** Searches for everything that the prompt says and buys the first item of that title, in the right size. */
  'first-listed': (task) => visit(task, { search: true, compare: false, choose: true }),

  /** Opens page after page until material and price are right, and buys that item, in the right size if it has it. */
  reflex: ({ data }) => {
    const { wish } = /** @type {Shop} */ (data);
    const query = `${wish.color} ${wish.kind}`;
    const listed = look(data, query).filter(({ color, kind }) => color === wish.color && kind === wish.kind);
    const right = listed.findIndex(({ material, price }) => material === wish.material && price <= wish.limit);
    const opened = listed.slice(0, right + 1).map(({ name }) => ['open', name]);
    return play([['search', query], ...opened, ['choose', wish.size], ['buy']]);
  },

  /** Buys any item of a search for the kind in any size. */
  random: ({ data }) => {
    const any = (/** @type {readonly any[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const item = any(look(data, data.wish.kind));
    return play([['search', data.wish.kind], ['open', item.name], ['choose', any(item.sizes)], ['buy']]);
  },
};

/**
 * Searches, opens one page or as many as it takes, and buys the last one opened. A customer that does not care takes
 * what stands first.
 * @param {import('agentlet').Task} task @param {{ search: boolean, compare: boolean, choose: boolean }} careful
 */
function visit({ data }, careful) {
  const { wish } = /** @type {Shop} */ (data);
  const query = careful.search ? `${wish.color} ${wish.kind}` : wish.kind;
  const listed = look(data, query);
  const titled = listed.filter(({ color, kind }) => color === wish.color && kind === wish.kind);
  const candidates = (careful.search || careful.compare) && titled.length > 0 ? titled : listed;
  const right = candidates.findIndex((item) => fits(wish, item));
  const opened = candidates.slice(0, careful.compare ? (right < 0 ? candidates.length : right + 1) : 1);
  const last = opened[opened.length - 1];
  return play([
    ['search', query],
    ...opened.map(({ name }) => ['open', name]),
    ...(careful.choose && last.sizes.includes(wish.size) ? [['choose', wish.size]] : []),
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
      line(2, wasOpened ? `${item.material} ${item.price}` : '?'),
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
