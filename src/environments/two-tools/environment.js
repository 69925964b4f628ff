/**
 * Two tools that answer alike: `people` and `places` both know every name, for each is a person and a place at once.
 * The agent must find which of the two a question means, then look up further in the right one, or compute.
 *
 * The first choice decides. Only the first relation of a question tells what its name is: a person has a boss, a place
 * has a mayor. The wrong tool gives a card that looks as good and leads on to as many others, but never to the answer,
 * and a run that allows three turns leaves none to go back.
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
 * @property {string} results
 * @property {string} subject The name that it begins with.
 * @property {Book} book The tool that knows what this name means here.
 * @property {string} relation What leads from it to another name; '' if nothing does.
 * @property {Book} target The tool that knows the number that is asked for.
 * @property {string} sign What is computed with it; '' if nothing is.
 * @property {number} number
 */

/** Share of demonstrations that open the right tool where it is not the usual one. */
const care = 0.25;
/** Shares of questions that compute, and that begin with what `places` knows. */
const shares = { compute: 0.4, places: 2 / 3 };

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
/** Words of the passages around a fact, drawn anew for each. */
const filler = [
  ['old', 'cold', 'quiet', 'green', 'lost', 'tall', 'poor', 'bright'],
  ['baker', 'letter', 'miller', 'poem', 'hunter', 'map', 'sailor', 'song'],
  ['says', 'swears', 'knows', 'shows', 'writes', 'hopes'],
  ['bridge', 'tower', 'river', 'forest', 'market', 'gate', 'hill', 'lake'],
  ['spring', 'summer', 'autumn', 'winter', 'march', 'may', 'june', 'october'],
];
const help = 'like 12 + 5';
const unknown = 'nobody knows that name';

