/**
 * Literature search in a generated citation graph: `search` finds the two best-known papers on a topic, `expand` the
 * papers that a paper cites. Each call then lists papers found and not expanded yet, and the agent is shown the last
 * list. What is asked for is every paper on one topic.
 *
 * Papers on the topic are cited only by papers on the topic: so one search is not enough, expanding whatever is listed
 * leads astray, and the trail ends where no paper on the topic is listed. What counts is to find all and stop. The
 * third call that could have no find ends the episode. A reward for each find, and a cost of each such call, can be
 * switched on: it teaches more slowly.
 */
import { Random, string, tool } from 'agentlet';

/**
 * @typedef {{ title: string, cites: string[] }} Paper A title is a topic and a number, like moss 4; `cites`
 * are titles.
 * @typedef {{ topic: string, wanted: number, papers: Paper[] }} Data `wanted`: how many papers are on the topic.
 * @typedef {{ found: string[], expanded: string[], useless: number }} State Titles, and how many calls could have no
 * find.
 */

/** Share of demonstrations that stop after the search. */
const haste = 0.6;
/** Chance that any other demonstration stops after a call, and that it expands a paper on another topic. */
const impatience = 0.05;
const distraction = 0.15;
/** Most expansions of a demonstration. */
const expansions = 10;

const papersInWorld = 24;
const citations = 3;
const searchFinds = 2;
/** Most papers that a call lists, the newest; papers on the topic come before others. */
const listed = 4;
/** What a call costs, in finds, that expands no paper on the topic and finds none. */
const uselessCall = 0.5;
/** So many of these calls are forgiven: one more ends the episode. */
const mostUseless = 2;
const finished = 'done';

