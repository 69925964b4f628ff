/**
 * A help desk that can be trusted: each task brings a file of numbered passages about people and shops, and a request.
 * A clear one is answered by a value and the number of its passage. An ambiguous one fits several of one name: only the
 * user can say which is meant, and a second search then finds that one's passage. Of some the file does not tell, and
 * the answer is `unknown`. A task is solved by the right answer with the right citation, and by a question exactly
 * where one is needed.
 *
 * Easy rules fail. That several have the name is not enough to ask: the request may say which one it means, and if the
 * file tells of none what is asked for, a question helps nobody. That a search shows something is not enough to answer:
 * it shows what fits best, which may be about the right name and the wrong topic. Nothing in what is shown tells that,
 * so it must be compared with the request. Who asks at several passages, says `unknown` where nothing is found, and
 * copies a single passage solves six tasks of ten.
 */
import { Random, string, tool } from 'agentlet';

/**
 * @typedef {'clear' | 'ambiguous' | 'unknown'} Kind
 * @typedef {{ name: string, who: string, told: string, value: string, number: number }} Passage
 * @typedef {{ kind: Kind, name: string, who: string, told: string, named: boolean, passages: Passage[] }} Desk `who`
 * of a name is meant, `told` is the topic, and `named` whether the request says who.
 */

/** Shares of demonstrations that ask where they must, admit that they do not know, and cite what they read. */
const care = { ask: 0.6, admit: 0.6, cite: 0.33 };
const passagesInFile = 16;
/** How many have the name where several have it: least and most in training, and out of distribution. */
const namesakes = { near: [2, 4], far: 5 };
const unknown = 'unknown';
const nothingFound = 'nothing found';

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'so'].flatMap((start) =>
  ['ra', 'no', 'lim', 'tes'].map((end) => start + end),
);
const places = ['mill', 'quay', 'park', 'gate', 'bridge', 'square', 'church', 'tower'];
const times = ['dawn', 'seven', 'nine', 'noon', 'two', 'four', 'dusk', 'midnight'];
const jobs = ['baker', 'nurse', 'judge', 'pilot', 'smith', 'tailor', 'miner', 'clerk'];
const towns = ['york', 'bath', 'kent', 'wells', 'ripon', 'truro', 'derby', 'leeds'];
/** What a file tells of people and of shops, and what tells two of one name apart. */
const sorts = [
  {
    topics: [
      { told: 'home', values: places },
      { told: 'office', values: places },
      { told: 'garden', values: places },
      { told: 'lunch', values: times },
      { told: 'shift', values: times },
    ],
    whos: jobs.map((job) => `the ${job}`),
  },
  {
    topics: [
      { told: 'entrance', values: places },
      { told: 'parking', values: places },
      { told: 'opening', values: times },
      { told: 'closing', values: times },
      { told: 'delivery', values: times },
    ],
    whos: towns.map((town) => `in ${town}`),
  },
];

/**
 * How often a request is of which kind, whether one has the name, several or none, whether the file tells what is asked
 * for of the one that is meant and of the others, and whether the request says which one is meant. Of requests at which
 * a search shows several passages nearly half are of a topic that the file does not tell.
 * @typedef {{ kind: Kind, share: number, many: 'none' | 'one' | 'several', meant: boolean, others: boolean, named:
 * boolean }} Case
 * @type {readonly Case[]}
 */
const cases = [
  { kind: 'clear', share: 0.08, many: 'one', meant: true, others: false, named: false },
  { kind: 'clear', share: 0.09, many: 'several', meant: true, others: true, named: true },
  { kind: 'clear', share: 0.08, many: 'several', meant: true, others: false, named: true },
  { kind: 'ambiguous', share: 0.25, many: 'several', meant: true, others: true, named: false },
  { kind: 'unknown', share: 0.1, many: 'none', meant: false, others: false, named: false },
  { kind: 'unknown', share: 0.1, many: 'one', meant: false, others: false, named: false },
  { kind: 'unknown', share: 0.2, many: 'several', meant: false, others: false, named: false },
  { kind: 'unknown', share: 0.1, many: 'several', meant: false, others: false, named: true },
];

const words = [
  ...[...names, ...places, ...times, ...jobs, ...towns],
  ...sorts.flatMap(({ topics }) => topics.map(({ told }) => told)),
  ...Array.from({ length: passagesInFile }, (_, i) => `[${i + 1}]`),
  ...`of the in ? . search ask ${unknown} ${nothingFound}`.split(' '),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Assistant',
  task: 'Answer from numbered passages and cite them; ask if the request is ambiguous; say unknown if none tells it.',
  watch:
    'The agent copied a clerk who guesses and cites the first passage of the file. ' +
    'Watch it ask where several have the name, cite what it read, and say unknown.',
  rewards: {
    right: { description: 'The right value, or unknown where no passage tells it.', weight: 1 },
    cited: { description: 'The right value, with the number of its passage.', weight: 0.5 },
    asked: { description: 'An ambiguous request, and the agent asked before it answered.', weight: 0.25 },
    needless: { description: 'Each question that was not needed.', weight: -0.25 },
    wrong: { description: 'A value that is not the right one.', weight: -0.5 },
  },
  options: [],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Five have the name, where training has four at most.',
  examples: ['home of bara ?', 'opening of deno in york ?'],
};

