/**
 * An environment of somebody else: it shares no name of a reward term or an option with any preset. Small enough to
 * train in seconds.
 */
import { string, tool, ToolError } from 'agentlet';

/** @type {Record<string, number>} */
const prices = { apple: 3, bread: 5, cheese: 8, dates: 2 };
const goods = Object.keys(prices);

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Corner shop',
  task: 'Say what a thing costs.',
  watch: 'It asks for the price before it answers.',
  rewards: {
    sold: { description: 'The price is right.', weight: 1 },
    asked: { description: 'It asked for the price.', weight: 0.1 },
  },
  options: [
    { name: 'shelves', title: 'Shelves', description: 'How many things there are.', values: [2, 4], default: 4 },
  ],
  alphabet: [...new Set(`0123456789 ?${goods.join('')}unknown`)].sort().join(''),
  examples: ['apple?', 'dates?'],
};

export const tools = [
  tool({
    name: 'price',
    description: 'The price of a thing.',
    arguments: { thing: string('One thing') },
    execute: ({ thing }) => {
      if (!Object.hasOwn(prices, thing)) throw new ToolError('unknown');
      return String(prices[thing]);
    },
  }),
];

/** @param {import('agentlet').Random} rng @param {string} _split @param {{ shelves: number }} options */
export function tasks(rng, _split, { shelves }) {
  const thing = rng.pick(goods.slice(0, shelves));
  return { prompt: `${rng.integer(1, 999)} ${thing}?`, data: { thing } };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const asked = steps.some((step) => step.toolCalls.some((call) => call.arguments.thing === task.data.thing));
  const success = answer === String(prices[task.data.thing]);
  return { success, sold: Number(success), asked: asked ? 1 : 0 };
}

/** @param {import('agentlet').Task} task @returns {import('agentlet').Turn[]} */
export function demonstrate({ data: { thing } }) {
  return [{ calls: [{ name: 'price', arguments: { thing } }] }, { answer: String(prices[thing]) }];
}

/** @type {import('agentlet').Policies} */
export const policies = { oracle: demonstrate };
