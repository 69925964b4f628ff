/**
 * A door and a speech, to ask who gets the credit past a tool's words: one choice decides, and a speech of many words
 * stands between it and the reward. Which door is right follows from a sign, by a code that demonstrations know badly.
 * The first word of the speech tells whether it was right, the others tell nothing, and what the agent says after it
 * counts for nothing.
 */
import { choice, Random, tool } from 'agentlet';

const sides = ['left', 'right'];
const signs = ['sun', 'moon', 'star', 'rain'];
/** How often a demonstration takes the right door. */
const skill = 0.6;
const speech = ['the', 'old', 'king', 'and', 'his', 'wise', 'queen', 'of', 'a', 'far', 'land', 'went'];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'A door and a speech',
  task: 'Take the right door, then listen to a speech: only the door counts.',
  watch: 'The agent copied walkers who are right three times in five. Watch it learn the code of the signs.',
  rewards: {
    correct: { description: 'The door was right.', weight: 1 },
    looked: { description: 'The agent looked behind a door.', weight: 0 },
  },
  options: [
    {
      name: 'words',
      title: 'Words',
      description: 'Of the speech behind the door.',
      values: [10, 40, 130],
      default: 10,
    },
  ],
  alphabet: 'abcdefghijklmnopqrstuvwxyz ',
  words: [...sides, ...signs, ...speech, 'door', 'gold', 'dust', 'end'],
  examples: ['door sun', 'door rain'],
};

/** The door that a sign means: each is meant by two. @param {string} sign */
const rightOf = (sign) => sides[new Random(11).shuffle([...signs]).indexOf(sign) % 2];

export const tools = [
  tool({
    name: 'go',
    description: 'Takes a door, and tells the speech behind it.',
    arguments: { side: choice(sides, 'left or right') },
    execute: ({ side }, { task: { data }, state }) => {
      const isRight = side === rightOf(data.sign);
      const said = Array.from({ length: data.words - 1 }, () => speech[Math.floor(Math.random() * speech.length)]);
      return { text: [isRight ? 'gold' : 'dust', ...said].join(' '), state: state ?? { isRight } };
    },
  }),
];

/**
 * @param {import('agentlet').Random} rng
 * @param {import('agentlet').Split} _split
 * @param {{ words: number }} options
 */
export function tasks(rng, _split, { words }) {
  const sign = rng.pick(signs);
  return { id: `${rng.integer(0, 0xffffffff)} ${words}`, prompt: `door ${sign}`, data: { sign, words } };
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ state }) {
  const isRight = state?.isRight === true;
  return { success: isRight, correct: isRight ? 1 : 0, looked: state ? 1 : 0 };
}

/** @param {import('agentlet').Task} task */
export const demonstrate = ({ data }) =>
  walk(Math.random() < skill ? rightOf(data.sign) : otherThan(rightOf(data.sign)));

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => walk(rightOf(data.sign)),
  random: () => walk(sides[Math.random() < 0.5 ? 0 : 1]),
};

/** @param {string} side */
const otherThan = (side) => (side === 'left' ? 'right' : 'left');

/** @param {string} side @returns {import('agentlet').Turn[]} */
const walk = (side) => [{ calls: [{ name: 'go', arguments: { side } }] }, { answer: 'end' }];
