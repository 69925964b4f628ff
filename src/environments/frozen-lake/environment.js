/**
 * Frozen lake, after RAGEN's: from the far side of a small frozen lake to the goal in its corner. The holes are drawn
 * anew for each task. The ice is slippery: one move in ten goes to the left or the right of where it was meant to go.
 * So the agent must see which way leads round the holes, and which places are better kept away from. Going straight for
 * the goal falls into a hole three times in four. But lakes are small: a reflex that never plans, and takes the first
 * of down, right, left and up that is ice and does not lead back, solves 80.5 % of the 256 validation tasks.
 *
 * Slips are drawn from the task's seed and the number of the move. So an episode can be repeated and demonstrations
 * know where they end, but for the agent they are chance. All rollouts of a group meet the same slips. The oracle does
 * not look at them either: it makes the moves that are best on average, found by value iteration. What is expected of
 * it is the optimum, and it drowns at times. An agent is within 5 % of the optimum if it solves at least 0.95 times as
 * many validation tasks as the oracle does.
 */
import { choice, Random, tool } from 'agentlet';

/**
 * @typedef {{ holes: number[], slip: number, seed: number }} Lake Places are counted row by row; `slip` is the
 * probability that a move goes astray.
 *
 * @typedef {{ place: number, moves: number }} State
 */

/** Places in a row, and rows. */
const size = 4;
const places = size * size;
const goal = places - 1;
/** After so many moves it is dark. */
const daylight = 10;
const holesIn = { usual: [3, 4], 'out-of-distribution': [5, 5] };
/** Moves that a task would take at least if there were no holes. */
const nearest = 4;
/** How often the best way must arrive: the other lakes are left to luck. */
const fair = 0.7;
/** Share of the lakes in which no hole is on the straight way. */
const clearShare = 0.25;
/** Share of demonstrations that look out for holes. */
const care = 0.4;

const directions = ['up', 'right', 'down', 'left'];
const nameOf = (/** @type {number} */ place) => 'abcd'[Math.floor(place / size)] + (1 + (place % size));
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
      values: [0, 10, 20],
      default: 10,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Lakes with five holes, where training has three or four.',
  examples: ['from a1 to d4 holes b2 c1 d3', 'from b1 to d4 holes a3 c2 d1 d2'],
};

export const tools = [
  tool({
    name: 'go',
    description: 'Takes one step, and says where that led and what is around.',
    arguments: { direction: choice(directions, 'up, right, down or left') },
    execute: ({ direction }, { task, state }) => {
      const { data: lake } = task;
      const now = {
        place: next[state.place][slipped(lake, directions.indexOf(direction), state.moves)],
        moves: state.moves + 1,
      };
      const end = endOf(lake, now);
      return { text: end ? `${nameOf(now.place)} ${end}` : look(lake, now.place), state: now, done: end !== '' };
    },
  }),
];

/** @param {import('agentlet').Random} rng @param {import('agentlet').Split} split @param {{ slip: number }} options */
export function tasks(rng, split, options) {
  const [least, most] = split === 'out-of-distribution' ? holesIn[split] : holesIn.usual;
  const seed = rng.integer(0, 0x7fffffff);
  const kind = rng.uniform() < clearShare ? 'clear' : 'blocked';
  for (;;) {
    const holes = rng
      .shuffle(all.slice(0, goal))
      .slice(0, rng.integer(least, most))
      .sort((a, b) => a - b);
    const lake = { holes, slip: options.slip / 100, seed };
    const values = plan(lake)[daylight];
    const starts = far.filter((place) => values[place] >= fair && isClear(holes, place) === (kind === 'clear'));
    if (starts.length === 0) continue;
    const start = rng.pick(starts);
    const prompt = `from ${nameOf(start)} to ${nameOf(goal)} holes ${holes.map(nameOf).join(' ')}`;
    return { id: `${prompt} slip ${options.slip}`, prompt, data: { ...lake, start }, tags: [kind] };
  }
}

/** @param {import('agentlet').Task} task */
export function start({ data: lake }) {
  return { text: look(lake, lake.start), state: { place: lake.start, moves: 0 } };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, state }) {
  const end = endOf(task.data, state);
  const success = end === 'goal';
  return { success, goal: success ? 1 : 0, fell: end === 'hole' ? 1 : 0, moves: state.moves };
}