export const tools = [
  tool({
    name: 'search',
    description: 'Shows the passages about a name that fit the query best.',
    arguments: { query: { ...string('A topic and a name, like home bara, or home bara the baker.'), maxLength: 100 } },
    execute: ({ query }, { task }) => {
      const found = look(task.data, query).map(textOf);
      return found.length > 0 ? found.join(' . ') : nothingFound;
    },
  }),
  tool({
    name: 'ask',
    description: 'Asks the user which one of that name is meant.',
    arguments: {},
    execute: (_, { task }) => task.data.who,
  }),
];

/** @param {string} text */
function wordsOf(text) {
  return text.trim().split(/ +/);
}

/** Of the passages about a name in the query, those that fit best. @param {Desk} desk @param {string} query */
function look({ passages }, query) {
  const read = wordsOf(query);
  const about = passages.filter(({ name }) => read.includes(name));
  const hits = about.map((passage) => read.filter((word) => wordsOf(textOf(passage)).includes(word)).length);
  return about.filter((_, i) => hits[i] === Math.max(...hits));
}

/** @param {Passage} passage */
function textOf({ name, who, told, value, number }) {
  return `${name} ${who} ${told} ${value} [${number}]`;
}

/** @param {Passage} passage */
function answerOf({ value, number }) {
  return `${value} [${number}]`;
}

/** The passage that the answer rests on; undefined if there is none. @param {Desk} desk */
function groundOf(desk) {
  return desk.passages.find((each) => each.name === desk.name && each.who === desk.who && each.told === desk.told);
}

/** @param {Desk} desk */
function rightAnswer(desk) {
  const ground = groundOf(desk);
  return ground ? answerOf(ground) : unknown;
}

/** A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  const number = rng.integer(0, 0xffffffff);
  const random = new Random(number);
  const far = split === 'out-of-distribution';
  const asked = drawCase(random, far ? cases.filter(({ many }) => many === 'several') : cases);
  const several = far ? namesakes.far : random.integer(namesakes.near[0], namesakes.near[1]);
  const id = `${far ? 'far' : 'near'} ${number}`;
  return { id, tags: [asked.kind], ...open(random, asked, { none: 0, one: 1, several }[asked.many]) };
}

/** @param {Random} random @param {readonly Case[]} among By their shares of all these. */
function drawCase(random, among) {
  let left = random.uniform() * among.reduce((sum, { share }) => sum + share, 0);
  return among.find(({ share }) => (left -= share) < 0) ?? among[0];
}

/**
 * A request and its file. @param {Random} random @param {Case} asked @param {number} many How many have the name.
 */
function open(random, { kind, meant, others, named }, many) {
  const { topics, whos } = random.pick(sorts);
  const [topic, ...rest] = random.shuffle(topics);
  const [name, ...strangers] = random.shuffle(names);
  const [who, ...rivals] = random.shuffle(whos);
  const isToldTwice = many === 1 && meant;
  const about = isToldTwice ? [who, who] : [who, ...rivals].slice(0, many);
  // Who have the name are told the same of, so that nothing but the request tells the right topic from a wrong one, of
  // which the same kind of thing is told.
  const [wrong] = rest.filter(({ values }) => values === topic.values);
  const facts = about.map((each, i) => ({ who: each, topic: (i === 0 ? meant : others) ? topic : wrong }));
  const fresh = random.shuffle([...places, ...times]);
  const passages = facts.map(({ who, topic: { told, values } }) => {
    const value = /** @type {string} */ (fresh.find((each) => values.includes(each)));
    fresh.splice(fresh.indexOf(value), 1);
    return { name, who, told, value };
  });
  while (passages.length < passagesInFile) passages.push(stranger(random, strangers));
  const file = random.shuffle(passages).map((passage, i) => ({ ...passage, number: i + 1 }));
  const prompt = `${topic.told} of ${name}${named ? ` ${who}` : ''} ?`;
  return { prompt, data: { kind, name, who, told: topic.told, named, passages: file } };
}

/** Any passage about one of these names. @param {Random} random @param {readonly string[]} strangers */
function stranger(random, strangers) {
  const { topics, whos } = random.pick(sorts);
  const { told, values } = random.pick(topics);
  return { name: random.pick(strangers), who: random.pick(whos), told, value: random.pick(values) };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const ground = groundOf(task.data);
  const said = answer?.trim() ?? null;
  const questions = steps.flatMap((step) => step.toolCalls).filter(({ name }) => name === 'ask').length;
  const needed = task.data.kind === 'ambiguous' ? 1 : 0;
  const right = ground ? said?.replace(/ \[\d+\]$/, '') === ground.value : said === unknown;
  return {
    success: said === rightAnswer(task.data) && questions === needed,
    right: Number(right),
    cited: Number(ground !== undefined && said === answerOf(ground)),
    asked: Math.min(needed, questions),
    needless: Math.max(0, questions - needed),
    wrong: Number(said !== null && said !== unknown && !right),
  };
}

