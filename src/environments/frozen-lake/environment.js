/**
 * Frozen lake, after RAGEN's: from the far side of a small frozen lake to the goal in its corner. The holes are drawn
 * anew for each task. The ice is slippery: one move in 20 goes to the left or the right of where it was meant to go.
 * So the agent must see which way leads round the holes, and best keeps away from them. Going straight for the goal
 * falls into a hole three times in four. Half of the lakes are twisted: who takes the first open way, and turns round
 * only in a dead end, never arrives there. It is dark too soon for who finds out on the way where the holes are.
 *
 * Slips are drawn for each episode, so the rollouts of a group slip differently. The first state holds their seed:
 * demonstrations know it and so know where they end, but for the agent slips are chance. The oracle does not look at
 * them either: it makes the moves that are best on average, found by value iteration. What is expected of it is the
 * optimum, and it drowns at times.
 */
import { choice, Random, tool } from 'agentlet';

/**
 * @typedef {{ holes: number[], slip: number, daylight: number }} Lake Places are counted row by row; `slip` is the
 * probability that a move goes astray, `daylight` the moves until it is dark.
 *
 * @typedef {{ place: number, moves: number, luck: number }} State `luck` is the seed of the episode's slips.
 */

/** Places in a row, and rows. */
const size = 6;
const places = size * size;
const goal = places - 1;
const holesIn = { usual: [4, 6], 'out-of-distribution': [7, 8] };
/** Moves that a task would take at least if there were no holes. */
const nearest = 5;
/** Moves that a task takes at most, for one that never slips. */
const farthest = 10;
/** Shares of lakes in which no hole is on the straight way, and in which the first open way arrives all the same. */
const shares = { clear: 0.25, bent: 0.25 };
/** Share of demonstrations that look out for holes. */
const care = 0.4;

const directions = ['up', 'right', 'down', 'left'];
const [up, right, down, left] = directions.keys();
const nameOf = (/** @type {number} */ place) => 'abcdef'[Math.floor(place / size)] + (1 + (place % size));
const all = Array.from({ length: places }, (_, place) => place);
/** For each place, those next to it in every direction; the place itself at the edge. */
const next = all.map((place) => {
  const [row, column] = [Math.floor(place / size), place % size];
  return [
    row > 0 ? place - size : place,
    column < size - 1 ? place + 1 : place,
    row < size - 1 ? place + size : place,
    column > 0 ? place - 1 : place,
  ];
});
/** The direction of an impatient walker in each place: down, then right. */
const straight = all.map((place) => (place < goal - (goal % size) ? down : right));
/**
 * The directions that a first-open walker tries, by place and one more than the direction that leads back (0 at the
 * start): the one back comes last. @param {number[]} order
 */
const habitsOf = (order) =>
  next.map((around, place) =>
    [-1, up, right, down, left].map((back) => [
      ...order.filter((direction) => direction !== back && around[direction] !== place),
      back < 0 ? up : back,
    ]),
  );