const topics = ['bees', 'clay', 'fern', 'kelp', 'moss', 'rain', 'salt', 'snow'];
const numbers = Array.from({ length: 12 }, (_, i) => String(i + 1));
const titlesOn = (/** @type {string} */ topic) => numbers.map((number) => `${topic} ${number}`);
const words = [...topics, ...numbers, ...`find papers on search expand ${finished} ,`.split(' ')];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Papers',
  task: 'Find all papers on a topic by searching once and following citations, and stop when there are no more.',
  watch:
    'The agent copied a teacher that mostly stops after one search. ' +
    'Watch it follow citations: recall rises with turns.',
  rewards: {
    complete: { description: 'Every paper on the topic was found, and it stopped by itself.', weight: 1 },
    tool: { description: `Each call: its new finds, or -${uselessCall} if it could have none.`, weight: 0 },
    recall: { description: 'Share of the papers on the topic that were found.', weight: 0 },
    useless: { description: 'Calls that could have no find, as they expanded no paper on the topic.', weight: 0 },
  },
  options: [
    {
      name: 'papers',
      title: 'Papers',
      description: 'Most papers on a topic; there are 3 at least.',
      values: [4, 5, 6, 7, 8],
      default: 8,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words: [...new Set(words)],
  outOfDistribution: 'Topics with 9 or 10 papers, where training has 8 at most.',
  examples: ['find papers on moss', 'find papers on snow'],
};

/** The lists of calls before the last are old: the agent is shown the last one. */
export const context = (/** @type {import('agentlet').Message[]} */ [prompt, ...rest]) => [prompt, ...rest.slice(-1)];

export const tools = [
  tool({
    name: 'search',
    description: `Finds the ${searchFinds} best-known papers on a topic.`,
    arguments: { topic: { ...string('One word, like moss.'), maxLength: 40 } },
    execute: ({ topic }, { task, state }) => runSearch(task.data, topic.trim(), state ?? noState),
  }),
  tool({
    name: 'expand',
    description: 'Finds the papers that a found paper cites.',
    arguments: { paper: string('Title of a paper, like moss 4.') },
    execute: ({ paper }, { task, state }) => runExpand(task.data, paper.trim(), state ?? noState),
  }),
];

/** @type {State} */
const noState = { found: [], expanded: [], useless: 0 };

const isOn = (/** @type {string} */ topic) => (/** @type {string} */ title) => title.startsWith(`${topic} `);

/** @param {Data} data @param {string} topic @param {State} state */
function runSearch({ papers, ...data }, topic, state) {
  const titles = papers.map(({ title }) => title).filter(isOn(topic));
  return resultOf(data, titles.slice(0, searchFinds), state, false);
}

/** A title that was not found leads to nothing. @param {Data} data @param {string} title @param {State} state */
function runExpand(data, title, state) {
  const paper = data.papers.find((each) => each.title === title && state.found.includes(title));
  if (!paper) return resultOf(data, [], state, false);
  const isWise = isOn(data.topic)(title) && !state.expanded.includes(title);
  return resultOf(data, paper.cites, { ...state, expanded: [...state.expanded, title] }, isWise);
}

/**
 * @param {{ topic: string }} data @param {string[]} titles that the call led to @param {State} state
 * @param {boolean} isWise Was it worth a try, even if it found nothing?
 */
function resultOf({ topic }, titles, state, isWise) {
  const fresh = titles.filter((title) => !state.found.includes(title));
  const finds = fresh.filter(isOn(topic)).length;
  const isUseless = finds === 0 && !isWise;
  const next = { ...state, found: [...state.found, ...fresh], useless: state.useless + (isUseless ? 1 : 0) };
  return {
    text: list(topic, next).join(' , '),
    reward: isUseless ? -uselessCall : finds,
    state: next,
    done: next.useless > mostUseless,
  };
}

/** Titles in the order in which they were found. @param {string} topic @param {State} state */
function list(topic, { found, expanded }) {
  const open = found.filter((title) => !expanded.includes(title));
  const off = open.filter((title) => !isOn(topic)(title));
  const best = [...off, ...open.filter(isOn(topic))].slice(-listed);
  return open.filter((title) => best.includes(title));
}

/**
 * A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split @param {{ papers:
 * number }} options
 */
export function tasks(rng, split, { papers: most }) {
  const number = rng.integer(0, 0xffffffff);
  const drawn = new Random(number);
  const wanted = split === 'out-of-distribution' ? drawn.integer(9, 10) : drawn.integer(3, most);
  const data = drawWorld(drawn, wanted);
  return { id: `${wanted} ${number}`, prompt: `find papers on ${data.topic}`, data, tags: [`papers-${wanted}`] };
}

/**
 * Of the papers on the topic the first ones are best known; each later one is cited by one of the two before it, so
 * there is a trail to follow.
 * @param {Random} rng @param {number} wanted @returns {Data}
 */
function drawWorld(rng, wanted) {
  const [topic, ...others] = rng.shuffle(topics).slice(0, 4);
  const titles = [
    ...rng.shuffle(titlesOn(topic)).slice(0, wanted),
    ...rng.shuffle(others.flatMap(titlesOn)).slice(0, papersInWorld - wanted),
  ];
  const papers = titles.map((title) => ({ title, cites: /** @type {string[]} */ ([]) }));
  const [on, off] = [papers.slice(0, wanted), papers.slice(wanted)];
  for (let i = searchFinds; i < wanted; i++) {
    const citing = rng.pick(on.slice(i - searchFinds, i));
    citing.cites.push(on[i].title);
  }
  for (const paper of papers) {
    const from = off.indexOf(paper) + rng.integer(1, off.length - citations);
    const more = [...off, ...off].slice(from, from + citations - paper.cites.length);
    paper.cites = rng.shuffle([...paper.cites, ...more.map(({ title }) => title)]);
  }
  return { topic, wanted, papers };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, state }) {
  const { topic, wanted } = task.data;
  const { found, useless } = state ?? noState;
  const recall = found.filter(isOn(topic)).length / wanted;
  const success = recall === 1 && answer?.trim() === finished;
  return { success, complete: success ? 1 : 0, recall, useless };
}

/**
 * Most demonstrations stop after the search; the others follow the trail for a while, at times from a paper on
 * another topic. So imitation teaches the calls and bad habits, and reinforcement must find that the trail pays.
 * @param {import('agentlet').Task} task
 */
export function demonstrate({ data }) {
  let left = Math.random() < haste ? 0 : expansions;
  return explore(data, (on, off) => {
    if (left-- === 0 || Math.random() < impatience) return undefined;
    return off.length > 0 && Math.random() < distraction ? pick(off) : on[on.length - 1];
  });
}

