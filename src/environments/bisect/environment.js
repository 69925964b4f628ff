/**
 * Bisection: one of a row of commits brought in a bug, and every commit after it has the bug too. `test` says whether a
 * commit is good or bad. Each test costs a little, so the fewer the better.
 *
 * The environment keeps the bounds, as `git bisect` does. Before each turn the agent is shown how many commits can
 * still be the first bad one, and nothing else. It names a commit by its distance from the last good one. So neither
 * memory nor subtraction is a part of the task. What must be found is which commit to test: the one in the middle
 * halves what is left, and that finds the bug among n commits with log2 n tests, rounded up. Nobody shows that. Half of
 * the tests of a demonstration are of the next commit, and while eight commits or more are left none is of the middle
 * third.
 *
 * Both numbers are binary, in seven digits. There half of a number is its digits, each one place to the right: a rule
 * for numbers of any length. In decimal digits an agent learns half of each number by heart.
 *
 * The bug is where it is hardest to find: each answer is the one that leaves more commits, and the bug's number decides
 * where both leave as many. So luck cannot make a bad test look good, and a scan tests all commits but one. A task
 * counts as solved with at most one test more than halving needs. Any fixed step, and a third of what is left, solves
 * less than half of the tasks, and a commit drawn from those left less than a quarter.
 *
 * In the chat a visitor says how many commits there are, and may say which is the first bad one: `first 21 in 64
 * commits`. The agent is shown the number of commits alone.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {{ left: number, first: number | null, bug: number }} Row How many commits can be the first bad one, which
 * of them it is, counted from 1, and the number of the bug. Where `first` is null, it is where it is hardest to find.
 */

/** Share of a demonstration's tests that leave the scan. */
const leaps = 0.5;
/** Demonstrations stay out of the middle third while so many commits are left. */
const many = 8;
/** Tests that a solved task may take beyond those that halving needs. */
const slack = 1;
const fewest = 16;
/** Fewest and most commits of a row out of distribution; a scan of the most still fits the turns of an episode. */
const outside = [33, 64];
const bugs = 9999;
const digits = 7;
/** Rows that a drawing has room for: the start, or the last row of the page before, and tests. */
const rowsInDrawing = 7;
const help = 'seven binary digits';
const nothingNew = 'nothing new';

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Bisection',
  task: 'Find the commit that brought in a bug with as few tests as possible.',
  watch:
    'The agent copied testers that mostly try one commit after the next. Watch it find that halves are quicker. ' +
    'In the chat you hide the bug: first 21 in 64 commits.',
  rewards: {
    found: { description: 'One commit was left.', weight: 1 },
    tool: { description: 'Each test.', weight: -0.03 },
  },
  options: [
    {
      name: 'commits',
      title: 'Commits',
      description: 'Most commits that can be the first bad one.',
      values: [16, 24, 32],
      default: 32,
    },
  ],
  alphabet: [...new Set(`0123456789 bug first in commits left good bad ${help} ${nothingNew}`)].sort().join(''),
  words: ['bug', 'first', 'in', 'commits', 'left', 'good', 'bad'],
  outOfDistribution: `Rows of ${outside[0]} to ${outside[1]} commits, where training has 32 at most.`,
  examples: ['bug 4821 in 32 commits', 'bug 17 in 64 commits', 'first 21 in 64 commits'],
};

export const tools = [
  tool({
    name: 'test',
    description: 'Tests a commit, and says how many can still be the first bad one.',
    arguments: { commit: string('How many commits after the last good one, in binary, like 0010000 for 16.') },
    execute: ({ commit: text }, { state }) => {
      const commit = read(text);
      if (commit === null) throw new ToolError(help);
      if (commit < 1 || commit >= state.left) return { text: nothingNew, reward: 1, state, done: true };
      const now = tested(state, commit);
      const said = `${isBad(state, commit) ? 'bad' : 'good'} ${shown(now)}`;
      return { text: said, reward: 1, state: now, done: now.left === 1 };
    },
  }),
];

/** What is left after a test. @param {Row} row @param {number} commit @returns {Row} */
function tested({ left, first, bug }, commit) {
  if (isBad({ left, first, bug }, commit)) return { left: commit, first, bug };
  return { left: left - commit, first: first === null ? null : first - commit, bug };
}

/** @param {Row} row @param {number} commit */
function isBad({ left, first, bug }, commit) {
  if (first !== null) return commit >= first;
  const more = 2 * commit - left;
  return more === 0 ? new Random(bug, left).uniform() < 0.5 : more > 0;
}

const binary = (/** @type {number} */ number) => number.toString(2).padStart(digits, '0');
const shown = (/** @type {Row} */ { left }) => `left ${binary(left)}`;

/** @param {string} text */
const read = (text) => (/^[01]{7}$/.test(text) ? parseInt(text, 2) : null);

/** @param {Random} rng @param {import('agentlet').Split} split @param {{ commits: number }} options */
export function tasks(rng, split, options) {
  const [least, most] = split === 'out-of-distribution' ? outside : [fewest, options.commits];
  const left = rng.integer(least, most);
  const bug = rng.integer(1, bugs);
  const prompt = `bug ${bug} in ${left} commits`;
  return { id: prompt, prompt, data: { left, first: null, bug } };
}

/**
 * The row that a message speaks of; the task's, if it speaks of none.
 * @param {import('agentlet').Task} task @returns {Row}
 */
function rowOf({ prompt, data }) {
  const [, named, number, commits] = /^(bug|first) (\d+) in (\d+)( commits)?$/.exec(prompt.trim()) ?? [];
  const left = Number(commits);
  if (!(left >= 2 && left <= outside[1])) return data;
  if (named === 'bug') return { left, first: null, bug: Number(number) };
  const first = Number(number);
  return first >= 1 && first <= left ? { left, first, bug: 0 } : data;
}