/**
 * Two demonstrations of five guess where they should ask or admit that they do not know, and two of three cite the
 * first passage of the file. So imitation teaches to search, to compare and a bad habit, and reinforcement must find
 * that each care pays.
 * @param {import('agentlet').Task} task
 */
export function demonstrate({ data }) {
  const [asks, admits, cites] = [care.ask, care.admit, care.cite].map((share) => Math.random() < share);
  return serve(data, { asks, admits, cites });
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => serve(data, { asks: true, admits: true, cites: true }),
  'never-asks': ({ data }) => serve(data, { asks: false, admits: true, cites: true }),
  'never-admits': ({ data }) => serve(data, { asks: true, admits: false, cites: true }),
  'cites-first': ({ data }) => serve(data, { asks: true, admits: true, cites: false }),
  'always-asks': ({ data }) => play(data, true, rightAnswer(data)),
  /** Says unknown where nothing is found, asks where several passages fit, and else copies the one. */
  reflex: ({ data }) => {
    const shown = look(data, firstQuery(data));
    if (shown.length === 0) return play(data, false, unknown);
    return shown.length > 1 ? play(data, true, rightAnswer(data)) : play(data, false, answerOf(shown[0]));
  },

  random: ({ data }) => play(data, Math.random() < 0.5, answerOf(any(data.passages))),
};

/** @template T @param {readonly T[]} list @returns {T} */
function any(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** What the request itself gives to search for. @param {Desk} desk */
function firstQuery({ told, name, who, named }) {
  return `${told} ${name}${named ? ` ${who}` : ''}`;
}

/**
 * Asks, admits and cites as it should, or guesses. @param {Desk} desk @param {{ asks: boolean, admits: boolean, cites:
 * boolean }} careful
 */
function serve(desk, { asks, admits, cites }) {
  if (desk.kind === 'unknown' && admits) return play(desk, false, unknown);
  const asked = desk.kind === 'ambiguous' && asks;
  const shown = look(desk, firstQuery(desk));
  const read = (asked ? groundOf(desk) : undefined) ?? any(shown.length > 0 ? shown : desk.passages);
  return play(desk, asked, answerOf({ ...read, number: cites ? read.number : 1 }));
}

/**
 * Searches, perhaps asks and searches for whom is meant, and answers. @param {Desk} desk @param {boolean} asks @param
 * {string} answer
 */
function play(desk, asks, answer) {
  const search = (/** @type {string} */ query) => ({ calls: [{ name: 'search', arguments: { query } }] });
  return [
    search(firstQuery(desk)),
    ...(asks ? [{ calls: [{ name: 'ask', arguments: {} }] }, search(firstQuery({ ...desk, named: true }))] : []),
    { answer },
  ];
}

/** The file of passages: what a search showed stands out, and what the answer cites. @type {import('agentlet').Draw} */
export function draw({ prompt, data }, _, { steps, answer, success }) {
  const calls = steps.flatMap(({ toolCalls }) => toolCalls);
  const shown = calls.flatMap(({ name, result }) => (name === 'search' ? result.split(' . ') : []));
  const asked = calls.filter(({ name, error }) => name === 'ask' && error === undefined);
  const cited = /\[(\d+)\]/.exec(answer ?? '')?.[1];
  const rows = data.passages.map((/** @type {Passage} */ passage) => {
    const isCited = String(passage.number) === cited;
    const isShown = shown.includes(textOf(passage));
    const role = isCited ? (success ? 'good' : 'danger') : isShown ? 'note' : 'muted';
    return { cells: [textOf(passage)], role, fill: isCited || isShown ? 'soft' : 'outline' };
  });
  const half = Math.ceil(rows.length / 2);
  const page = (/** @type {number} */ from, /** @type {number} */ x) => {
    const columns = [`file, ${from + 1} to ${Math.min(from + half, rows.length)}`];
    const table = { kind: 'table', x, y: 28, width: 210, size: 9.5, role: 'muted', columns };
    return { ...table, rows: rows.slice(from, from + half) };
  };
  const y = 36 + 15.2 * (half + 1);
  const question = asked.length > 0 ? `Which one? ${asked[0].result}` : '';
  const [role, mark] = success === null ? ['ink', ''] : success ? ['good', ' ✓'] : ['danger', ' ✗'];
  return {
    width: 440,
    height: y + 40,
    words: `${prompt} ${calls.length} calls. ${question} ${answer === null ? '' : `Answer: ${answer}${mark}`}`,
    shapes: [
      { kind: 'text', x: 6, y: 6, width: 428, size: 12, bold: true, text: prompt },
      page(0, 6),
      page(half, 224),
      { kind: 'text', x: 6, y, width: 428, size: 12, role: 'agent', text: question },
      { kind: 'text', x: 6, y: y + 18, width: 428, size: 13, bold: true, role, text: `${answer ?? ''}${mark}` },
    ],
  };
}