const downFirst = habitsOf([down, right, left, up]);
const rightFirst = habitsOf([right, down, up, left]);
/** Where tasks start. */
const far = all.filter((place) => 2 * (size - 1) - Math.floor(place / size) - (place % size) >= nearest);
const words = [...directions, ...all.map(nameOf), ...'from to holes hole goal ice edge dark'.split(' ')];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Frozen lake',
  task: 'Cross a slippery frozen lake to the goal without falling into a hole.',
  watch:
    'The agent copied walkers who mostly run straight for the goal. ' +
    'Watch it go round the holes and keep away from them.',
  rewards: {
    goal: { description: 'The goal was reached.', weight: 1 },
    fell: { description: 'It fell into a hole.', weight: 0 },
    moves: { description: 'Moves made.', weight: 0 },
  },
  options: [
    {
      name: 'slip',
      title: 'Slip',
      description: 'How often a move goes to the side, in percent.',
      values: [0, 5, 10, 20],
      default: 5,
    },
    {
      name: 'daylight',
      title: 'Daylight',
      description: 'Moves until it is dark.',
      values: [12, 16],
      default: 12,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Lakes with seven or eight holes, where training has four to six.',
  examples: ['from a1 to f6 holes a4 b3 c1 d4', 'from b1 to f6 holes a3 c2 c5 d1 e3'],
};

export const tools = [
  tool({
    name: 'go',
    description: 'Takes one step, and says where that led and what is around.',
    arguments: { direction: choice(directions, 'up, right, down or left') },
    execute: ({ direction }, { task, state }) => {
      const { data: lake } = task;
      const now = moved(lake, state, directions.indexOf(direction));
      const end = endOf(lake, now);
      return { text: end ? `${nameOf(now.place)} ${end}` : look(lake, now.place), state: now, done: end !== '' };
    },
  }),
];

/**
 * @param {import('agentlet').Random} rng @param {import('agentlet').Split} split
 * @param {{ slip: number, daylight: number }} options
 */
export function tasks(rng, split, { slip, daylight }) {
  const [least, most] = split === 'out-of-distribution' ? holesIn[split] : holesIn.usual;
  const drawn = rng.uniform();
  const kind = drawn < shares.clear ? 'clear' : drawn < shares.clear + shares.bent ? 'bent' : 'twisted';
  for (;;) {
    const holes = drawHoles(rng, rng.integer(least, most));
    const open = openIn(holes);
    const first = rng.integer(0, far.length - 1);
    const from = far.findIndex((_, i) => kindOf(open, far[(first + i) % far.length], daylight) === kind);
    if (from < 0) continue;
    const start = far[(first + from) % far.length];
    if (wayLength(open, start) > farthest) continue;
    holes.sort((a, b) => a - b);
    const prompt = `from ${nameOf(start)} to ${nameOf(goal)} holes ${holes.map(nameOf).join(' ')}`;
    return {
      id: `${prompt} slip ${slip}`,
      prompt,
      data: { holes, slip: slip / 100, daylight, start },
      tags: [kind],
    };
  }
}

/** @param {import('agentlet').Task} task */
export function start({ data: lake }) {
  const luck = Math.floor(Math.random() * 2 ** 31);
  return { text: look(lake, lake.start), state: { place: lake.start, moves: 0, luck } };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, state }) {
  const end = endOf(task.data, state);
  const success = end === 'goal';
  return { success, goal: success ? 1 : 0, fell: end === 'hole' ? 1 : 0, moves: state.moves };
}

/**
 * Three in five demonstrations run for the goal as if there were no holes.
 * @param {import('agentlet').Task} task @param {State} state
 */
export function demonstrate(task, state) {
  return Math.random() < care ? policies.oracle(task, state) : policies.hasty(task, state);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data: lake }, state) => walk(lake, state, bestMoves(lake)),
  hasty: ({ data: lake }, state) => walk(lake, state, ({ place }) => [straight[place]]),
  /** Goes the shortest way round the holes that it stood beside, and has not read where the others are. */
  reflex: ({ data: lake }, state) => {
    /** @type {number[]} */
    const known = [];
    return walk(lake, state, ({ place }) => {
      known.push(...next[place].filter((to) => lake.holes.includes(to)));
      return [nearer(openIn(known), place)];
    });
  },
  /** Takes the first open way, and turns round only in a dead end. */
  'first-open': ({ data: lake }, state) => {
    const open = openIn(lake.holes);
    let back = -1;
    return walk(lake, state, ({ place }) => {
      const direction = firstOpenMove(downFirst, open, place, back);
      back = (direction + 2) % 4;
      return [direction];
    });
  },
  random: ({ data: lake }, state) => walk(lake, state, () => [up, right, down, left]),
};