/** @type {import('agentlet').Policies} */
export const policies = {
  /** Expands the papers that lead to new ones on the topic, and no other. */
  oracle: ({ data }) =>
    explore(data, (on, _, { found }) => {
      const isNew = (/** @type {string} */ title) => isOn(data.topic)(title) && !found.includes(title);
      const leads = (/** @type {Paper} */ { cites }) => cites.some(isNew);
      return on.find((title) => /** @type {Data} */ (data).papers.filter(leads).some((paper) => paper.title === title));
    }),

  /** Expands each paper on the topic, as one must who cannot know where it leads. */
  thorough: ({ data }) => explore(data, (on) => on[0]),

  /** Expands four papers on the topic, if so many are listed, and never looks whether there are more. */
  reflex: ({ data }) => explore(data, (on, _, { expanded }) => (expanded.length < 4 ? on[0] : undefined)),

  'one-search': ({ data }) => explore(data, () => undefined),

  /** Expands three papers, whether they were found or not. */
  random: ({ data }) => {
    let left = 3;
    return explore(data, () => (left-- > 0 ? pick(data.papers).title : undefined));
  },
};

/** @template T @param {readonly T[]} list @returns {T} */
function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/**
 * Searches for the topic, then expands what `next` chooses among the listed titles on the topic and off it, until it
 * chooses none.
 * @param {Data} data @param {(on: string[], off: string[], state: State) => string | undefined} next
 * @returns {import('agentlet').Turn[]}
 */
function explore(data, next) {
  /** @type {import('agentlet').Turn[]} */
  const turns = [{ calls: [{ name: 'search', arguments: { topic: data.topic } }] }];
  let { state } = runSearch(data, data.topic, noState);
  for (;;) {
    const open = list(data.topic, state);
    const on = open.filter(isOn(data.topic));
    const off = open.filter((title) => !on.includes(title));
    const paper = next(on, off, state);
    if (paper === undefined) return [...turns, { answer: finished }];
    turns.push({ calls: [{ name: 'expand', arguments: { paper } }] });
    const result = runExpand(data, paper, state);
    if (result.done) return turns;
    state = result.state;
  }
}

/** The citation graph as far as it is known; papers not found yet are dots. @type {import('agentlet').Draw} */
export function draw({ prompt, data }, state, { answer, success }) {
  const { found, expanded } = state ?? noState;
  const on = isOn(data.topic);
  const idOf = (/** @type {string} */ title) => title.replace(' ', '-');
  const across = 6;
  const papers = data.papers.map((/** @type {Paper} */ { title, cites }, /** @type {number} */ i) => ({
    title,
    cites,
    x: 6 + 84 * (i % across),
    y: 34 + 44 * Math.floor(i / across),
  }));
  const shapes = papers.flatMap((/** @type {{ title: string, x: number, y: number }} */ { title, x, y }) => {
    if (!found.includes(title)) return [{ kind: 'circle', x: x + 38, y: y + 13, radius: 2.5, role: 'muted' }];
    const role = on(title) ? 'goal' : 'muted';
    const fill = expanded.includes(title) ? 'solid' : 'soft';
    return [{ kind: 'node', id: idOf(title), x, y, width: 76, height: 26, text: title, role, fill, round: true }];
  });
  const edges = papers
    .filter((/** @type {Paper} */ { title }) => expanded.includes(title))
    .flatMap((/** @type {Paper} */ { title: from, cites }) =>
      cites
        .filter((to) => found.includes(to))
        .map((to) => ({
          kind: 'edge',
          from: idOf(from),
          to: idOf(to),
          directed: true,
          role: on(to) ? 'goal' : 'muted',
        })),
    );
  const count = `${found.filter(on).length} of ${data.wanted} papers found`;
  const mark = success === null ? '' : success ? ' ✓' : ` ✗ ${answer ?? ''}`;
  const role = success === null ? 'ink' : success ? 'good' : 'danger';
  return {
    width: 508,
    height: 36 + 44 * Math.ceil(papers.length / across),
    words: `${prompt}: ${count}${mark}. Expanded: ${expanded.join(', ') || 'none'}.`,
    shapes: [
      { kind: 'text', x: 6, y: 8, width: 496, bold: true, role, text: `${prompt}: ${count}${mark}` },
      ...edges,
      ...shapes,
    ],
  };
}
