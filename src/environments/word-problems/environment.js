/**
 * Word problems, GSM8K in small: a short story tells what becomes of somebody's things, and the agent must find out
 * which operations it asks for. `calc` does them one at a time, so nothing is computed in the head: numbers are copied
 * out of the story and out of results.
 *
 * The verb alone does not tell the operation. Who gives and who gets decides between plus and minus, `each` and
 * `every` between times and divided by. Some sentences change nothing: they are about somebody else, or about an age.
 * To add up all numbers is nearly always wrong. Stories take two to five operations, so no fixed number of calls is
 * right; six are kept out of training. Who reads the verbs, and skips ages and what is between others, but takes every
 * gift for a plus, is right in the stories without a gift by the one who counts: three in five. Numbers do not tell: if
 * a gift went the other way, every result would be a whole number and as small, too.
 *
 * Before each turn the agent is shown the story with marks in place of the numbers that a call has taken in, right or
 * not, and what the last call said. So a long story is told on as a short one is.
 */
import { string, tool, ToolError } from 'agentlet';

/**
 * @typedef {object} Event One sentence of a story.
 * @property {string} sign The operation it asks for; '' if it changes nothing.
 * @property {number} number
 *
 * @typedef {{ first: number, events: Event[] }} Story
 *
 * @typedef {object} Scene What a sentence is about.
 * @property {string} he Whose things are counted: he or she,
 * @property {string} him and him or her.
 * @property {string} other
 * @property {string} third
 * @property {number} n
 * @property {string} into What the things are swapped for.
 */

/** Share of demonstrations that add every number. */
const habit = 0.6;
/** Share of stories with a sentence that changes nothing. */
const asides = 0.6;
const largest = 99;
const help = 'one operation like 12 + 5';
const tooLarge = 'too large';
/** Stands in place of a number that a call has taken in. */
const tick = '✓';

const boys = ['tom', 'ben', 'sam'];
const girls = ['ann', 'eva', 'ida'];
const people = [...boys, ...girls];
const things = ['apples', 'pears', 'cards', 'shells', 'beads', 'coins', 'nuts'];

/** @type {Record<string, ((scene: Scene) => string)[]>} Ways to tell each operation. */
const sentences = {
  '+': [
    ({ he, n }) => `${he} finds ${n} .`,
    ({ he, n }) => `${he} buys ${n} .`,
    ({ him, other, n }) => `${other} gives ${him} ${n} .`,
    ({ him, third, n }) => `${third} gives ${him} ${n} .`,
  ],
  '-': [
    ({ he, n }) => `${he} loses ${n} .`,
    ({ he, n }) => `${he} sells ${n} .`,
    ({ he, other, n }) => `${he} gives ${other} ${n} .`,
    ({ he, third, n }) => `${he} gives ${third} ${n} .`,
  ],
  '*': [({ he, n, into }) => `${he} swaps each for ${n} ${into} .`, ({ n }) => `soon there are ${n} times as many .`],
  '/': [
    ({ he, n, into }) => `${he} swaps every ${n} for one of the ${into} .`,
    ({ he, n }) => `${he} makes ${n} equal heaps and keeps one .`,
  ],
  '': [
    ({ other, n }) => `${other} finds ${n} .`,
    ({ third, n }) => `${third} buys ${n} .`,
    ({ other, n }) => `${other} loses ${n} .`,
    ({ third, n }) => `${third} sells ${n} .`,
    ({ other, third, n }) => `${other} gives ${third} ${n} .`,
    ({ he, n }) => `${he} is ${n} years old .`,
  ],
};
const signs = Object.keys(sentences).filter((sign) => sign !== '');
const sample = { he: 'he', him: 'him', other: 'ann', third: 'ben', n: 0, into: 'pears' };
/** Ways to tell what somebody gives or gets: the same words ask for plus and for minus. */
const gifts = new Set(
  Object.values(sentences).flatMap((ways) => ways.filter((way) => way(sample).includes(' gives '))),
);

