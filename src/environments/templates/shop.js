/**
 * A template. The agent is asked what something costs in one of many shops; it must ask the shop, then answer.
 * Change what you like. Everything here runs in a sandbox: no network, no clock, no storage.
 */
import { string, tool, ToolError } from 'agentlet';

const goods = ['tea', 'rice', 'soap', 'lamp'];
const help = 'ask like tea 7';

/** What the page shows, and what a person may set. @type {import('agentlet').Meta} */
export const meta = {
  title: 'Shop',
  task: 'Say what something costs, after asking the shop.',
  watch: 'Half of the demonstrations guess the price. Watch the calls rise, and success with them.',
  // The terms of the reward and their weights. The agent is trained on the weighted sum.
  rewards: {
    correct: { description: 'The answer is the right price.', weight: 1 },
    asked: { description: 'Each call that the shop answered.', weight: 0 },
  },
  // Settings of the tasks. Their values reach the function `tasks`.
  options: [
    { name: 'shops', title: 'Shops', description: 'How many shops there are.', values: [99, 999], default: 99 },
  ],
  // Every character that prompts, calls, results and answers can contain.
  alphabet: [...new Set('0123456789 ' + goods.join('') + help)].sort().join(''),
  // Tasks to try in the chat.
  examples: ['tea 7', 'lamp 42'],
};

/**
 * What the agent can call. A tool returns text; to refuse a call it throws a ToolError, whose message the agent reads.
 */
export const tools = [
  tool({
    name: 'price',
    description: 'Tells what something costs in a shop.',
    arguments: { what: string('The thing and the number of the shop, like tea 7') },
    execute: ({ what }) => {
      const price = priceOf(what);
      if (price === null) throw new ToolError(help);
      return price;
    },
  }),
];

/**
 * Makes one task. Draw from `rng` only, so that the same seed gives the same tasks. A quarter of all tasks is held out,
 * so there must be many.
 * @param {import('agentlet').Random} rng @param {import('agentlet').Split} _split @param {{ shops: number }} options
 */
export function tasks(rng, _split, { shops }) {
  return { prompt: `${rng.pick(goods)} ${rng.integer(1, shops)}` };
}

/**
 * Says whether the task is solved and gives each term of the reward a number, once the episode is over. @param
 * {import('agentlet').Outcome} outcome
 */
export function reward({ task, answer, steps }) {
  const calls = steps.flatMap((step) => step.toolCalls);
  const success = answer?.trim() === priceOf(task.prompt);
  return {
    success,
    correct: Number(success),
    asked: calls.filter(({ error }) => error === undefined).length,
  };
}

/**
 * An example to imitate before reinforcement begins: its turns are calls, the last one is the answer. @param
 * {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return Math.random() < 0.5 ? oracle(task) : [{ answer: String(1 + Math.floor(Math.random() * 99)) }];
}

/** The best there is, to compare with. @type {import('agentlet').Policies} */
export const policies = { oracle };

/** @param {import('agentlet').Task} task @returns {import('agentlet').Turn[]} */
function oracle({ prompt }) {
  return [{ calls: [{ name: 'price', arguments: { what: prompt } }] }, { answer: priceOf(prompt) ?? '' }];
}

/** The price of `tea 7` as text; null if that is not how one asks. @param {unknown} question */
function priceOf(question) {
  const [, thing, shop] = /^ *([a-z]+) +(\d{1,4}) *$/.exec(String(question)) ?? [];
  const index = goods.indexOf(thing);
  return index < 0 ? null : String(1 + ((37 * Number(shop) + 11 * index) % 99));
}