const numbers = Array.from({ length: 59 }, (_, number) => String(number));
const phrases = `'s plus minus ? . + - calc the that has near in as ${help} ${unknown}`;
const known = Object.values(books).flatMap(({ leads, fact }) => [...leads.people, ...leads.places, fact]);
const words = [...new Set([...names, ...numbers, ...bookNames, ...known, ...filler.flat(), ...phrases.split(' ')])];

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
  options: [
    {
      name: 'results',
      title: 'Results',
      description: 'Length of what a tool returns: about 10 or 60 words.',
      values: ['short', 'long'],
      default: 'short',
    },
    {
      name: 'questions',
      title: 'Questions',
      description: 'Which kinds are asked: two look-ups that cross to the other tool, or sums as well.',
      values: ['all', 'crossing'],
      default: 'all',
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Two look-ups that stay in one tool, where training crosses to the other.',
  examples: ["bara 's mayor 's age ?", "deno 's home 's houses ?", "gotes 's age minus 2 ?", "kano 's houses plus 7 ?"],
};

const name = { ...string('A name'), maxLength: 40 };

export const tools = [
  tool({
    name: 'people',
    description: 'Tells what is known of a person.',
    arguments: { name },
    execute: (args, { task }) => lookUp(task.data, 'people', args.name),
  }),
  tool({
    name: 'places',
    description: 'Tells what is known of a place.',
    arguments: { name },
    execute: (args, { task }) => lookUp(task.data, 'places', args.name),
  }),
  tool({
    name: 'calc',
    description: 'Adds or subtracts two integers.',
    arguments: { expression: { ...string('Two integers and a sign, like 12 + 5'), maxLength: 40 } },
    execute: ({ expression }) => {
      const [, left, sign, right] = /^ *(\d{1,5}) *([-+]) *(\d{1,5}) *$/.exec(expression) ?? [];
      if (sign === undefined) throw new ToolError(help);
      return String(apply(Number(left), sign, Number(right)));
    },
  }),
];

/** @param {Question} question @param {Book} book @param {string} text */
function lookUp({ seed, results }, book, text) {
  const subject = text.trim();
  if (!names.includes(subject)) throw new ToolError(unknown);
  const entries = card(seed, book, subject);
  if (results === 'short') return entries.map(({ word, value }) => `${word} ${value}`).join(' . ');
  const rng = new Random(seed, names.indexOf(subject), bookNames.indexOf(book) + 3);
  return entries.map(({ word, value }) => passage(rng, `${subject} has ${word} ${value}`)).join(' . ');
}

/** A fact among words that mean nothing. @param {Random} rng @param {string} fact */
function passage(rng, fact) {
  const [adjective, noun, verb, place, time] = filler.map((list) => rng.pick(list));
  const source = `the ${adjective} ${noun} ${verb}`;
  return `${source} that ${fact} near the ${rng.pick(filler[0])} ${place} in ${time} as ${source}`;
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

/**
 * @param {Random} rng @param {import('agentlet').Split} split @param {{ results: string, questions: string }} options
 */
export function tasks(rng, split, { results, questions }) {
  const isNew = split === 'out-of-distribution';
  const compute = questions === 'all' && !isNew && rng.uniform() < shares.compute;
  const [seed, subject] = [rng.integer(0, 0xffffffff), rng.pick(names)];
  /** @type {Book} */
  const book = rng.uniform() < shares.places ? 'places' : 'people';
  const target = compute || isNew ? book : otherThan(book);
  const question = { seed, results, subject, book, target, relation: '', sign: '', number: 0 };
  if (compute) return computing(rng, question);
  const relation = find(card(seed, book, subject), books[book].leads[target]).word;
  const prompt = `${subject} 's ${relation} 's ${books[target].fact} ?`;
  return { prompt, data: { ...question, relation }, tags: ['two look-ups', book] };
}

/** @param {Random} rng @param {Question} question */
function computing(rng, question) {
  const { seed, subject, book } = question;
  const { fact } = books[book];
  const number = rng.integer(2, 9);
  const canLose = Number(find(card(seed, book, subject), [fact]).value) >= number;
  const sign = canLose && rng.uniform() < 0.5 ? '-' : '+';
  const prompt = `${subject} 's ${fact} ${sign === '+' ? 'plus' : 'minus'} ${number} ?`;
  return { prompt, data: { ...question, sign, number }, tags: ['compute', book] };
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
 * Three in four demonstrations open `people` first, whatever is asked, and take the nearest number of the name that is
 * asked for. So imitation teaches the tools, copying and a bad habit, and reinforcement must find when it is wrong.
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

  /** The other habit: `places` first, which more questions begin with. */
  reflex: ({ data }) => play(follow(openedIn('places', data))),

  /** Opens one of the two tools, then looks up one of the names that it shows, and answers with a number. */
  random: ({ data: { seed, subject } }) => {
    const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const [first, second] = [pick(bookNames), pick(bookNames)];
    const name = pick(card(seed, first, subject).filter(({ value }) => names.includes(value))).value;
    const answer = pick(card(seed, second, name).filter(({ value }) => !names.includes(value))).value;
    const calls = [
      { name: first, arguments: { name: subject } },
      { name: second, arguments: { name } },
    ];
    return play({ calls, answer });
  },
};

/**
 * The question that is answered instead by who opens this tool first: it has the number, or leads to what the other
 * tool has, and then no turn is left to compute.
 * @param {Book} first @param {Question} question @returns {Question}
 */
function openedIn(first, question) {
  const { seed, subject, book, target } = question;
  if (book === first) return question;
  const leads = target === first ? '' : find(card(seed, first, subject), books[first].leads[target]).word;
  return { ...question, book: first, relation: leads, sign: '' };
}

/** The calls that a question takes, and its answer. @param {Question} question */
function follow({ seed, subject, book, relation, target, sign, number }) {
  const calls = [{ name: /** @type {string} */ (book), arguments: /** @type {object} */ ({ name: subject }) }];
  let entries = card(seed, book, subject);
  if (relation !== '') {
    const via = find(entries, [relation]).value;
    calls.push({ name: target, arguments: { name: via } });
    entries = card(seed, target, via);
  }
  const found = find(entries, [books[target].fact]).value;
  if (sign === '') return { calls, answer: found };
  calls.push({ name: 'calc', arguments: { expression: `${found} ${sign} ${number}` } });
  return { calls, answer: String(apply(Number(found), sign, number)) };
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

/** @param {Book} book @returns {Book} */
function otherThan(book) {
  return book === 'people' ? 'places' : 'people';
}

/** Each call with its tool, and what it told. */
export const draw = searchGraph(({ name, arguments: args }) => `${name} ${Object.values(args ?? {}).join(' ')}`);
