/**
 * A house, ALFWorld in small: the agent looks for a thing in cupboards and boxes, heats, cools or cleans it if that is
 * asked for, and puts it where it is wanted.
 *
 * Each place holds one thing, and about half of the places are closed until they are opened. So the agent must go to
 * one place after the other, open what is closed, and remember meanwhile what the prompt asks for. The first of three
 * places has the thing one time in three, and three tasks in four want it heated, cooled or cleaned. To reach for the
 * thing without looking costs a turn and no more.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {object} House
 * @property {string} thing What is wanted.
 * @property {string} made How it is wanted: hot, cold, clean, or '' for as it is.
 * @property {string} goal Where it is wanted.
 * @property {string[]} places Where it can be, in the order they are shown.
 * @property {string[]} closed Places that are closed at first.
 * @property {Record<string, string>} things Thing → place.
 *
 * @typedef {object} State
 * @property {string} at Where the agent stands; '' at first.
 * @property {string[]} closed
 * @property {Record<string, string>} things Thing → place; `hand` for the one that the agent holds.
 * @property {Record<string, string>} made Thing → hot, cold or clean.
 */

/** Shares of demonstrations that go on after the first place, look before they take, and heat, cool or clean. */
const care = { goOn: 0.4, look: 0.5, make: 0.4 };
const everywhere = Infinity;

const things = ['potato', 'tomato', 'fish', 'loaf', 'carrot', 'cup', 'bowl', 'plate'];
/** Places in which things can be. No house of training has both of a pair. */
const pairs = [
  ['shelf', 'rack'],
  ['drawer', 'box'],
  ['cabinet', 'locker'],
  ['chest', 'trunk'],
  ['basket', 'crate'],
];
const goals = ['bed', 'desk', 'sofa', 'bench', 'stool', 'tray'];
/** Tool → what it makes of a thing. @type {Record<string, string>} */
const ways = { heat: 'hot', cool: 'cold', clean: 'clean' };

