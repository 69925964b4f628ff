/**
 * Multi-hop questions, HotpotQA in small: each task brings a world of facts of its own, and `search` returns passages of it by BM25, most of
 * them noise. What is asked for takes two searches: the second for a name that only the first brings to light (bridge), or for the
 * other of two people (comparison). Questions that take three searches are kept out of training.
 */
import { Random, string, tool } from 'agentlet';
import { search } from 'agentlet/search';

/**
 * @typedef {'bridge' | 'comparison'} Form
 *
 * @typedef {object} Hop
 * @property {string} query A name, and in a bridge also what is wanted of it, in the words of passages: so the one that tells it comes first.
 * @property {string} found What the passages then give: the next query, or the answer.
 *
 * @typedef {{ form: Form, passages: string[], shown: number, hops: Hop[] }} World The last hop's `found` is the answer.
 */

/** Shares of demonstrations that search until they know: the teacher is readier to look up two people that a question names than to follow a trail. */
const care = { bridge: 0.2, comparison: 0.7 };
const nothingFound = 'nothing found';
/** Passages about nobody in the question; most tell what it asks for last, so a search for that word alone, or beside others, hardly helps. */
const strangers = 9;
const strangersElsewhere = 2;

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'so'].flatMap((start) => ['ra', 'no', 'lim', 'tes'].map((end) => start + end));
const friend = 'met';
/** When friends met, from the newest friendship to the oldest. */
const times = ['newly', 'later', 'early'];
const phraseOf = (/** @type {{ told: string }} */ { told }) => `has ${told}`;
const mention = 'also admires';

/**
 * As questions call them, what they lead from and to, and as passages put them: no word of a question but its names is in a passage. What is named
 * follows directly on the word that tells the relation, and no two relations of a question start from the same kind: a tiny model needs few layers.
 */
const relations = [
  { name: 'author', from: 'work', to: 'person', told: 'writer' },
  { name: 'artist', from: 'work', to: 'person', told: 'painter' },
  { name: 'home', from: 'person', to: 'place', told: 'lodging' },
  { name: 'school', from: 'person', to: 'place', told: 'college' },
  { name: 'song', from: 'place', to: 'work', told: 'anthem' },
  { name: 'statue', from: 'place', to: 'work', told: 'monument' },
];

const examples = ["bara 's author 's home ?", "deno 's home 's song ?", "gotes and kano 's older friend ?"];
const phrases = [...relations.map(phraseOf), friend, mention, nothingFound];
const words = [
  ...new Set([
    ...names,
    ...relations.map(({ name }) => name),
    ...`'s and older friend ? . ${times.join(' ')} ${phrases.join(' ')}`.split(' '),
  ]),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Multi-hop questions',
  task: 'Answer questions about a world it has never seen, by searching it twice.',
  watch:
    'It imitated a hasty teacher that mostly searches once and answers with what it has. Watch it find that a second search pays: turns rise, and success with them.',
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
  outOfDistribution: 'Questions that take three searches, where training has two.',
  examples,
};

export const tools = [
  tool({
    name: 'search',
    description: 'Returns the passages that fit best.',
    arguments: { query: { ...string('Words to look for, like a name.'), maxLength: 100 } },
    execute: ({ query }, { task }) => {
      const { passages, shown } = task.data;
      return search(passages, query, shown).join(' . ') || nothingFound;
    },
  }),
];

/** A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split @param {{ questions: string, passages: number }} options */
export function tasks(rng, split, { questions, passages: shown }) {
  const number = rng.integer(0, 0xffffffff);
  const world = new Builder(new Random(number), shown);
  const id = `${split === 'out-of-distribution' ? 'three' : questions} ${shown} ${number}`;
  if (split === 'out-of-distribution') return { id, ...world.bridge(3) };
  const compare = questions === 'both' ? number % 4 === 0 : questions === 'comparison';
  return { id, ...(compare ? world.comparison() : world.bridge(2)) };
}

/** @param {import('agentlet').Outcome} outcome */
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
  return { correct: answer?.replace(/^ +| +$/g, '') === hops.at(-1).found ? 1 : 0, searches, wasted };
}

/**
 * Two in three demonstrations are hasty on purpose, as a pre-trained model's habits are: they search once and answer with what they have. So
 * imitation teaches searching, copying and a bad habit, and reinforcement must find that a second search pays.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  const { hops, form } = /** @type {World} */ (task.data);
  return play(Math.random() < care[form] ? hops : hops.slice(0, 1));
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task.data.hops),

  /** One search with the whole question; then a reader that knows what each relation looks like answers from those passages. */
  'naive-rag': ({ prompt, data: { passages, shown } }) => play([{ query: prompt, found: read(prompt, search(passages, prompt, shown)) }]),

  /** One search for a word of the world, and another word as the answer. */
  random: ({ data: { passages } }) => {
    const known = passages.flatMap((/** @type {string} */ passage) => passage.split(' ').filter((word) => names.includes(word)));
    const pick = () => known[Math.floor(Math.random() * known.length)];
    return play([{ query: pick(), found: pick() }]);
  },
};