/**
 * Plays a lake to its end. Among moves that are equally good one is picked by chance.
 * @param {Lake} lake @param {State} state @param {(state: State) => number[]} good @returns {import('agentlet').Turn[]}
 */
function walk(lake, state, good) {
  const turns = [];
  for (let now = state; endOf(lake, now) === '';) {
    const choices = good(now);
    const direction = choices[Math.floor(Math.random() * choices.length)];
    turns.push({ calls: [{ name: 'go', arguments: { direction: directions[direction] } }] });
    now = moved(lake, now, direction);
  }
  return turns;
}

/** Places of holes, anywhere but in the goal. @param {import('agentlet').Random} rng @param {number} count */
function drawHoles(rng, count) {
  /** @type {number[]} */
  const holes = [];
  while (holes.length < count) {
    const hole = rng.integer(0, goal - 1);
    if (!holes.includes(hole)) holes.push(hole);
  }
  return holes;
}

/** For each place, whether there is no hole. @param {number[]} holes */
function openIn(holes) {
  const open = Array(places).fill(true);
  for (const hole of holes) open[hole] = false;
  return open;
}

/** Moves of a shortest way to the goal that never slips; Infinity if there is no way. @param {boolean[]} open */
function wayLength(open, /** @type {number} */ start) {
  const moves = new Map([[start, 0]]);
  for (const [place, made] of moves)
    for (const to of next[place]) if (open[to] && !moves.has(to)) moves.set(to, made + 1);
  return moves.get(goal) ?? Infinity;
}

/** The direction in which a way that never slips is shortest. @param {boolean[]} open @param {number} place */
function nearer(open, place) {
  const lengths = next[place].map((to) => (open[to] ? wayLength(open, to) : Infinity));
  return lengths.indexOf(Math.min(...lengths));
}

/**
 * The move of a first-open walker: the first of its directions that is open and does not lead back; back, if there is
 * none.
 * @param {number[][][]} habits @param {boolean[]} open @param {number} place @param {number} back
 */
function firstOpenMove(habits, open, place, back) {
  const directions = habits[place][back + 1];
  let tried = 0;
  while (tried < directions.length - 1 && !open[next[place][directions[tried]]]) tried++;
  return directions[tried];
}

/**
 * `clear` if an impatient walker who never slips arrives, `bent` if a first-open walker does, else `twisted`;
 * null in a hole.
 * @param {boolean[]} open @param {number} start @param {number} daylight
 */
function kindOf(open, start, daylight) {
  if (!open[start]) return null;
  let place = start;
  while (place !== goal && open[place]) place = next[place][straight[place]];
  if (place === goal) return 'clear';
  const isBent = arrives(open, start, downFirst, daylight) || arrives(open, start, rightFirst, daylight);
  return isBent ? 'bent' : 'twisted';
}

/**
 * Does a first-open walker arrive without slips?
 * @param {boolean[]} open @param {number} start @param {number[][][]} habits @param {number} daylight
 */
function arrives(open, start, habits, daylight) {
  let place = start;
  let back = -1;
  for (let moves = 0; moves < daylight && place !== goal; moves++) {
    const direction = firstOpenMove(habits, open, place, back);
    place = next[place][direction];
    back = (direction + 2) % 4;
  }
  return place === goal;
}

/** The moves that are best on average. @param {Lake} lake @returns {(state: State) => number[]} */
function bestMoves(lake) {
  const { slip, daylight } = lake;
  const planned = plan(lake);
  return ({ place, moves }) => {
    const values = next[place].map((to) => planned[daylight - moves - 1][to]);
    const chances = values.map(
      (value, direction) =>
        (1 - slip) * value + (slip / 2) * (values[(direction + 1) % 4] + values[(direction + 3) % 4]),
    );
    const best = Math.max(...chances);
    return chances.flatMap((each, direction) => (best - each < 1e-9 ? [direction] : []));
  };
}

