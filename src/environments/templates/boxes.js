/**
 * A template. One of some boxes holds a thing. A note says which box to open first; each right box holds the next note,
 * the last one the thing. A wrong box ends the episode, so opening boxes at random rarely gets far.
 * Change what you like. Everything here runs in a sandbox: no network, no clock, no storage.
 */
import { string, tool, ToolError } from 'agentlet';

const things = ['key', 'map', 'ring', 'coin', 'book', 'lamp', 'bell', 'cup'];
const colours = ['red', 'blue', 'green', 'pink', 'gray', 'white', 'black', 'brown', 'gold', 'teal', 'lime', 'plum'];
const boxes = 5;

/** What the page shows, and what a person may set. @type {import('agentlet').Meta} */
export const meta = {
  title: 'Boxes',
  task: 'Open the boxes that the notes name, until the thing is found.',
  watch: 'Half of the moves it imitated open any box. Watch it find that following the notes pays.',
  // Terms of the reward and their weights. The agent is trained on the weighted sum. A term of weight 0 is only shown.
  rewards: {
    found: { description: 'The thing was found.', weight: 1 },
    tool: { description: 'Each box that a note named.', weight: 0.1 },
    opened: { description: 'Boxes that were opened.', weight: 0 },
  },
  // Settings of the tasks. Their values reach the function `tasks`.
  options: [{ name: 'notes', title: 'Notes', description: 'Boxes to open.', values: [1, 2, 3], default: 2 }],
  // Every character that prompts, results and answers can contain, and whole words that are one token each.
  alphabet: 'abcdefghijklmnopqrstuvwxyz ',
  words: [...things, ...colours, 'find', 'in', 'open', 'note', 'no', 'box', 'empty'],
  // Tasks to try in the chat.
  examples: ['find key in red blue green pink gray', 'find cup in gold teal lime plum black'],
};

/**
 * Makes one task. Draw from `rng` only, so that the same seed gives the same tasks. The hash of the id puts a quarter
 * of all tasks into validation: here the id is the prompt, so no prompt is in both splits.
 * @param {import('agentlet').Random} rng @param {import('agentlet').Split} _split @param {{ notes: number }} options
 */
export function tasks(rng, _split, { notes }) {
  const shown = rng.shuffle(colours).slice(0, boxes);
  const thing = rng.pick(things);
  const prompt = `find ${thing} in ${shown.join(' ')}`;
  return { id: prompt, prompt, data: { thing, way: rng.shuffle(shown).slice(0, notes) } };
}

/**
 * What the agent sees before its first move, and the state that the first call gets: how many boxes are open.
 * @param {import('agentlet').Task} task
 */
export const start = ({ data }) => ({ text: `note ${data.way[0]}`, state: 0 });

/**
 * What the agent can call. `execute` returns what the agent reads, a process reward, the next state, and `done: true`
 * where the episode ends. To refuse a call it throws a ToolError, whose message the agent reads.
 */
export const tools = [
  tool({
    name: 'open',
    description: 'Opens a box.',
    arguments: { box: string('The colour of the box') },
    execute: ({ box }, { task, state }) => {
      const { thing, way } = task.data;
      if (!task.prompt.split(' ').includes(box)) throw new ToolError('no box');
      if (box !== way[state]) return { text: 'empty', state, done: true };
      const next = state + 1;
      const done = next === way.length;
      return { text: done ? thing : `note ${way[next]}`, reward: 1, state: next, done };
    },
  }),
];

/**
 * Says whether the task is solved and gives each term of the reward a number, once the episode is over. Only tools give
 * the term `tool`. @param {import('agentlet').Outcome} outcome
 */
export function reward({ task, steps, state }) {
  const success = state === task.data.way.length;
  return { success, found: Number(success), opened: steps.flatMap((step) => step.toolCalls).length };
}

/** @param {string} box @returns {import('agentlet').Turn} */
const open = (box) => ({ calls: [{ name: 'open', arguments: { box } }] });

/**
 * The boxes that somebody opens who follows a note with this probability, and else opens any box.
 * @param {import('agentlet').Task} task @param {number} care
 */
function walk({ prompt, data: { way } }, care) {
  const shown = prompt.split(' ').slice(3);
  const turns = [];
  for (const right of way) {
    const box = Math.random() < care ? right : shown[Math.floor(Math.random() * shown.length)];
    turns.push(open(box));
    if (box !== right) break;
  }
  return turns;
}

/**
 * An example to imitate before reinforcement begins: calls, and last an answer or a call that ends the episode.
 * @param {import('agentlet').Task} task
 */
export const demonstrate = (task) => walk(task, 0.5);

/** Scripts to compare with: the best there is, and one that knows nothing. @type {import('agentlet').Policies} */
export const policies = { oracle: (task) => walk(task, 1), random: (task) => walk(task, 0) };