/** @param {import('agentlet').Task} task */
export function start(task) {
  return { state: rowOf(task) };
}

/** @param {unknown} _ @param {Row} state */
export function context(_, state) {
  return [{ role: 'user', content: shown(state) }];
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, steps, state }) {
  const tests = steps.flatMap((step) => step.toolCalls).length;
  const found = state.left === 1;
  // log2 of the commits, rounded up.
  const enough = 32 - Math.clz32(rowOf(task).left - 1);
  return { success: found && tests <= enough + slack, found: found ? 1 : 0 };
}

/**
 * Half of the tests are of the next commit, none is of the middle.
 * @param {import('agentlet').Task} task
 */
export function demonstrate({ data }) {
  return search(data, (left) => (Math.random() < leaps ? leap(left) : 1));
}

/** A commit outside the middle third, if many are left. @param {number} left */
function leap(left) {
  const all = Array.from({ length: left - 1 }, (_, i) => i + 1);
  const allowed = left < many ? all : all.filter((commit) => 3 * Math.min(commit, left - commit) <= left);
  return allowed[Math.floor(Math.random() * allowed.length)];
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => search(data, (left) => Math.floor(left / 2)),
  scan: ({ data }) => search(data, () => 1),
  /** The best fixed step. */
  'five-on': ({ data }) => search(data, (left) => Math.min(5, left - 1)),
  /** Tests as near to the middle as demonstrations do. */
  reflex: ({ data }) => search(data, (left) => Math.floor(left / (left < many ? 2 : 3))),
  anywhere: ({ data }) => search(data, (left) => 1 + Math.floor(Math.random() * (left - 1))),
  /** Any seven digits. */
  random: ({ data }) => {
    const turns = [];
    for (let row = data; row.left > 1;) {
      const commit = Math.floor(Math.random() * 2 ** digits);
      turns.push(turnOf(commit));
      if (commit < 1 || commit >= row.left) break;
      row = tested(row, commit);
    }
    return turns;
  },
};

/** @param {number} commit @returns {import('agentlet').Turn} */
function turnOf(commit) {
  return { calls: [{ name: 'test', arguments: { commit: binary(commit) } }] };
}

/**
 * Tests until one commit is left.
 * @param {Row} row @param {(left: number) => number} choose @returns {import('agentlet').Turn[]}
 */
function search(row, choose) {
  const turns = [];
  while (row.left > 1) {
    const commit = choose(row.left);
    turns.push(turnOf(commit));
    row = tested(row, commit);
  }
  return turns;
}

const tenth = (/** @type {number} */ x) => Math.round(10 * x) / 10;

/** A ruled line for each test: the commits left, and which one was tested. @type {import('agentlet').Draw} */
export function draw(task, _, { steps, success }) {
  const row = rowOf(task);
  const [left, width, step, top] = [34, 290, 18, 40];
  const x = (/** @type {number} */ commit) => tenth(left + (width * commit) / row.left);
  const rows = [{ from: 0, now: row, at: 0, bad: false, role: 'muted' }];
  for (const { arguments: args, error } of steps.flatMap(({ toolCalls }) => toolCalls)) {
    const { from, now } = rows[rows.length - 1];
    const commit = read(String(args?.commit));
    if (error !== undefined || commit === null || !(commit >= 1 && commit < now.left)) continue;
    const bad = isBad(now, commit);
    const next = tested(now, commit);
    const role = next.left === 1 ? 'goal' : 'agent';
    rows.push({ from: bad ? from : from + commit, now: next, at: from + commit, bad, role });
  }
  const tests = rows.length - 1;
  const { now } = rows[tests];
  /** @type {import('agentlet').Shape[]} */
  const shapes = [
    { kind: 'text', x: 6, y: 6, width: 320, size: 12, bold: true, text: task.prompt },
    {
      kind: 'line',
      role: 'muted',
      points: [
        [left, 30],
        [left + width, 30],
      ],
    },
    ...Array.from({ length: row.left + 1 }, (_, i) => ({
      kind: 'line',
      role: 'muted',
      points: [
        [x(i), i % 8 ? 27 : 24],
        [x(i), 30],
      ],
    })),
  ];
  // A scan has more rows than a picture: it fills several, each of which begins with the last row of the one before.
  const turn = rowsInDrawing - 1;
  const first = turn * Math.max(0, Math.floor((rows.length - 2) / turn));
  rows.slice(first).forEach(({ from, now, at, bad, role }, i) => {
    const y = top + step * i;
    const bar = Math.max(2, tenth(x(from + now.left) - x(from)));
    shapes.push({ kind: 'text', x: 4, y: y - 2, width: 28, size: 11, text: String(now.left) });
    shapes.push({ kind: 'rectangle', role, x: x(from), y, width: bar, height: 8 });
    if (i === 0) return;
    shapes.push({
      kind: 'line',
      role: bad ? 'danger' : 'good',
      points: [
        [x(at), y - step - 4],
        [x(at), y - 5],
      ],
    });
  });
  const mark = success === null ? '' : success ? ' ✓' : ' ✗';
  const role = success === null ? 'muted' : success ? 'good' : 'danger';
  const said = `${tests} tests, ${now.left} left${mark}`;
  shapes.push({ kind: 'text', x: left, y: top + step * rowsInDrawing, width, role, text: said });
  return { width: 340, height: top + step * rowsInDrawing + 22, words: `${task.prompt}: ${said}.`, shapes };
}