const from2to = (/** @type {number} */ last) => Array.from({ length: last - 1 }, (_, i) => i + 2);
/** Numbers that things are multiplied and divided by, and others. */
const few = from2to(9);
const many = from2to(30);
const numbers = Array.from({ length: largest + 1 }, (_, number) => String(number));
const told = Object.values(sentences).flatMap((ways) => ways.map((way) => way(sample)));
const phrases = [...told, 'she her tom has 2 pears . how many now ?', help, tooLarge, tick];
const words = [...new Set([...numbers, ...people, ...things, ...signs, ...phrases.flatMap((text) => text.split(' '))])];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Word problems',
  task: 'Find out which operations a short story asks for, and let a calculator do them one by one.',
  watch: 'The agent copied a pupil who mostly adds every number of a story. Watch it learn to read each sentence.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    operations: { description: 'Each operation of the story that was done on the right numbers.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated an earlier one.', weight: 0 },
  },
  options: [
    {
      name: 'steps',
      title: 'Steps',
      description: 'Operations that a story takes.',
      values: ['2', '3', '4', '5', '2 to 5'],
      default: '2 to 5',
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution:
    'Stories of six sentences that each take an operation, where training has at most five operations.',
  examples: [
    'tom has 12 apples . ann gives him 8 . he swaps each for 3 pears . how many pears now ?',
    'eva has 30 cards . sam loses 7 . she makes 5 equal heaps and keeps one . how many cards now ?',
  ],
};

export const tools = [
  tool({
    name: 'calc',
    description: 'Does one operation on two integers: + - * or /, rounded down.',
    arguments: { expression: { ...string('Two integers and a sign, like 12 + 5'), maxLength: 40 } },
    execute: ({ expression }, { state }) => {
      const [, left, sign, right] = /^ *(-?\d{1,4}) *([-+*/]) *(-?\d{1,4}) *$/.exec(expression) ?? [];
      if (sign === undefined || (sign === '/' && Number(right) === 0)) throw new ToolError(help);
      const value = apply(Number(left), sign, Number(right));
      if (Math.abs(value) > 9999) throw new ToolError(tooLarge);
      return { text: String(value), state: [...state, String(Number(right))] };
    },
  }),
];

/** Second numbers of the calls so far: the first is what the call before gave. */
export const start = () => ({ state: [] });

/** @param {import('agentlet').Message[]} messages @param {string[]} taken */
export function context([story, ...rest], taken) {
  const told = String(story.content).split(' ');
  const content = told.map((word) => (taken.includes(word) ? tick : word)).join(' ');
  return [{ role: 'user', content }, ...rest.slice(-1)];
}

/** @param {import('agentlet').Random} rng @param {import('agentlet').Split} split @param {{ steps: string }} options */
export function tasks(rng, split, { steps: wanted }) {
  const drawn = wanted === '2 to 5' ? rng.integer(2, 5) : Number(wanted);
  const steps = split === 'out-of-distribution' ? 6 : drawn;
  const aside = rng.uniform() < asides;
  return { ...tell(rng, steps, aside), tags: [`${steps}-steps`, ...(aside ? ['aside'] : [])] };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const { calls, value } = solve(task.data);
  const useful = new Set(calls.map(bare));
  const seen = new Set();
  let operations = 0;
  let wasted = 0;
  for (const { error, arguments: args } of steps.flatMap((step) => step.toolCalls)) {
    const call = error === undefined ? bare(args.expression) : '';
    if (call === '' || seen.has(call)) wasted++;
    else if (useful.has(call)) operations++;
    seen.add(call);
  }
  const success = answer?.trim() === String(value);
  return { success, correct: success ? 1 : 0, operations, wasted };
}

/**
 * Three in five demonstrations add every number, whatever the story says of it. So imitation teaches calls, copying and
 * a bad habit, and reinforcement must find that reading pays.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return Math.random() < habit ? policies.adds(task) : policies.oracle(task);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task.data),

  /** Adds every number of the story. */
  adds: ({ data: { first, events } }) =>
    play({ first, events: events.map((/** @type {Event} */ event) => ({ ...event, sign: '+' })) }),

  /** Reads the verbs, and skips what is about others or an age, but takes every gift for a plus. */
  reflex: ({ prompt, data: { first, events } }) => {
    const sentences = prompt.split(' . ').slice(1);
    const signOf = (/** @type {Event} */ { sign }, /** @type {number} */ i) =>
      sign !== '' && sentences[i].includes(' gives ') ? '+' : sign;
    return play({
      first,
      events: events.map((/** @type {Event} */ event, /** @type {number} */ i) => ({
        ...event,
        sign: signOf(event, i),
      })),
    });
  },

  /** Three times plus or minus, drawn at random, on the numbers of the story. */
  random: ({ data: { first, events } }) => {
    const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const draw = () => ({ sign: pick(['+', '-']), number: pick(events).number });
    return play({ first, events: [draw(), draw(), draw()] });
  },
};

/**
 * Does what the events ask for, and answers with the last result.
 * @param {Story} story @returns {import('agentlet').Turn[]}
 */
function play(story) {
  const { calls, value } = solve(story);
  return [
    ...calls.map((expression) => ({ calls: [{ name: 'calc', arguments: { expression } }] })),
    { answer: String(value) },
  ];
}

/** The calls that a story asks for, and what it comes to. @param {Story} story */
function solve({ first, events }) {
  const calls = [];
  let value = first;
  for (const { sign, number } of events) {
    if (sign === '') continue;
    calls.push(`${value} ${sign} ${number}`);
    value = apply(value, sign, number);
  }
  return { calls, value };
}

/** @param {string} expression */
const bare = (expression) => expression.replaceAll(' ', '');

