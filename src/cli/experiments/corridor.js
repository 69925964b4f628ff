/**
 * A corridor of doors, to ask who gets the credit: at each door a sign says left or right in a code of that door, and
 * only the end of the corridor pays. What one door teaches says nothing about another, so a longer corridor has more to
 * learn from the same reward.
 *
 * The pay is the share of right doors, plus noise that nobody can foresee. The coins found so far are told after each
 * door: a critic can know them, so it can tell the door that mattered from the luck of the others. Success is whether
 * one door, drawn by chance, was right; so its mean is the share of right doors.
 */
import { choice, Random, tool } from 'agentlet';

/** Standard deviation of the noise, as a part of what the share of right doors varies by under demonstrations. */
const noise = 2;
/** Of a right door in demonstrations. */
const skill = 0.6;
const sides = ['left', 'right'];
const signs = ['sun', 'moon'];
const longest = 32;
const numbers = Array.from({ length: longest + 1 }, (_, number) => String(number));

export const meta = {
  title: 'Corridor',
  task: 'Take the right door again and again, where only the end of the corridor pays.',
  watch: 'The agent copied walkers who are right three times in five. Watch it learn the code of the doors.',
  rewards: {
    pay: { description: 'The share of right doors, and the wind.', weight: 1 },
    best: { description: 'The share of right doors.', weight: 0 },
  },
  options: [
    { name: 'doors', title: 'Doors', description: 'Decisions.', values: [2, 4, 8, 16, 32], default: 8 },
    { name: 'odds', title: 'Odds', description: 'Right doors of demonstrations, in percent.', values: [60], default: 60 },
  ],
  alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ',
  words: [...sides, ...signs, ...numbers, 'corridor', 'door', 'coins', 'end', 'fair', 'foul'],
  examples: ['corridor 4', 'corridor 8'],
};

/** The side that a sign means at a door: the code of the doors, which never changes. */
const rightOf = (number, sign) => sides[new Random(7 + 2 * number + signs.indexOf(sign)).integer(0, 1)];

export const tools = [
  tool({
    name: 'go',
    description: 'Takes a door, and says what is at the next one.',
    arguments: { side: choice(sides, 'left or right') },
    execute: ({ side }, { task, state }) => {
      const { wind, door, coins } = state;
      const now = { wind, door: door + 1, coins: coins + (side === rightOf(door, task.data.signs[door]) ? 1 : 0) };
      const done = now.door === task.data.signs.length;
      return { text: done ? `end coins ${now.coins}` : look(task.data, now), state: now, done };
    },
  }),
];

const look = ({ signs: shown }, { wind, door, coins }) => `${wind} coins ${coins} door ${door} ${shown[door]}`;

export function tasks(rng, _split, { doors }) {
  const drawn = Array.from({ length: doors }, () => rng.pick(signs));
  return { id: `${rng.integer(0, 0xffffffff)} ${doors}`, prompt: `corridor ${doors}`, data: { signs: drawn } };
}

export function start({ data }) {
  const state = { wind: Math.random() < 0.5 ? 'fair' : 'foul', door: 0, coins: 0 };
  return { text: look(data, state), state };
}

export function reward({ task, state }) {
  const doors = task.data.signs.length;
  const right = (state?.coins ?? 0) / doors;
  const spread = Math.sqrt((skill * (1 - skill)) / doors);
  return { success: Math.random() < right, pay: right + (state?.wind === 'fair' ? noise : -noise) * spread, best: right };
}

export function demonstrate(task) {
  return walk(task, (right, wrong) => (Math.random() < skill ? right : wrong));
}

export const policies = {
  oracle: (task) => walk(task, (right) => right),
  random: (task) => walk(task, (right, wrong) => (Math.random() < 0.5 ? right : wrong)),
};

function walk({ data }, choose) {
  return data.signs.map((sign, door) => {
    const right = rightOf(door, sign);
    return { calls: [{ name: 'go', arguments: { side: choose(right, sides.find((side) => side !== right)) } }] };
  });
}
