/**
 * Multi-hop questions, HotpotQA in small: each task brings a world of facts of its own, and `search` returns passages
 * of it by BM25, most of them noise. A bridge takes one to three searches, each for a name that only the one before
 * brings to light, and four out of distribution. A comparison takes two: one for each of two people.
 *
 * No word of a question saves a search. As many subjects have the relations that are asked for, and only the first name
 * tells which of them is meant. A name stands in fewer passages than a relation does, and in as many as are shown: so a
 * search for a name shows that name's passages alone, whatever stands beside it. A search reads two words: it cannot
 * look for two people and what they did.
 *
 * Before each turn the agent is shown a bridge from the relation that it looked for last, right or not, and what the
 * last search said. So a long chain goes on as a short one does. Of a comparison it is shown everything.
 *
 * Bridges of training may end with idle words. So some are as long as those with a search more, and what tells that a
 * search is left is a relation, not the length of the question.
 */
import { Random, string, tool, searchGraph } from 'agentlet';
import { search } from 'agentlet/search';

/**
 * @typedef {'bridge' | 'comparison'} Form
 *
 * @typedef {object} Hop
 * @property {string} query A name, and in a bridge also what is wanted of it, in the words of passages: so the one that
 * tells it comes first.
 * @property {string} found What the passages then give: the next query, or the answer.
 *
 * @typedef {{ form: Form, passages: string[], shown: number, hops: Hop[] }} World The last hop's `found` is the answer.
 */

/**
 * Shares of demonstrations that search until they know: the teacher is readier to look up two people that a question
 * names than to follow a trail.
 */
const care = { bridge: 0.15, comparison: 0.7 };
const nothingFound = 'nothing found';
/**
 * Names in a row, of which the question means one or two: enough that guessing among them is no better than guessing
 * among the passages shown.
 */
const across = { bridge: 8, comparison: 10 };
/** Words of a query that a search reads. */
const wordsRead = 2;
/** Most searches of a bridge in training, and out of distribution. */
const longest = { known: 3, beyond: 4 };
/** Idle words that a bridge of training ends with. */
const endings = ['', '', ' please', ' if you know'];

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'ne', 'ru', 'so'].flatMap((start) =>
  ['ra', 'no', 'lim', 'tes'].map((end) => start + end),
);
/** What a name can be. */
const kinds = ['work', 'person', 'place'];
const friend = 'met';
/** When friends met, from the newest friendship to the oldest. */
const times = ['newly', 'later', 'early'];
const phraseOf = (/** @type {{ told: string }} */ { told }) => `has ${told}`;
/** In the words of a relation, so that none of its words tells it from one. */
const mention = phraseOf({ told: 'admirer' });

/**
 * As questions call them, what they lead from and to, and as passages put them: no word of a question but its names is
 * in a passage. What is named follows directly on the word that tells the relation, and no two relations of a question
 * start from the same kind: a tiny model needs few layers.
 */
const relations = [
  { name: 'author', from: 'work', to: 'person', told: 'writer' },
  { name: 'artist', from: 'work', to: 'person', told: 'painter' },
  { name: 'home', from: 'person', to: 'place', told: 'lodging' },
  { name: 'school', from: 'person', to: 'place', told: 'college' },
  { name: 'song', from: 'place', to: 'work', told: 'anthem' },
  { name: 'statue', from: 'place', to: 'work', told: 'monument' },
];