const texts = {
  nothing: 'nothing',
  closed: 'closed',
  unknown: 'no such place',
  nowhere: 'go somewhere first',
  notHere: 'not here',
  full: 'hands are full',
  empty: 'hands are empty',
  gaveUp: 'not found',
  ready: 'ready',
};
const words = [
  ...new Set(
    [
      ...['error:', 'go', 'open', 'take', 'put', 'a', 'on', 'the', 'took', 'is'],
      ...[...things, ...pairs.flat(), ...goals, ...Object.entries(ways).flat()],
      ...Object.values(texts).join(' ').split(' '),
    ].sort(),
  ),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Household',
  task: 'Find a thing in a house, heat, cool or clean it if asked, and put it where it is wanted.',
  watch:
    'The agent copied helpers that give up after the first place and forget to heat. Watch turns rise, then success.',
  rewards: {
    arranged: { description: 'The thing is where it is wanted, as it is wanted.', weight: 1 },
    found: { description: 'The thing was taken.', weight: 0 },
    made: { description: 'The thing was heated, cooled or cleaned as asked.', weight: 0 },
    refused: { description: 'Calls that could not be done.', weight: 0 },
  },
  options: [
    {
      name: 'places',
      title: 'Places',
      description: 'Places in which the thing can be.',
      values: [2, 3, 4],
      default: 3,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Houses with places that are never in one house in training.',
  examples: ['put a hot potato on the bed', 'put a clean cup on the desk', 'put a loaf on the tray'],
};

/** @param {string} name @param {string} description */
const making = (name, description) =>
  tool({
    name,
    description,
    arguments: {},
    execute: (_, { state }) => {
      const thing = held(state);
      const made = ways[name];
      return { text: `${thing} is ${made}`, state: { ...state, made: { ...state.made, [thing]: made } } };
    },
  });

export const tools = [
  tool({
    name: 'go',
    description: 'Goes to a place and says what is there.',
    arguments: { place: { ...string('A place, like shelf.'), maxLength: 100 } },
    execute: ({ place }, { task, state }) => {
      const at = knownPlace(task.data, place);
      return { text: sight({ ...state, at }), state: { ...state, at } };
    },
  }),
  tool({
    name: 'open',
    description: 'Opens the place where the agent stands and says what is in it.',
    arguments: {},
    execute: (_, { state }) => {
      if (state.at === '') throw new ToolError(texts.nowhere);
      const opened = { ...state, closed: state.closed.filter((/** @type {string} */ each) => each !== state.at) };
      return { text: sight(opened), state: opened };
    },
  }),
  tool({
    name: 'take',
    description: 'Takes a thing from the place where the agent stands, if it is there.',
    arguments: { thing: { ...string('A thing in sight, like cup.'), maxLength: 100 } },
    execute: ({ thing }, { state }) => {
      const wanted = thing.trim();
      if (inside(state, 'hand').length > 0) throw new ToolError(texts.full);
      if (state.closed.includes(state.at) || !inside(state, state.at).includes(wanted)) return texts.notHere;
      return { text: `took ${wanted}`, state: { ...state, things: { ...state.things, [wanted]: 'hand' } } };
    },
  }),
  making('heat', 'Heats the thing in hand.'),
  making('cool', 'Cools the thing in hand.'),
  making('clean', 'Cleans the thing in hand.'),
  tool({
    name: 'put',
    description: 'Goes to a place and puts the thing in hand there.',
    arguments: { place: { ...string('A place, like bed.'), maxLength: 100 } },
    execute: ({ place }, { task, state }) => {
      const thing = held(state);
      const at = knownPlace(task.data, place);
      if (state.closed.includes(at)) throw new ToolError(texts.closed);
      const after = { ...state, at, things: { ...state.things, [thing]: at } };
      // Right or not: who may try again need not read whether the thing is to be hot, cold or clean.
      return { text: `${thing} on ${at}`, state: after, done: after.things[task.data.thing] === task.data.goal };
    },
  }),
];

/** @param {State} state @param {string} place */
function inside(state, place) {
  return Object.keys(state.things).filter((thing) => state.things[thing] === place);
}

/** What the agent sees where it stands. @param {State} state */
function sight(state) {
  if (state.closed.includes(state.at)) return texts.closed;
  return inside(state, state.at).join(' ') || texts.nothing;
}

/** @param {State} state */
function held(state) {
  const [thing] = inside(state, 'hand');
  if (thing === undefined) throw new ToolError(texts.empty);
  return thing;
}

/** @param {House} house @param {string} name */
function knownPlace({ places }, name) {
  const place = name.trim();
  if (!places.includes(place) && !goals.includes(place)) throw new ToolError(texts.unknown);
  return place;
}

/** @param {House} house @param {State} state */
function isArranged({ thing, made, goal }, state) {
  return state.things[thing] === goal && (made === '' || state.made[thing] === made);
}

/**
 * A task is a function of one number.
 * @param {Random} rng @param {import('agentlet').Split} split @param {{ places: number }} options
 */
export function tasks(rng, split, options) {
  const number = rng.integer(0, 0xffffffff);
  const size = options.places;
  const random = new Random(number);
  const isUnseen = split === 'out-of-distribution';
  const mixed = random.shuffle(pairs).map((pair) => random.shuffle(pair));
  const places = random.shuffle((isUnseen ? mixed.flat() : mixed.map(([place]) => place)).slice(0, size));
  const [thing, ...others] = random.shuffle(things);
  const made = random.pick([...Object.values(ways), '']);
  const goal = random.pick(goals);
  const at = random.integer(0, size - 1);
  const inPlaces = places.map((place, i) => [i === at ? thing : others[i], place]);
  const closed = places.filter(() => random.uniform() < 0.5);
  return {
    id: `${isUnseen ? 'unseen ' : ''}${size} ${number}`,
    prompt: `put a ${made === '' ? '' : `${made} `}${thing} on the ${goal}`,
    data: { thing, made, goal, places, closed, things: Object.fromEntries(inPlaces) },
    tags: [made || 'as it is'],
  };
}

/** @param {import('agentlet').Task} task */
export function start({ data: { places, closed, things } }) {
  return { text: places.join(' '), state: { at: '', closed, things, made: {} } };
}

/**
 * What must be remembered: where the agent stands, or that it took the thing and what it made of it.
 * @param {unknown} _ @param {State} state
 */
export function summary(_, state) {
  const [thing] = inside(state, 'hand');
  if (thing !== undefined) return `took ${state.made[thing] ?? thing}`;
  return state.closed.includes(state.at) ? `${state.at} ${texts.closed}` : state.at;
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, steps, state }) {
  const house = /** @type {House} */ (task.data);
  const calls = steps.flatMap((step) => step.toolCalls);
  const success = isArranged(house, state);
  return {
    success,
    arranged: Number(success),
    found: Number(calls.some(({ result, error }) => !error && result === `took ${house.thing}`)),
    made: Number(house.made !== '' && state.made[house.thing] === house.made),
    refused: calls.filter(({ error }) => error).length,
  };
}

/**
 * Most demonstrations are careless: they give up after the first place, or bring the thing as it is. Half of them take
 * without looking, and learn that way that the thing is not there. So imitation teaches what the tools do and bad
 * habits, and reinforcement must find that patience and care pay.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  const [goesOn, looks, makes] = [care.goOn, care.look, care.make].map((share) => Math.random() < share);
  return help(task, { visits: goesOn ? everywhere : 1, looks, makes });
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => help(task, { visits: everywhere, looks: true, makes: true }),

  /** Looks into every place, but brings the thing as it is. */
  forgetful: (task) => help(task, { visits: everywhere, looks: true, makes: false }),

  /** Does what is asked for, but looks into the first two places alone. */
  reflex: (task) => help(task, { visits: 2, looks: true, makes: true }),

  /** Looks into one place, takes anything, does anything with it and puts it anywhere. */
  random: ({ data }) => {
    const any = (/** @type {readonly string[]} */ list) => list[Math.floor(Math.random() * list.length)];
    return play(
      [['go', any(data.places)], ['open'], ['take', any(things)], [any(Object.keys(ways))], ['put', any(goals)]],
      texts.ready,
    );
  },
};