/**
 * Three in five demonstrations run for the goal as if there were no holes.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return Math.random() < care ? policies.oracle(task) : policies.hasty(task);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => walk(task, bestMoves(task.data)),
  hasty: (task) => walk(task, ({ place }) => [straight(place)]),

  /** Takes the first of down, right, left and up that is ice, and never turns round. */
  reflex: (task) => {
    let back = -1;
    return walk(task, ({ place }) => {
      const open = [2, 1, 3, 0].filter((direction) => {
        const to = next[place][direction];
        return to !== place && !task.data.holes.includes(to);
      });
      const direction = open.find((each) => each !== back) ?? open[0] ?? 0;
      back = (direction + 2) % 4;
      return [direction];
    });
  },
  random: (task) => walk(task, () => directions.map((_, direction) => direction)),
};

/**
 * Plays a lake to its end. Among moves that are equally good one is picked by chance.
 * @param {import('agentlet').Task} task @param {(state: State) => number[]} good @returns {import('agentlet').Turn[]}
 */
function walk({ data: lake }, good) {
  const turns = [];
  for (let state = { place: lake.start, moves: 0 }; endOf(lake, state) === '';) {
    const choices = good(state);
    const direction = choices[Math.floor(Math.random() * choices.length)];
    turns.push({ calls: [{ name: 'go', arguments: { direction: directions[direction] } }] });
    state = { place: next[state.place][slipped(lake, direction, state.moves)], moves: state.moves + 1 };
  }
  return turns;
}

/** The direction that an impatient walker takes: down, then right. @param {number} place */
function straight(place) {
  return place < goal - (goal % size) ? 2 : 1;
}

/** Whether an impatient walker who never slips arrives. @param {number[]} holes @param {number} start */
function isClear(holes, start) {
  let place = start;
  while (place !== goal && !holes.includes(place)) place = next[place][straight(place)];
  return place === goal;
}

/** The moves that are best on average. @param {Lake} lake @returns {(state: State) => number[]} */
function bestMoves(lake) {
  const { slip } = lake;
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
function plan({ holes, slip }) {
  const ice = all.filter((place) => place !== goal && !holes.includes(place));
  const planned = [all.map((place) => Number(place === goal))];
  for (let sweep = 0; sweep < daylight; sweep++) {
    const later = planned[sweep];
    const values = [...later];
    for (const place of ice) {
      const around = next[place];
      const up = later[around[0]];
      const right = later[around[1]];
      const down = later[around[2]];
      const left = later[around[3]];
      const upOrDown = (1 - slip) * Math.max(up, down) + (slip / 2) * (left + right);
      const leftOrRight = (1 - slip) * Math.max(left, right) + (slip / 2) * (up + down);
      values[place] = 0.999 * Math.max(upOrDown, leftOrRight);
    }
    planned.push(values);
  }
  return planned;
}

/** Where a move really goes. @param {Lake} lake @param {number} direction @param {number} moves Made before. */
function slipped({ seed, slip }, direction, moves) {
  const chance = new Random(seed, moves).uniform();
  if (chance >= slip) return direction;
  return (direction + (chance < slip / 2 ? 1 : 3)) % 4;
}

/** Why it is over; empty while it is not. @param {Lake} lake @param {State} state */
function endOf({ holes }, { place, moves }) {
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
  const now = state ?? { place: lake.start, moves: 0 };
  const centre = (/** @type {number} */ place) => ({
    x: (place % size) * cell + cell / 2,
    y: Math.floor(place / size) * cell + cell / 2,
  });
  const way = [lake.start];
  for (const { arguments: args, error } of steps.flatMap(({ toolCalls }) => toolCalls))
    if (error === undefined)
      way.push(next[way[way.length - 1]][slipped(lake, directions.indexOf(args.direction), way.length - 1)]);
  const points = way.map((place) => [centre(place).x, centre(place).y]);
  const end = endOf(lake, now);
  const role = end === 'hole' ? 'danger' : end === 'goal' ? 'good' : 'agent';
  return {
    width: size * cell,
    height: size * cell,
    words: `Holes at ${lake.holes.map(nameOf).join(' ')}. The agent is at ${nameOf(now.place)}${end && `: ${end}`}.`,
    shapes: [
      { kind: 'grid', x: 0, y: 0, rows: size, columns: size, cell },
      ...lake.holes.map((/** @type {number} */ hole) => ({ kind: 'circle', ...centre(hole), radius: 21, role: 'ink' })),
      { kind: 'circle', ...centre(goal), radius: 25, role: 'goal', fill: 'soft' },
      { kind: 'text', x: centre(goal).x, y: centre(goal).y - 6, text: 'goal', align: 'middle', role: 'goal' },
      ...(points.length > 1 ? [{ kind: 'line', role: 'agent', dashed: true, points }] : []),
      { kind: 'circle', id: 'player', ...centre(now.place), radius: 12, role },
      ...(end === 'hole' ? [{ kind: 'circle', ...centre(now.place), radius: 17, role, fill: 'outline' }] : []),
    ],
  };
}