const examples = ["bara 's author 's home ?", "deno 's home 's song 's artist ?", "gotes and kano 's older friend ?"];
const phrases = [...relations.map(phraseOf), friend, mention, nothingFound];
const words = [
  ...new Set([
    ...names,
    ...relations.map(({ name }) => name),
    ...`'s and older friend ? . ${times.join(' ')} ${phrases.join(' ')}${endings.join('')}`.split(' '),
  ]),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Multi-hop questions',
  task: 'Answer questions about a world it has never seen, by searching it.',
  watch: 'The agent copied a hasty teacher that mostly searches once. Watch it search on: turns and success rise.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    searches: { description: 'Each search that the answer takes, counted once.', weight: 0 },
    wasted: { description: 'Each search that failed, found nothing or repeated an earlier one.', weight: 0 },
  },
  options: [
    {
      name: 'questions',
      title: 'Questions',
      description: 'Which kinds are asked.',
      values: ['both', 'bridge', 'comparison'],
      default: 'both',
    },
    {
      name: 'passages',
      title: 'Passages',
      description: 'Passages that a search returns, most of them noise.',
      values: [3, 4, 5],
      default: 4,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words,
  outOfDistribution: 'Questions that take four searches, where training has at most three.',
  examples,
};

export const tools = [
  tool({
    name: 'search',
    description: 'Returns the passages that fit the first two words of the query best.',
    arguments: { query: { ...string('One word or two to look for, like a name.'), maxLength: 100 } },
    execute: ({ query }, { task, state }) => ({
      text: look(task.data, query).join(' . ') || nothingFound,
      state: { searches: state.searches + 1 },
    }),
  }),
];

export const start = () => ({ state: { searches: 0 } });

/** @param {import('agentlet').Message[]} messages @param {{ searches: number }} state */
export function context([question, ...rest], { searches }) {
  const links = String(question.content).split(" 's ");
  if (links[0].includes(' ')) return [question, ...rest];
  const left = links.slice(Math.min(searches, links.length - 1));
  return [{ role: 'user', content: left.join(" 's ") }, ...rest.slice(-1)];
}

/**
 * The passages that a search shows. Those that share no word with the query are left out before: that is cheaper, and
 * changes no order between two words.
 * @param {World} world @param {string} query
 */
function look({ passages, shown }, query) {
  const read = firstWords(query).split(' ');
  const fitting = passages.filter((passage) => read.some((word) => passage.includes(word)));
  return search(fitting, read.join(' '), shown);
}

/** Those that a search reads. @param {string} query */
function firstWords(query) {
  return query.trim().split(/ +/, wordsRead).join(' ');
}

/**
 * A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split @param {{ questions:
 * string, passages: number }} options
 */
export function tasks(rng, split, { questions, passages: shown }) {
  const number = rng.integer(0, 0xffffffff);
  const random = new Random(number);
  const isBeyond = split === 'out-of-distribution';
  const world = new Builder(random, shown, split === 'validation' ? 0 : random.integer(isBeyond ? 0 : 1, 2));
  const id = `${isBeyond ? longest.beyond : questions} ${shown} ${number}`;
  if (isBeyond) return { id, ...world.bridge(longest.beyond, '') };
  const compare = questions === 'both' ? number % 4 === 0 : questions === 'comparison';
  if (compare) return { id, ...world.comparison() };
  return { id, ...world.bridge(random.integer(1, longest.known), random.pick(endings)) };
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ task, answer, steps }) {
  const { hops } = task.data;
  const useful = new Set(hops.map((/** @type {Hop} */ { query }) => query));
  const seen = new Set();
  let searches = 0;
  let wasted = 0;
  for (const { error, result, arguments: args } of steps.flatMap((step) => step.toolCalls)) {
    const query = error === undefined ? args.query.trim() : '';
    if (query === '' || result === nothingFound || seen.has(query)) wasted++;
    else if (useful.has(query)) searches++;
    seen.add(query);
  }
  const success = answer?.replace(/^ +| +$/g, '') === hops.at(-1).found;
  return { success, correct: Number(success), searches, wasted };
}

/**
 * Half of the demonstrations are hasty on purpose, as a pre-trained model's habits are: they search once, where it
 * takes more, and answer with what they have. So imitation teaches searching, copying and a bad habit, and
 * reinforcement must find that more searches pay.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  const { hops, form } = /** @type {World} */ (task.data);
  return play(Math.random() < care[form] ? hops : hops.slice(0, 1));
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task.data.hops),

  /**
   * One search with as much of the question as a search reads; then a reader that knows what each relation looks like
   * answers from those passages.
   */
  'naive-rag': ({ prompt, data }) => play([{ query: firstWords(prompt), found: read(prompt, look(data, prompt)) }]),

  /** The same search, and a reader that always knows the answer if it is in those passages: no reader does better. */
  'any-reader': ({ prompt, data }) => {
    const { found } = data.hops[data.hops.length - 1];
    const inSight = look(data, prompt).some((passage) => passage.split(' ').includes(found));
    return play([{ query: firstWords(prompt), found: inSight ? found : nothingFound }]);
  },

  /** Searches twice at most, and answers with what the last one tells. */
  reflex: (task) => play(task.data.hops.slice(0, 2)),

  /** One search for a word of the world, and another word as the answer. */
  random: ({ data: { passages } }) => {
    const known = passages.flatMap((/** @type {string} */ passage) =>
      passage.split(' ').filter((word) => names.includes(word)),
    );
    const pick = () => known[Math.floor(Math.random() * known.length)];
    return play([{ query: pick(), found: pick() }]);
  },
};

/**
 * Makes these searches and answers with what the last one found. @param {readonly Hop[]} hops @returns
 * {import('agentlet').Turn[]}
 */
function play(hops) {
  return [
    ...hops.map(({ query }) => ({ calls: [{ name: 'search', arguments: { query } }] })),
    { answer: hops[hops.length - 1].found },
  ];
}

/**
 * One world in the making: rows of names, each of which leads to the next. Of every row, the question means the first
 * name.
 */
class Builder {
  /**
   * @param {Random} rng @param {number} shown Passages that a search returns; each name that can be asked for stands in
   * as many.
   * @param {number} part How the question may begin: questions begin with a name of some kind, or with two names, and
   * these pairs are dealt to three parts. Part 0 is for validation, 1 and 2 are for training.
   */
  constructor(rng, shown, part) {
    this.rng = rng;
    this.shown = shown;
    this.part = part;
    this.fresh = rng.shuffle([...names]);
    /** @type {string[]} */
    this.passages = [];
  }