/**
 * Value iteration (Bellman, 1957), one sweep for each move left: at [moves left][place], the probability to arrive.
 * Arriving a move later is worth a little less, so that of two good ways the shorter one is better.
 * @param {Lake} lake
 */
function plan({ holes, slip, daylight }) {
  const ice = all.filter((place) => place !== goal && !holes.includes(place));
  const planned = [all.map((place) => Number(place === goal))];
  for (let sweep = 0; sweep < daylight; sweep++) {
    const later = planned[sweep];
    const values = [...later];
    for (const place of ice) {
      const around = next[place];
      const above = later[around[up]];
      const below = later[around[down]];
      const east = later[around[right]];
      const west = later[around[left]];
      const upOrDown = (1 - slip) * (above > below ? above : below) + (slip / 2) * (west + east);
      const leftOrRight = (1 - slip) * (west > east ? west : east) + (slip / 2) * (above + below);
      values[place] = 0.999 * (upOrDown > leftOrRight ? upOrDown : leftOrRight);
    }
    planned.push(values);
  }
  return planned;
}

/** After a move, which may slip. @param {Lake} lake @param {State} state @param {number} direction @returns {State} */
function moved({ slip }, { place, moves, luck }, direction) {
  const chance = new Random(luck, moves).uniform();
  const turn = chance >= slip ? 0 : chance < slip / 2 ? 1 : 3;
  return { place: next[place][(direction + turn) % 4], moves: moves + 1, luck };
}

/** Why it is over; empty while it is not. @param {Lake} lake @param {State} state */
function endOf({ holes, daylight }, { place, moves }) {
  if (place === goal) return 'goal';
  if (holes.includes(place)) return 'hole';
  return moves >= daylight ? 'dark' : '';
}

/** A place and what is around it. @param {Lake} lake @param {number} place */
function look({ holes }, place) {
  const around = directions.map((name, direction) => {
    const there = next[place][direction];
    return `${name} ${there === place ? 'edge' : there === goal ? 'goal' : holes.includes(there) ? 'hole' : 'ice'}`;
  });
  return `${nameOf(place)} ${around.join(' ')}`;
}

/** The lake from above, with the way so far. @type {import('agentlet').Draw} */
export function draw({ data: lake }, state, { steps }) {
  const cell = 56;
  const centre = (/** @type {number} */ place) => ({
    x: (place % size) * cell + cell / 2,
    y: Math.floor(place / size) * cell + cell / 2,
  });
  const way = [{ place: lake.start, moves: 0, luck: state.luck }];
  for (const { arguments: args, error } of steps.flatMap(({ toolCalls }) => toolCalls))
    if (error === undefined) way.push(moved(lake, way[way.length - 1], directions.indexOf(args.direction)));
  const points = way.map(({ place }) => [centre(place).x, centre(place).y]);
  const end = endOf(lake, state);
  const role = end === 'hole' ? 'danger' : end === 'goal' ? 'good' : 'agent';
  return {
    width: size * cell,
    height: size * cell,
    words: `Holes at ${lake.holes.map(nameOf).join(' ')}. The agent is at ${nameOf(state.place)}${end && `: ${end}`}.`,
    shapes: [
      { kind: 'grid', x: 0, y: 0, rows: size, columns: size, cell },
      ...lake.holes.map((/** @type {number} */ hole) => ({ kind: 'circle', ...centre(hole), radius: 21, role: 'ink' })),
      { kind: 'circle', ...centre(goal), radius: 25, role: 'goal', fill: 'soft' },
      { kind: 'text', x: centre(goal).x, y: centre(goal).y - 6, text: 'goal', align: 'middle', role: 'goal' },
      ...(points.length > 1 ? [{ kind: 'line', role: 'agent', dashed: true, points }] : []),
      { kind: 'circle', id: 'player', ...centre(state.place), radius: 12, role },
      ...(end === 'hole' ? [{ kind: 'circle', ...centre(state.place), radius: 17, role, fill: 'outline' }] : []),
    ],
  };
}