/** @param {number} left @param {string} sign @param {number} right */
function apply(left, sign, right) {
  if (sign === '') return left;
  if (sign === '+') return left + right;
  if (sign === '-') return left - right;
  return sign === '*' ? left * right : Math.floor(left / right);
}

/**
 * Operations on numbers, and a way to tell each; null if no number fits one of them. Every result is a whole number,
 * from 2 to `largest`, also where a gift goes the other way, and no number is told twice.
 * @param {import('agentlet').Random} rng @param {number} steps @param {boolean} aside
 */
function plot(rng, steps, aside) {
  const kinds = Array.from({ length: steps }, () => rng.pick(signs));
  if (aside) kinds.splice(rng.integer(0, steps), 0, '');
  const numbers = [rng.integer(2, 40)];
  let possible = [...numbers];
  const events = [];
  for (const sign of kinds) {
    const way = rng.pick(sentences[sign]);
    const either = sign !== '' && gifts.has(way) ? ['+', '-'] : [sign];
    const [low, high] = [Math.min(...possible), Math.max(...possible)];
    const most = Math.min(...either.map((each) => greatest(each, low, high)));
    const fitting = (sign === '*' || sign === '/' ? few : many)
      .slice(0, Math.max(0, most - 1))
      .filter((number) => !numbers.includes(number) && (sign !== '/' || possible.every((each) => each % number === 0)));
    if (fitting.length === 0) return null;
    const number = rng.pick(fitting);
    numbers.push(number);
    possible = either.flatMap((each) => possible.map((value) => apply(value, each, number)));
    events.push({ sign, number, way });
  }
  return { first: numbers[0], events };
}

/**
 * The greatest number that an operation on anything from `low` to `high` can take.
 * @param {string} sign @param {number} low @param {number} high
 */
function greatest(sign, low, high) {
  if (sign === '+') return largest - high;
  if (sign === '-') return low - 2;
  if (sign === '*') return Math.floor(largest / high);
  return sign === '/' ? Math.floor(low / 2) : largest;
}

/** Makes up a story. @param {import('agentlet').Random} rng @param {number} steps @param {boolean} aside */
function tell(rng, steps, aside) {
  let made = plot(rng, steps, aside);
  while (made === null) made = plot(rng, steps, aside);
  const { first, events } = made;
  const [who, other, third] = rng.shuffle(people);
  const [he, him] = boys.includes(who) ? ['he', 'him'] : ['she', 'her'];
  const known = rng.shuffle(things);
  let counted = known[0];
  const told = events.map(({ number, way }, i) => {
    const into = known[i + 1];
    const sentence = way({ he, him, other, third, n: number, into });
    if (sentence.includes(into)) counted = into;
    return sentence;
  });
  const prompt = [`${who} has ${first} ${known[0]} .`, ...told, `how many ${counted} now ?`].join(' ');
  return { prompt, data: { first, events: events.map(({ sign, number }) => ({ sign, number })) } };
}

/** The story, and a chain of numbers that grows by a call at a time. @type {import('agentlet').Draw} */
export function draw({ prompt, data }, _, { steps, answer, success }) {
  const { calls, value } = solve(data);
  const right = new Set(calls.map(bare));
  const story = prompt.split(' . ');
  const made = steps.flatMap(({ toolCalls }) => toolCalls).slice(-8);
  const y = 14 + 17 * story.length;
  /** @type {import('agentlet').Shape[]} */
  const nodes = made.flatMap(({ arguments: args, result, error }, i) => {
    const expression = String(args?.expression ?? '');
    const role = error !== undefined ? 'danger' : right.has(bare(expression)) ? 'agent' : 'muted';
    const at = { y: y + 32 * i, height: 24, size: 12 };
    return [
      { kind: 'node', id: `call${i}`, x: 6, width: 150, role, text: expression, ...at },
      { kind: 'node', id: `value${i}`, x: 196, width: 110, role, round: true, text: result, ...at },
      { kind: 'edge', from: `call${i}`, to: `value${i}`, directed: true, role },
    ];
  });
  const end = y + 32 * made.length;
  const [role, mark] = success ? ['good', '✓'] : ['danger', `✗ not ${value}`];
  const said = {
    kind: 'text',
    x: 6,
    y: end + 6,
    width: 328,
    size: 14,
    bold: true,
    role,
    text: `${answer ?? ''} ${mark}`,
  };
  return {
    width: 340,
    height: end + 30,
    words: `${prompt} Calculated: ${made.map(({ result }) => result).join(', ') || 'nothing yet'}. ${answer ?? ''}`,
    shapes: [
      ...story.map((text, i) => ({ kind: 'text', x: 6, y: 6 + 17 * i, width: 328, size: 11, text })),
      ...nodes,
      ...(success === null ? [] : [said]),
    ],
  };
}
