/**
 * A corridor of doors, to ask who gets the credit: at each door a sign says left or right in a code of that door, and
 * only the end of the corridor pays. What one door teaches says nothing about another, so a longer corridor has more to
 * learn from the same reward.
 *
 * The pay is the share of right doors, moved by a wind. The wind is drawn for each walk and told at its start, so a
 * critic can know it, and the mean of a group of walks cannot. Success is whether one door, drawn by chance, was right;
 * so its mean is the share of right doors.
 */
import { choice, Random, tool } from 'agentlet';

/** How far the wind moves the pay, in standard deviations of the share of right doors under demonstrations. */
const strength = 2;
const sides = ['left', 'right'];
const signs = ['sun', 'moon'];
const longest = 32;
const numbers = Array.from({ length: longest + 1 }, (_, number) => String(number));

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Corridor',
  task: 'Take the right door again and again, where only the end of the corridor pays.',
  watch: 'The agent copied walkers who are right three times in five. Watch it learn the code of the doors.',
  rewards: {
    pay: { description: 'The share of right doors, moved by the wind.', weight: 1 },
    best: { description: 'The share of right doors.', weight: 0 },
  },
  options: [
    { name: 'doors', title: 'Doors', description: 'Decisions.', values: [2, 4, 8, 16, 32], default: 8 },
    {
      name: 'odds',
      title: 'Odds',
      description: 'How often a demonstration takes the right door, in percent.',
      values: [60, 70, 80],
      default: 60,
    },
  ],
  alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ',
  words: [...sides, ...signs, ...numbers, 'corridor', 'door', 'coins', 'end', 'fair', 'foul'],
  examples: ['corridor 4', 'corridor 8'],
};

/** The side that a sign means at a door. @param {number} door @param {string} sign */
const rightOf = (door, sign) => sides[new Random(7 + 2 * door + signs.indexOf(sign)).integer(0, 1)];

export const tools = [
  tool({
    name: 'go',
    description: 'Takes a door, and says what is at the next one.',
    arguments: { side: choice(sides, 'left or right') },
    execute: ({ side }, { task, state }) => {
      const { wind, door, coins } = state;
      const now = { wind, door: door + 1, coins: coins + (side === rightOf(door, task.data.signs[door]) ? 1 : 0) };
      const done = now.door === task.data.signs.length;
      return { text: done ? `end coins ${now.coins}` : look(task.data.signs, now), state: now, done };
    },
  }),
];

/** @param {string[]} shown @param {{ wind: string, door: number, coins: number }} state */
const look = (shown, { wind, door, coins }) => `${wind} coins ${coins} door ${door} ${shown[door]}`;

/**
 * @param {import('agentlet').Random} rng
 * @param {import('agentlet').Split} _split
 * @param {{ doors: number, odds: number }} options
 */
export function tasks(rng, _split, { doors, odds }) {
  const drawn = Array.from({ length: doors }, () => rng.pick(signs));
  return { id: `${rng.integer(0, 0xffffffff)} ${doors}`, prompt: `corridor ${doors}`, data: { signs: drawn, odds } };
}

/** @param {import('agentlet').Task} task */
export function start({ data }) {
  const state = { wind: Math.random() < 0.5 ? 'fair' : 'foul', door: 0, coins: 0 };
  return { text: look(data.signs, state), state };
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ task, state }) {
  const doors = task.data.signs.length;
  const best = (state?.coins ?? 0) / doors;
  const skill = task.data.odds / 100;
  const move = strength * Math.sqrt((skill * (1 - skill)) / doors);
  return { success: Math.random() < best, pay: best + (state?.wind === 'fair' ? move : -move), best };
}

/** @param {import('agentlet').Task} task */
export const demonstrate = (task) => walk(task, task.data.odds / 100);

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => walk(task, 1),
  random: (task) => walk(task, 0.5),
};

/** @param {import('agentlet').Task} task @param {number} share of right doors @returns {import('agentlet').Turn[]} */
function walk({ data }, share) {
  return data.signs.map((/** @type {string} */ sign, /** @type {number} */ door) => {
    const right = sides.indexOf(rightOf(door, sign));
    return { calls: [{ name: 'go', arguments: { side: sides[Math.random() < share ? right : 1 - right] } }] };
  });
}