/** Makes these searches and answers with what the last one found. @param {readonly Hop[]} hops @returns {import('agentlet').Turn[]} */
function play(hops) {
  return [...hops.map(({ query }) => ({ calls: [{ name: 'search', arguments: { query } }] })), { answer: hops[hops.length - 1].found }];
}

/** One world in the making. */
class Builder {
  /** @param {Random} rng @param {number} shown Passages that a search returns; each name that can be asked for stands in as many. */
  constructor(rng, shown) {
    this.rng = rng;
    this.shown = shown;
    this.fresh = [...names];
    /** @type {string[]} */
    this.passages = [];
  }

  /** A chain of relations. @param {number} length */
  bridge(length) {
    /** @type {Hop[]} */
    const hops = [];
    /** @type {typeof relations} */
    const asked = [];
    const first = this.name();
    let subject = first;
    let kind = this.rng.pick(['work', 'person', 'place']);
    for (let hop = 0; hop < length; hop++) {
      const relation = this.rng.pick(relations.filter(({ from }) => from === kind));
      const object = this.name();
      this.passages.push(`${subject} ${phraseOf(relation)} ${object}`);
      // The hop before has left a passage about this subject, too.
      this.addNoise(subject, kind, phraseOf(relation), this.shown - Math.min(hop + 1, 2));
      hops.push({ query: `${subject} ${relation.told}`, found: object });
      asked.push(relation);
      [subject, kind] = [object, relation.to];
    }
    const prompt = `${[first, ...asked.map(({ name }) => name)].join(" 's ")} ?`;
    return this.finish('bridge', prompt, hops, () => phraseOf(asked[length - 1]));
  }

  /** Two people with a friend each: one friendship is older. */
  comparison() {
    const picked = this.rng.shuffle([...times.keys()]).slice(0, 2);
    const people = picked.map((time) => ({ person: this.name(), other: this.name(), time }));
    for (const { person, other, time } of people) {
      this.passages.push(`${person} ${times[time]} ${friend} ${other}`);
      this.addNoise(person, 'person', friend, this.shown - 1);
    }
    const [first, second] = people;
    const older = first.time > second.time ? first : second;
    const hops = [
      { query: `${first.person} ${friend}`, found: first.other },
      { query: `${second.person} ${friend}`, found: older.other },
    ];
    const prompt = `${first.person} and ${second.person} 's older friend ?`;
    return this.finish('comparison', prompt, hops, () => `${this.rng.pick(times)} ${friend}`);
  }

  /** So many other passages that name the subject. @param {string} subject @param {string} kind @param {string} taken Phrase that is spoken for. @param {number} count */
  addNoise(subject, kind, taken, count) {
    const others = this.rng.shuffle(relations.filter((each) => each.from === kind && phraseOf(each) !== taken)).slice(0, count);
    this.passages.push(...others.map((each) => `${subject} ${phraseOf(each)} ${this.name()}`));
    for (let i = others.length; i < count; i++) this.passages.push(`${this.name()} ${mention} ${subject}`);
  }

  /** A name that nobody has yet. */
  name() {
    const index = this.rng.integer(0, this.fresh.length - 1);
    const [name] = this.fresh.splice(index, 1);
    return name;
  }

  /** Adds strangers and shuffles. @param {Form} form @param {string} prompt @param {Hop[]} hops @param {() => string} common What most strangers' passages tell. */
  finish(form, prompt, hops, common) {
    for (let i = 0; i < strangers; i++) {
      const phrase = i < strangersElsewhere ? phraseOf(this.rng.pick(relations)) : common();
      this.passages.push(`${this.name()} ${phrase} ${this.name()}`);
    }
    return { prompt, data: { form, passages: this.rng.shuffle(this.passages), shown: this.shown, hops } };
  }
}

/** What a reader makes of one search: the relation asked for, else the nearest to it that a passage states. @param {string} question @param {readonly string[]} passages @returns {string} */
function read(question, passages) {
  const told = (/** @type {string} */ phrase) => passages.flatMap((passage) => passage.split(` ${phrase} `).slice(1));
  const time = (/** @type {string} */ passage) => times.findIndex((each) => passage.includes(` ${each} ${friend} `));
  const friends = passages.filter((passage) => time(passage) >= 0).sort((a, b) => time(b) - time(a));
  if (friends.length > 0) return friends[0].split(' ')[3];
  // The last relation is what is asked for.
  const asked = question
    .split(' ')
    .reverse()
    .flatMap((word) => relations.filter(({ name }) => name === word));
  return asked.flatMap((each) => told(phraseOf(each)))[0] ?? nothingFound;
}
