/**
 * Two tools that answer alike: `people` and `places` both know every name, for each is a person and a place at once.
 * The agent must find which of the two a question means at each step of a chain of look-ups, and compute at its end.
 *
 * The first choice decides. Only the word after a name tells what the name is: a person has a boss, a place has a
 * mayor. The wrong tool gives a card that looks as good and leads on to as many others, but never to the answer. A
 * question allows as many calls as it takes, so none is left to go back, but that of `calc` for who computes alone.
 * Chains take one to three look-ups in training and four out of distribution.
 *
 * Before each turn the agent is shown the question from where its look-ups have come to, right or not, and what the
 * last call said. So a long chain goes on as a short one does.
 */
import { Random, string, tool, ToolError, searchGraph } from 'agentlet';

/**
 * @typedef {'people' | 'places'} Book A tool that looks names up.
 *
 * @typedef {object} Entry One line of a card: a word and what it leads to.
 * @property {string} word
 * @property {string} value A name or a number.
 *
 * @typedef {object} Question
 * @property {number} seed Of the world: cards follow from it.
 * @property {string} subject The name that it begins with.
 * @property {Book[]} books The tool of each look-up. The last one knows the number that is asked for.
 * @property {string} sign What is computed with it; '' if nothing is.
 * @property {number} number
 *
 * @typedef {{ lookUps: number, calls: number }} State What was called so far.
 */

/** Share of demonstrations that open the right tool where it is not the usual one. */
const care = 0.25;
/** Shares of questions that compute, and that begin with what `places` knows. */
const shares = { compute: 0.3, places: 2 / 3 };
/** Most look-ups of a question in training, and out of distribution. */
const longest = { known: 3, beyond: 4 };

/** @type {Record<Book, { leads: Record<Book, string[]>, fact: string }>} Words that lead on, and of the number. */
const books = {
  people: { leads: { people: ['boss', 'friend'], places: ['home', 'school'] }, fact: 'age' },
  places: { leads: { people: ['mayor', 'founder'], places: ['twin', 'rival'] }, fact: 'houses' },
};
/** @type {Book[]} */
const bookNames = ['people', 'places'];

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'so'].flatMap((start) =>
  ['ra', 'no', 'lim', 'tes'].map((end) => start + end),
);
/** Names that a question of validation begins with; questions of training begin with the others. */
const heldOut = names.filter((_, i) => i % 4 === 3);
const help = 'like 12 + 5';
const unknown = 'nobody knows that name';
const spent = 'no call is left';

const numbers = Array.from({ length: 59 }, (_, number) => String(number));
const phrases = `'s plus minus ? . + - calc ${help} ${unknown} ${spent}`;
const known = Object.values(books).flatMap(({ leads, fact }) => [...leads.people, ...leads.places, fact]);
const words = [...new Set([...names, ...numbers, ...bookNames, ...known, ...phrases.split(' ')])];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Two tools',
  task: 'Choose which of two tools knows what a name means, then look up further or compute.',
  watch:
    'The agent copied a teacher that nearly always opens people first. Watch it open places where a question needs it.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    opened: { description: 'The first call looks up the right name in the right tool.', weight: 0 },
    useful: { description: 'Each call that the answer takes, counted once.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Chains of four look-ups, where training has at most three.',
  examples: ["bara 's mayor 's age ?", "deno 's houses plus 7 ?", "gotes 's boss 's home 's houses minus 2 ?"],
};

const name = { ...string('A name'), maxLength: 40 };

export const tools = [
  tool({
    name: 'people',
    description: 'Tells what is known of a person.',
    arguments: { name },
    execute: (args, { task, state }) => lookUp(task.data, state, 'people', args.name),
  }),
  tool({
    name: 'places',
    description: 'Tells what is known of a place.',
    arguments: { name },
    execute: (args, { task, state }) => lookUp(task.data, state, 'places', args.name),
  }),
  tool({
    name: 'calc',
    description: 'Adds or subtracts two integers.',
    arguments: { expression: { ...string('Two integers and a sign, like 12 + 5'), maxLength: 40 } },
    execute: ({ expression }, { task, state }) => {
      const [, left, sign, right] = /^ *(\d{1,5}) *([-+]) *(\d{1,5}) *$/.exec(expression) ?? [];
      if (sign === undefined) throw new ToolError(help);
      if (!isCallLeft(task.data, state)) throw new ToolError(spent);
      const text = String(apply(Number(left), sign, Number(right)));
      return { text, state: { ...state, calls: state.calls + 1 } };
    },
  }),
];

/** @param {Question} question @param {State} state @param {Book} book @param {string} text */
function lookUp(question, state, book, text) {
  const subject = text.trim();
  if (!names.includes(subject)) throw new ToolError(unknown);
  if (!isCallLeft(question, state)) throw new ToolError(spent);
  const entries = card(question.seed, book, subject);
  return {
    text: entries.map(({ word, value }) => `${word} ${value}`).join(' . '),
    state: { lookUps: state.lookUps + 1, calls: state.calls + 1 },
  };
}

/** @param {Question} question @param {State} state */
const isCallLeft = ({ books, sign }, { calls }) => calls < books.length + (sign === '' ? 0 : 1);

export const start = () => ({ state: { lookUps: 0, calls: 0 } });

/** @param {import('agentlet').Message[]} messages @param {State} state */
export function context([question, ...rest], { lookUps }) {
  const links = String(question.content).split(" 's ");
  const left = links.slice(Math.min(lookUps, links.length - 1));
  return [{ role: 'user', content: left.join(" 's ") }, ...rest.slice(-1)];
}

