/**
 * A list of things to fetch, to ask what it takes to fetch one more than in practice. Each thing is a call; after the
 * last one the agent says that it is done. Demonstrations mostly stop one thing early.
 * What a prompt shows is set by `context.rule`: all calls so far (`append`), or what `context` below returns.
 */
import { string, tool, ToolError } from 'agentlet';

/** Share of demonstrations that forget the last thing. */
const haste = 0.7;
const things = [
  ...'ball book coin comb cup doll fan fork hat key kite lamp'.split(' '),
  ...'map mug nail nut pan pen pin pipe ring rope shoe spoon'.split(' '),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Errands',
  task: 'Fetch each thing of a list.',
  watch: 'The agent copied helpers who forget the last thing. Watch it fetch everything.',
  rewards: {
    correct: { description: 'Each thing of the list was fetched, and nothing else.', weight: 1 },
    looked: { description: 'Something was fetched.', weight: 0 },
  },
  options: [
    {
      name: 'shortest',
      title: 'Shortest list',
      description: 'Things on the shortest list of practice.',
      values: [1, 3, 4, 5],
      default: 1,
    },
    {
      name: 'longest',
      title: 'Longest list',
      description: 'Things on the longest list of practice.',
      values: [5, 10],
      default: 5,
    },
    {
      name: 'shown',
      title: 'Shown',
      description: 'How a prompt without calls shows what was fetched: listed behind the question, or marked in it.',
      values: ['list', 'marks'],
      default: 'list',
    },
  ],
  alphabet: 'abcdefghijklmnopqrstuvwxyz. ',
  words: [...things, 'fetch', 'has', 'got', 'no', '.', 'done'],
  outOfDistribution: 'Lists that are longer than the longest of practice by one thing.',
  examples: ['fetch cup ring map .', 'fetch key pan hat fork shoe .'],
};

export const tools = [
  tool({
    name: 'take',
    description: 'Fetches a thing.',
    arguments: { thing: string('A thing of the list.') },
    execute: ({ thing }, { task, state }) => {
      if (!task.data.list.includes(thing) || state.has.includes(thing)) throw new ToolError('no');
      return { text: 'got', state: { ...state, has: [...state.has, thing] } };
    },
  }),
];

/**
 * @param {import('agentlet').Random} rng
 * @param {import('agentlet').Split} split
 * @param {{ shortest: number, longest: number, shown: string }} options
 */
export function tasks(rng, split, { shortest, longest, shown }) {
  const count = split === 'out-of-distribution' ? longest + 1 : rng.integer(shortest, longest);
  const list = rng.shuffle([...things]).slice(0, count);
  const prompt = ['fetch', ...list, '.'].join(' ');
  return { id: `${shown} ${prompt}`, prompt, data: { list, shown }, tags: [`things-${count}`] };
}

/** @param {import('agentlet').Task} task */
export const start = ({ data }) => ({ state: { list: data.list, shown: data.shown, has: [] } });

/** @param {unknown} _ @param {{ list: string[], shown: string, has: string[] }} state */
export function context(_, { list, shown, has }) {
  const marked = list.map((thing) => (shown === 'marks' && has.includes(thing) ? 'got' : thing));
  const question = { role: 'user', content: ['fetch', ...marked, '.'].join(' ') };
  return shown === 'marks' ? [question] : [question, { role: 'tool', content: ['has', ...has].join(' ') }];
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ task, answer, state, steps }) {
  const fetched = state?.has.length ?? 0;
  const failed = steps.some(({ toolCalls }) => toolCalls.some(({ error }) => error !== undefined));
  const success = answer === 'done' && !failed && fetched === task.data.list.length;
  return { success, correct: success ? 1 : 0, looked: fetched > 0 ? 1 : 0 };
}

/** @param {import('agentlet').Task} task */
export const demonstrate = ({ data }) => fetch(Math.random() < haste ? data.list.slice(0, -1) : data.list);

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => fetch(data.list),
  'all-but-one': ({ data }) => fetch(data.list.slice(0, -1)),
};

/** @param {string[]} list @returns {import('agentlet').Turn[]} */
const fetch = (list) => [
  ...list.map((thing) => ({ calls: [{ name: 'take', arguments: { thing } }] })),
  { answer: 'done' },
];