  /** A chain of relations. @param {number} length @param {string} ending */
  bridge(length, ending) {
    /** @type {Hop[]} */
    const hops = [];
    let kind = kinds.find((_, i) => this.isOurs(this.fresh[0], i));
    let row = this.row(across.bridge);
    let prompt = row[0];
    for (let hop = 0; hop < length; hop++) {
      const [asked, other] = this.rng.shuffle(relations.filter(({ from }) => from === kind));
      const next = this.row(across.bridge);
      this.tell(row, phraseOf(asked), next);
      this.tell(row, phraseOf(other), turned(next, 1));
      // The hop before has left two passages about each of the row, too.
      this.addNoise(row, this.shown - (hop === 0 ? 2 : 4));
      hops.push({ query: `${row[0]} ${asked.told}`, found: next[0] });
      prompt += ` 's ${asked.name}`;
      [row, kind] = [next, asked.to];
    }
    return this.finish('bridge', `${prompt}${ending} ?`, hops);
  }

  /** Two people with a friend each: one friendship is older. */
  comparison() {
    const second = this.fresh.findIndex((name, i) => i > 0 && this.isOurs(this.fresh[0], names.indexOf(name)));
    this.fresh.splice(1, 0, ...this.fresh.splice(second, 1));
    const [people, friends, places] = [0, 1, 2].map(() => this.row(across.comparison));
    const met = this.rng.shuffle([...times.keys()]).slice(0, 2);
    while (met.length < people.length) met.push(this.rng.integer(0, times.length - 1));
    people.forEach((person, i) => this.passages.push(`${person} ${times[met[i]]} ${friend} ${friends[i]}`));
    relations
      .filter(({ from }) => from === 'person')
      .forEach((each, i) => this.tell(people, phraseOf(each), turned(places, i)));
    this.addNoise(people, this.shown - 3);
    const hops = [
      { query: `${people[0]} ${friend}`, found: friends[0] },
      { query: `${people[1]} ${friend}`, found: friends[met[0] > met[1] ? 0 : 1] },
    ];
    return this.finish('comparison', `${people[0]} and ${people[1]} 's older friend ?`, hops);
  }

  /**
   * One passage for each of a row. @param {readonly string[]} row @param {string} phrase @param {readonly string[]}
   * objects
   */
  tell(row, phrase, objects) {
    this.passages.push(...row.map((subject, i) => `${subject} ${phrase} ${objects[i]}`));
  }

  /** Adds at least `count` passages about each name of a row. @param {readonly string[]} row @param {number} count */
  addNoise(row, count) {
    for (let places = 1; 2 * places <= count + 1; places++) this.tell(row, mention, turned(row, places));
  }

  /** May the question begin so? @param {string} name @param {number} other Number of its kind, or of a second name. */
  isOurs(name, other) {
    return (names.indexOf(name) + other) % kinds.length === this.part;
  }

  /** Names that are not used yet. @param {number} length */
  row(length) {
    return this.fresh.splice(0, length);
  }

  /** @param {Form} form @param {string} prompt @param {Hop[]} hops */
  finish(form, prompt, hops) {
    const data = { form, passages: this.rng.shuffle(this.passages), shown: this.shown, hops };
    const searches = hops.length === 1 ? '1 search' : `${hops.length} searches`;
    return { prompt, data, tags: [form, searches] };
  }
}

/** The row, rotated by some places. @param {readonly string[]} row @param {number} places */
function turned(row, places) {
  return [...row.slice(places), ...row.slice(0, places)];
}

/**
 * What a reader makes of one search: the relation asked for, else the nearest to it that a passage states. @param
 * {string} question @param {readonly string[]} passages @returns {string}
 */
function read(question, passages) {
  const told = (/** @type {string} */ phrase) => passages.flatMap((passage) => passage.split(` ${phrase} `).slice(1));
  const time = (/** @type {string} */ passage) => times.findIndex((each) => passage.includes(` ${each} ${friend} `));
  const friends = passages.filter((passage) => time(passage) >= 0).sort((a, b) => time(b) - time(a));
  if (friends.length > 0) return friends[0].split(' ')[3];
  // A question asks for its last relation.
  const asked = question
    .split(' ')
    .reverse()
    .flatMap((word) => relations.filter(({ name }) => name === word));
  return asked.flatMap((each) => told(phraseOf(each)))[0] ?? nothingFound;
}

/** Each search, and the passages that it showed, in fewer words. */
export const draw = searchGraph(
  ({ arguments: args }) => Object.values(args ?? {}).join(' '),
  ({ result }) => result.replaceAll(' has ', ' ').split(' . '),
);