/**
 * Goes to the places in the order they are shown.
 * @param {import('agentlet').Task} task @param {{ visits: number, looks: boolean, makes: boolean }} habits How many
 * places it goes to at most; does it take only what it sees, and heat, cool or clean?
 */
function help({ data }, { visits, looks, makes }) {
  const { thing, made, goal, places, closed, things } = /** @type {House} */ (data);
  /** @type {string[][]} */
  const calls = [];
  for (const [i, place] of places.entries()) {
    calls.push(['go', place], ...(closed.includes(place) ? [['open']] : []));
    const isHere = things[thing] === place;
    if (isHere || !looks) calls.push(['take', thing]);
    if (isHere) break;
    if (i + 1 === visits) return play(calls, texts.gaveUp);
  }
  const way = Object.keys(ways).find((each) => ways[each] === made);
  return play([...calls, ...(way && makes ? [[way]] : []), ['put', goal]]);
}

const argument = { go: 'place', take: 'thing', put: 'place' };

/**
 * Calls by tool and argument, and an answer if they do not end the episode.
 * @param {readonly (readonly string[])[]} calls @param {string} [answer] @returns {import('agentlet').Turn[]}
 */
function play(calls, answer) {
  const turns = calls.map(([name, text]) => ({
    calls: [{ name, arguments: text === undefined ? {} : { [argument[/** @type {'go'} */ (name)]]: text } }],
  }));
  return answer === undefined ? turns : [...turns, { answer }];
}

/** The house: what each place holds, where the agent stands and what it holds. @type {import('agentlet').Draw} */
export function draw({ prompt, data }, state, { success }) {
  const now = state ?? { at: '', closed: data.closed, things: data.things, made: {} };
  const named = (/** @type {string} */ thing) => `${now.made[thing] ? `${now.made[thing]} ` : ''}${thing}`;
  const rooms = [...new Set([...data.places, data.goal, ...(now.at ? [now.at] : [])])];
  const spots = new Map(rooms.map((name, i) => [name, { x: 6 + 110 * (i % 3), y: 44 + 92 * Math.floor(i / 3) }]));
  const boxes = rooms.flatMap((name) => {
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
    const isClosed = now.closed.includes(name);
    const role = name === data.goal ? 'goal' : 'muted';
    const holds = inside(now, name).map(named);
    return [
      { kind: 'rectangle', x, y, width: 104, height: 84, radius: 4, role, fill: isClosed ? 'soft' : 'outline' },
      { kind: 'text', x: x + 8, y: y + 6, width: 90, bold: true, role, text: isClosed ? `${name} ▪` : name },
      ...holds.map((text, i) => ({
        kind: 'text',
        x: x + 8,
        y: y + 24 + 14 * i,
        width: 90,
        size: 11,
        role: text.endsWith(data.thing) ? 'object' : 'muted',
        text: isClosed ? `(${text})` : text,
      })),
    ];
  });
  const at = spots.get(now.at);
  const [x, y] = at ? [at.x + 92, at.y + 14] : [20, 32];
  const held = at ? { x: at.x + 8, y: at.y + 68 } : { x: x + 13, y: y - 6 };
  const hand = inside(now, 'hand').map(named).join(' ');
  const mark = success === null ? '' : success ? ' ✓' : ' ✗';
  return {
    width: 336,
    height: 44 + 92 * Math.ceil(rooms.length / 3),
    words: `${prompt}. The agent is at the ${now.at || 'door'} and holds ${hand || 'nothing'}.${mark}`,
    shapes: [
      { kind: 'text', x: 6, y: 6, width: 324, size: 12, bold: true, text: prompt + mark },
      ...boxes,
      { kind: 'circle', id: 'agent', x, y, radius: 8, role: 'agent' },
      { kind: 'text', id: 'hand', ...held, width: 90, size: 11, role: 'agent', text: hand },
    ],
  };
}
