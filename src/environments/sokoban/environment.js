/**
 * Sokoban, after RAGEN's: push one box to its target, in a room of five by five with some pillars. A box can be pushed
 * but not pulled, so most careless pushes cannot be undone: in a corner, or along a wall without the target, it is
 * lost, and the episode ends. Box and target never share a row or a column, so the box must be pushed in two
 * directions. The agent must find from which side to push, walk round the box to get there, and stop in time. A move
 * that is blocked ends the episode, too, so nobody finds out by bumping where the pillars are.
 *
 * A call makes one to four moves, so the agent must know in advance where they lead. Demonstrators choose the side
 * well, but most of them push until the box stands against something. Many rooms have a pillar beside the box: who
 * knows the walls and is blind to pillars solves seven of ten.
 */
import { string, tool, ToolError } from 'agentlet';

/**
 * @typedef {{ player: number, box: number }} Position Places are counted row by row.
 *
 * @typedef {Position & { blocked: boolean, calls: number }} State `blocked`: the last move was.
 *
 * @typedef {{ pillars: number[], target: number, live: number[], start: Position }} Room `live`: the places from which
 * the box can still be brought to its target.
 */

/** Places in a row, and rows. */
const size = 5;
const places = size * size;
/** Also the most moves that a room takes, so that one move a call is enough. */
const mostCalls = 8;
const mostMoves = 4;
const pillarsIn = { usual: [1, 2], 'out-of-distribution': [3, 3] };
/** Share of targets that are drawn from the middle, where nothing but the player stops the box. */
const inTheOpen = 0.5;
/** Share of rooms whose first pillar is put beside the box. */
const inTheWay = 0.5;
/** Share of demonstrations that stop pushing in time. */
const care = 0.25;

const directions = ['up', 'right', 'down', 'left'];
const all = Array.from({ length: places }, (_, place) => place);
/** For each place, those next to it in every direction; -1 is outside. */
const next = all.map((place) => {
  const [row, column] = [Math.floor(place / size), place % size];
  return [
    row > 0 ? place - size : -1,
    column < size - 1 ? place + 1 : -1,
    row < size - 1 ? place + size : -1,
    column > 0 ? place - 1 : -1,
  ];
});
const middle = all.filter((place) => !next[place].includes(-1));
const help = 'one to four of up right down left';
/** By the number of pillars. */
const tags = ['one-pillar', 'two-pillars', 'three-pillars'];
const words = [
  ...directions,
  ...all.map(nameOf),
  ...directions.flatMap((direction) => [0, 1, 2, 3, 4].map((count) => direction + count)),
  ...'me box target pillar stuck done late'.split(' '),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Sokoban',
  task: 'Push a box to its target without pushing it into a dead end or bumping into anything.',
  watch: 'The agent copied movers who push until the box hits something. Watch it stop in time and walk round the box.',
  rewards: {
    solved: { description: 'The box stands on its target.', weight: 1 },
    stuck: { description: 'The box was pushed into a dead end, or a move was blocked.', weight: 0 },
    calls: { description: 'Calls made.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set([...words, help].join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Rooms with three pillars, where training has one or two.',
  examples: ['me a1 box c3 target d4 pillar b3', 'me e5 box c2 target b4 pillar d2 pillar c1'],
};

export const tools = [
  tool({
    name: 'go',
    description: 'Makes up to four moves, one after the other, and says where everything is then.',
    arguments: { moves: string('Up to four moves, like right right up') },
    execute: ({ moves }, { task, state }) => {
      const { data: room } = task;
      const read = moves
        .trim()
        .split(/ +/)
        .map((/** @type {string} */ word) => directions.indexOf(word));
      if (read.length > mostMoves || read.includes(-1)) throw new ToolError(help);
      const now = { ...made(room, state, read), calls: state.calls + 1 };
      const end = endOf(room, now);
      return { text: end || look(room, now), state: now, done: end !== '' };
    },
  }),
];

/** @param {import('agentlet').Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  const [least, most] = split === 'out-of-distribution' ? pillarsIn[split] : pillarsIn.usual;
  for (;;) {
    const target = rng.pick(rng.uniform() < inTheOpen ? middle : all);
    const box = rng.pick(middle.filter((place) => !inLine(place, target)));
    const others = rng.shuffle(all.filter((place) => place !== target && place !== box));
    const beside = others.filter((place) => next[box].includes(place));
    const order = new Set(rng.uniform() < inTheWay ? [beside[0], ...others] : others);
    const pillars = [...order].slice(0, rng.integer(least, most)).sort((a, b) => a - b);
    const room = { pillars, target };
    const { left, live } = solve(room);
    const players = all.filter((place) => left[box * places + place] > 0 && left[box * places + place] <= mostCalls);
    if (players.length === 0) continue;
    const player = rng.pick(players);
    const inTheRoom = pillars.map((pillar) => ` pillar ${nameOf(pillar)}`).join('');
    const prompt = `me ${nameOf(player)} box ${nameOf(box)} target ${nameOf(target)}${inTheRoom}`;
    return { prompt, data: { ...room, live, start: { player, box } }, tags: [tags[pillars.length - 1]] };
  }
}

/** @param {import('agentlet').Task} task */
export function start({ data: room }) {
  return { text: look(room, room.start), state: { ...room.start, blocked: false, calls: 0 } };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, state }) {
  const end = endOf(task.data, state);
  const success = end === 'done';
  return { success, solved: success ? 1 : 0, stuck: end === 'stuck' ? 1 : 0, calls: state.calls };
}

/**
 * Three in four demonstrations push until the box stands against something.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return turnsOf(walk(task.data, solve(task.data).left, Math.random() >= care));
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => turnsOf(walk(task.data, solve(task.data).left, false)),
  hasty: (task) => turnsOf(walk(task.data, solve(task.data).left, true)),
  /** Knows how to push, and where the walls are, but not that there are pillars. */
  reflex: ({ data }) => {
    const { left, live } = solve({ ...data, pillars: [] });
    return turnsOf(walk({ ...data, live, pillars: [] }, left, false));
  },
  random: (task) => turnsOf(stroll(task.data)),
};