/**
 * What a tool knows of a name, in the same order always, so that a tiny model can learn where to look: one person and
 * one place that it leads to, and a number. The other tool leads to other names.
 * @param {number} seed @param {Book} book @param {string} subject @returns {Entry[]}
 */
function card(seed, book, subject) {
  const [index, at] = [names.indexOf(subject), bookNames.indexOf(book)];
  const others = new Random(seed, index).shuffle(names.filter((each) => each !== subject));
  const rng = new Random(seed, index, at + 1);
  const { leads, fact } = books[book];
  return [
    ...bookNames.map((to, i) => ({ word: rng.pick(leads[to]), value: others[2 * at + i] })),
    { word: fact, value: String(rng.integer(2, 49)) },
  ];
}

/** What a card says of the first of these words that it has. @param {Entry[]} entries @param {string[]} wanted */
function find(entries, wanted) {
  return /** @type {Entry} */ (entries.find(({ word }) => wanted.includes(word)));
}

/** @param {Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  const isNew = split === 'out-of-distribution';
  const lookUps = isNew ? longest.beyond : rng.integer(1, longest.known);
  const subject = rng.pick(names.filter((name) => isNew || heldOut.includes(name) === (split === 'validation')));
  /** @type {Question} */
  const question = { seed: rng.integer(0, 0xffffffff), subject, books: [], sign: '', number: 0 };
  for (let i = 0; i < lookUps; i++)
    question.books.push(rng.uniform() < (i === 0 ? shares.places : 0.5) ? 'places' : 'people');
  if (!isNew && rng.uniform() < shares.compute) {
    question.number = rng.integer(2, 9);
    const canLose = Number(follow(question).answer) >= question.number;
    question.sign = canLose && rng.uniform() < 0.5 ? '-' : '+';
  }
  return {
    prompt: ask(question),
    data: question,
    tags: [
      lookUps === 1 ? '1 look-up' : `${lookUps} look-ups`,
      question.sign === '' ? 'ends with the number' : 'computes',
    ],
  };
}

/** The question in words. @param {Question} question */
function ask(question) {
  const { subject, sign, number } = question;
  const asked = [subject, ...follow(question).words].join(" 's ");
  return sign === '' ? `${asked} ?` : `${asked} ${sign === '+' ? 'plus' : 'minus'} ${number} ?`;
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const right = follow(task.data);
  const wanted = right.calls.map(written);
  const made = steps
    .flatMap((step) => step.toolCalls)
    .filter(({ error }) => error === undefined)
    .map(written);
  const success = answer?.trim() === right.answer;
  return {
    success,
    correct: success ? 1 : 0,
    opened: made[0] === wanted[0] ? 1 : 0,
    useful: wanted.filter((call) => made.includes(call)).length,
  };
}

/** @param {{ name: string, arguments: any }} call */
function written({ name, arguments: args }) {
  return `${name} ${Object.values(args).join(' ').trim()}`;
}

/**
 * Three in four demonstrations open `people` first, whatever is asked, and go on from what that says. So imitation
 * teaches the tools, copying and a bad habit, and reinforcement must find when it is wrong.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return Math.random() < care ? policies.oracle(task) : policies.habit(task);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => play(follow(data)),

  /** The teacher's habit alone: `people` first. */
  habit: ({ data }) => play(follow(openedIn('people', data))),

  /**
   * Knows no tool. It opens `places` first, which more questions begin with. Where that card lacks the word, it opens
   * `people` in place of `calc`, and computes by itself.
   */
  reflex: ({ data }) => {
    if (data.books[0] === 'places' || data.sign === '') return play(follow(openedIn('places', data)));
    const { calls, answer } = follow(data);
    return play({ calls: [{ name: 'places', arguments: { name: data.subject } }, ...calls.slice(0, -1)], answer });
  },

  /** Opens any tool at each look-up, for any name that the last card shows, and answers with the last card's number. */
  random: ({ data: { seed, subject, books } }) => {
    const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const calls = [];
    let [name, answer] = [subject, ''];
    for (let i = 0; i < books.length; i++) {
      const book = pick(bookNames);
      calls.push({ name: book, arguments: { name } });
      const [person, place, number] = card(seed, book, name);
      [name, answer] = [pick([person, place]).value, number.value];
    }
    return play({ calls, answer });
  },
};

/** The question that is answered by who opens this tool first. @param {Book} first @param {Question} question */
const openedIn = (first, question) => ({ ...question, books: [first, ...question.books.slice(1)] });

/** The calls that a question takes, its words after the name, and its answer. @param {Question} question */
function follow({ seed, subject, books: opened, sign, number }) {
  /** @type {{ name: string, arguments: object }[]} */
  const calls = [];
  const words = [];
  let value = subject;
  for (const [i, book] of opened.entries()) {
    calls.push({ name: book, arguments: { name: value } });
    const next = opened[i + 1];
    const wanted = next === undefined ? [books[book].fact] : books[book].leads[next];
    const entry = find(card(seed, book, value), wanted);
    words.push(entry.word);
    value = entry.value;
  }
  if (sign === '') return { calls, words, answer: value };
  calls.push({ name: 'calc', arguments: { expression: `${value} ${sign} ${number}` } });
  return { calls, words, answer: String(apply(Number(value), sign, number)) };
}

/**
 * @param {{ calls: { name: string, arguments: object }[], answer: string }} way @returns {import('agentlet').Turn[]}
 */
function play({ calls, answer }) {
  return [...calls.map((call) => ({ calls: [call] })), { answer }];
}

/** @param {number} left @param {string} sign @param {number} right */
function apply(left, sign, right) {
  return sign === '+' ? left + right : left - right;
}

/** Each call with its tool, and what it told. */
export const draw = searchGraph(({ name, arguments: args }) => `${name} ${Object.values(args ?? {}).join(' ')}`);