/** @param {number[][]} calls @returns {import('agentlet').Turn[]} */
function turnsOf(calls) {
  return calls.map((moves) => ({
    calls: [{ name: 'go', arguments: { moves: moves.map((direction) => directions[direction]).join(' ') } }],
  }));
}

/**
 * A shortest way, a straight line a call. @param {Room} room @param {number[]} left As `solve` gives it.
 * @param {boolean} hasty Pushes as far as it goes.
 */
function walk(room, left, hasty) {
  const calls = [];
  let direction = -1;
  for (let state = { ...room.start, blocked: false, calls: 0 }; endOf(room, state) === '';) {
    direction = nearer(room, left, state, direction);
    const call = [];
    let pushes;
    do {
      pushes = next[state.player][direction] === state.box;
      call.push(direction);
      state = { ...state, ...made(room, state, [direction]) };
    } while (
      call.length < mostMoves &&
      (pushes && hasty ? canPush(room, state, direction) : nearer(room, left, state, direction) === direction)
    );
    state.calls++;
    calls.push(call);
  }
  return calls;
}

/** Moves by chance. @param {Room} room */
function stroll(room) {
  const calls = [];
  for (let state = { ...room.start, blocked: false, calls: 0 }; endOf(room, state) === ''; state.calls++) {
    const call = Array.from({ length: 2 }, () => Math.floor(Math.random() * 4));
    state = { ...state, ...made(room, state, call) };
    calls.push(call);
  }
  return calls;
}

/**
 * A direction that leads one move nearer, `preferred` if it does; any, if none does.
 * @param {{ pillars: number[] }} room @param {number[]} left @param {Position} position @param {number} preferred
 */
function nearer(room, left, position, preferred) {
  const movesFrom = (/** @type {Position} */ { player, box }) => left[box * places + player];
  const good = [0, 1, 2, 3].filter((direction) => {
    const count = movesFrom(made(room, position, [direction]));
    return count >= 0 && count < movesFrom(position);
  });
  return good.includes(preferred) ? preferred : (good[0] ?? 0);
}

/**
 * Every position that can be solved, by a breadth-first search from the end, backwards. Positions are numbers: box *
 * places + player. `left`: the moves that are left, -1 where none lead to the target; `live`: the places from which the
 * box can be brought there.
 * @param {{ pillars: number[], target: number }} room
 */
function solve({ pillars, target }) {
  const free = all.map((place) => !pillars.includes(place));
  const left = Array(places * places).fill(-1);
  const reached = all.flatMap((player) => (player !== target && free[player] ? [target * places + player] : []));
  for (const end of reached) left[end] = 0;
  const live = [target];
  for (let i = 0; i < reached.length; i++) {
    const player = reached[i] % places;
    const box = (reached[i] - player) / places;
    const count = left[reached[i]] + 1;
    const around = next[player];
    for (let direction = 0; direction < 4; direction++) {
      const before = around[(direction + 2) % 4];
      if (before < 0 || before === box || !free[before]) continue;
      const walked = box * places + before;
      if (left[walked] < 0) {
        left[walked] = count;
        reached.push(walked);
      }
      if (around[direction] !== box) continue;
      const pushed = player * places + before;
      if (left[pushed] < 0) {
        left[pushed] = count;
        reached.push(pushed);
        if (!live.includes(player)) live.push(player);
      }
    }
  }
  return { left, live };
}

/**
 * Where moves lead. None follows one that is blocked, which changes nothing, or one that solves the room.
 * @param {{ pillars: number[], target?: number }} room @param {Position} position @param {number[]} moves
 */
function made(room, { player, box }, moves) {
  for (const direction of moves) {
    if (box === room.target) break;
    const to = next[player][direction];
    const pushes = to === box;
    const blocked = to < 0 || room.pillars.includes(to) || (pushes && !canPush(room, { player, box }, direction));
    if (blocked) return { player, box, blocked };
    if (pushes) box = next[box][direction];
    player = to;
  }
  return { player, box, blocked: false };
}

/**
 * Whether a push from the place before the box would move it. @param {{ pillars: number[] }} room
 * @param {Position} position @param {number} direction
 */
function canPush({ pillars }, { box }, direction) {
  const to = next[box][direction];
  return to >= 0 && !pillars.includes(to);
}

/** Why it is over; empty while it is not. @param {Room} room @param {State} state */
function endOf({ target, live }, { box, blocked, calls }) {
  if (box === target) return 'done';
  if (blocked || !live.includes(box)) return 'stuck';
  return calls >= mostCalls ? 'late' : '';
}

/**
 * Where the player is, the box and the nearest two pillars from there, and the target from the box.
 * @param {Room} room @param {Position} position
 */
function look({ pillars, target }, { player, box }) {
  const near = [...pillars].sort((a, b) => distance(player, a) - distance(player, b)).slice(0, 2);
  const around = near.map((pillar) => ` pillar ${way(player, pillar)}`).join('');
  return `me ${nameOf(player)} box ${way(player, box)} target ${way(box, target)}${around}`;
}

/** How many rows and columns away, like up2 right1. @param {number} from @param {number} to */
function way(from, to) {
  const [down, right] = offset(from, to);
  return `${down < 0 ? `up${-down}` : `down${down}`} ${right < 0 ? `left${-right}` : `right${right}`}`;
}

/** Moves between two places of an empty room. @param {number} from @param {number} to */
function distance(from, to) {
  const [down, right] = offset(from, to);
  return Math.abs(down) + Math.abs(right);
}

/** Rows down and columns right. @param {number} from @param {number} to */
function offset(from, to) {
  return [Math.floor(to / size) - Math.floor(from / size), (to % size) - (from % size)];
}

/** In one row or column: such boxes, which need no second side, are left out. @param {number} a @param {number} b */
function inLine(a, b) {
  return Math.floor(a / size) === Math.floor(b / size) || a % size === b % size;
}

/** @param {number} place */
function nameOf(place) {
  return 'abcde'[Math.floor(place / size)] + (1 + (place % size));
}

/** The room: dead ends are dotted, and a line shows the last call's way. @type {import('agentlet').Draw} */
export function draw({ data: room }, state, { steps }) {
  const cell = 48;
  const now = state ?? room.start;
  const corner = (/** @type {number} */ place) => ({ x: (place % size) * cell, y: Math.floor(place / size) * cell });
  const centre = (/** @type {number} */ place) => ({ x: corner(place).x + cell / 2, y: corner(place).y + cell / 2 });
  const box = centre(now.box);
  const end = endOf(room, { blocked: false, calls: 0, ...now });
  const role = end === 'done' ? 'good' : end === 'stuck' ? 'danger' : 'object';
  const said = now.blocked ? ' The last move was blocked.' : end && ` The box is ${end}.`;
  const dead = all.filter((place) => !room.live.includes(place) && !room.pillars.includes(place));
  const points = lastWay(room, steps).map((place) => [centre(place).x, centre(place).y]);
  const wall = (/** @type {number} */ place) => ({
    row: Math.floor(place / size),
    column: place % size,
    role: 'muted',
    fill: 'solid',
  });
  return {
    width: size * cell,
    height: size * cell,
    words: `A room of five by five. ${look(room, now)}.${said}`,
    shapes: [
      { kind: 'grid', x: 0, y: 0, rows: size, columns: size, cell, cells: room.pillars.map(wall) },
      ...dead.map((place) => ({ kind: 'circle', ...centre(place), radius: 2.5, role: 'danger' })),
      { kind: 'circle', ...centre(room.target), radius: 19, role: 'goal', fill: 'soft' },
      { kind: 'circle', ...centre(room.target), radius: 7, role: 'goal', fill: 'outline' },
      ...(points.length > 1 ? [{ kind: 'line', role: 'agent', dashed: true, points }] : []),
      { kind: 'rectangle', id: 'box', x: box.x - 15, y: box.y - 15, width: 30, height: 30, radius: 3, role },
      {
        kind: 'rectangle',
        id: 'lid',
        x: box.x - 10,
        y: box.y - 10,
        width: 20,
        height: 20,
        role: 'ink',
        fill: 'outline',
      },
      { kind: 'circle', id: 'player', ...centre(now.player), radius: 12, role: 'agent' },
    ],
  };
}

/** Places of the player in the last call. @param {Room} room @param {readonly import('agentlet').Step[]} steps */
function lastWay(room, steps) {
  let position = room.start;
  let places = [position.player];
  for (const { arguments: args, error } of steps.flatMap(({ toolCalls }) => toolCalls)) {
    if (error !== undefined) continue;
    places = [position.player];
    for (const word of args.moves.trim().split(/ +/)) {
      position = made(room, position, [directions.indexOf(word)]);
      places.push(position.player);
    }
  }
  return places;
}
