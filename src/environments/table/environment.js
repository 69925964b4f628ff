/**
 * Questions about a table that is never shown: `filter` keeps rows, `group` parts them, and `sum`, `max`, `min` and
 * `count` report on the rows left. Columns, names and numbers are drawn anew for each task, so nothing can be known
 * beforehand: every word of a call comes from the question.
 * Before each turn the agent is shown the question and what the last call said, and nothing else. A condition that was
 * applied is marked in the question: `city: bara`. So it need neither count its calls nor compare two lists.
 *
 * What must be found is that each condition counts. In a table some rows fit all conditions, and for each condition
 * some fit all but that one and change the answer: so a forgotten filter is wrong, and no guess corrects it. Training
 * has one to four, not five or six; but some of its questions end with columns to show, and are as long as with six.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {{ columns: string[], rows: (string | number)[][] }} Table
 * @typedef {{ rows: number[], by: string }} Left Indices of the rows left, and the column they are grouped by or ''.
 * @typedef {Left & { prompt: string, kept: string[], said: string }} State What was applied, and what was said last.
 * @typedef {{ name: string, column: string, by: string }} Report A tool, the column it reads and the one that rows are
 * grouped by; '' for none.
 * @typedef {{ column: string, text: string, fitting: (string | number)[], others: (string | number)[] }} Test A
 * condition, and the values of its column that fit it or do not.
 * @typedef {{ columns: string[], values: Record<string, (string | number)[]>, part: string, column: string, tests:
 * Test[], asked: Report, prompt: string }} Question
 * @typedef {Table & { conditions: string[], asked: Report, answer: string }} Data
 */

/** Share of demonstrations of several conditions that forget the last one. */
const haste = 0.7;
const valuesOfColumn = 3;
const smallest = 2;
const largest = 30;
const everyNumber = Array.from({ length: largest - smallest + 1 }, (_, i) => smallest + i);
/** Columns of names and of numbers: enough for conditions on six, and one of each that is asked for. */
const columnsOf = { names: 5, numbers: 3 };
/** Conditions of questions out of distribution. */
const far = [5, 6];
/** Share of the other questions that end with columns to show. */
const shows = 0.7;
/** Least and most rows that fit every condition. */
const fitting = [2, 4];

const names = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'so'].flatMap((start) =>
  ['ra', 'no', 'lim', 'tes'].map((end) => start + end),
);
const textColumns = ['city', 'colour', 'owner', 'shape', 'brand', 'season'];
const numberColumns = ['price', 'weight', 'age', 'stock', 'length', 'speed'];
/**
 * How questions begin, and the report that each asks for. `part` is a column of names.
 * @type {Record<string, (column: string, part: string) => Report & { asking: string }>}
 */
const kinds = {
  total: (column) => ({ asking: `total ${column}`, name: 'sum', column, by: '' }),
  highest: (column) => ({ asking: `highest ${column}`, name: 'max', column, by: '' }),
  lowest: (column) => ({ asking: `lowest ${column}`, name: 'min', column, by: '' }),
  rows: () => ({ asking: 'how many rows', name: 'count', column: '', by: '' }),
  most: (column, part) => ({ asking: `which ${part} has most ${column}`, name: 'sum', column, by: part }),
};

/** @type {Record<string, (values: any[]) => number>} */
const folds = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  count: (values) => values.length,
};

const noColumn = 'no such column';
const noRows = 'no rows';
const nothing = 'all';
const help = 'column value';
const phrases = ['filter group left groups how many which has where and above below show ?', noColumn, noRows, help];
const words = [
  ...[...names, ...textColumns, ...numberColumns, ...Object.keys(kinds), ...Object.keys(folds), nothing, 'by', '|'],
  ...[...textColumns, ...numberColumns].map((column) => `${column}:`),
  ...phrases.flatMap((phrase) => phrase.split(' ')),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Table',
  task: 'Answer a question about a table it never sees, by calls that filter, group and add up.',
  watch: 'The agent copied a teacher that forgets the last condition. Watch it filter once more: success rises.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    filters: { description: 'Each condition of the question that was applied, counted once.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated a filter.', weight: 0 },
  },
  options: [
    { name: 'conditions', title: 'Conditions', description: 'Most in a question.', values: [1, 2, 3, 4], default: 4 },
    { name: 'rows', title: 'Rows', description: 'Rows of a table.', values: [12, 16, 20], default: 16 },
  ],
  alphabet: [...new Set(`0123456789. ${words.join('')}`)].sort().join(''),
  words: [...new Set(words)],
  outOfDistribution: 'Questions with five or six conditions, where training has four at most.',
  examples: ['total price where city bara and colour deno ?', 'which owner has most stock where age above 12 ?'],
};

const reportTool = (/** @type {string} */ name, /** @type {string} */ what) =>
  tool({
    name,
    description: `Says ${what} of a column in the rows left, or in each group, largest first.`,
    arguments: { column: string('A column of numbers, like price.') },
    execute: ({ column }, { task, state }) => after(state, report(task.data, state, name, column.trim())),
  });

export const tools = [
  tool({
    name: 'filter',
    description: 'Keeps the rows that fit, and says how many are left.',
    arguments: { condition: string('A column and its value, like city bara, price above 20 or price below 20.') },
    execute: ({ condition }, { task, state }) => {
      const test = condition.trim();
      const rows = filter(task.data, state.rows, test);
      const kept = state.kept.includes(test) ? state.kept : [...state.kept, test];
      return after({ ...state, rows, kept }, `left ${rows.length}`);
    },
  }),
  tool({
    name: 'group',
    description: 'Parts the rows left by a column, for the report that follows.',
    arguments: { column: string('A column, like city.') },
    execute: ({ column }, { task, state }) => {
      const by = column.trim();
      return after({ ...state, by }, `groups ${new Set(cells(task.data, state.rows, by)).size}`);
    },
  }),
  reportTool('sum', 'the total'),
  reportTool('max', 'the highest number'),
  reportTool('min', 'the lowest number'),
  tool({
    name: 'count',
    description: 'Says how many rows are left, or are in each group, largest first.',
    arguments: {},
    execute: (_, { task, state }) => after(state, report(task.data, state, 'count', '')),
  }),
];

/** @param {State} state @param {string} text What a call says. */
const after = (state, text) => ({ text, state: { ...state, said: text } });

/** @param {import('agentlet').Task} task @returns {{ state: State }} */
export function start({ prompt, data }) {
  return { state: { prompt, rows: [...data.rows.keys()], by: '', kept: [], said: nothing } };
}

/** The question with its marks, what else was done, and what was said. @param {unknown} _ @param {State} state */
export function context(_, { prompt, kept, by, said }) {
  const done = kept.map((each) => [` ${each} `, ` ${each.replace(' ', ': ')} `]);
  const others = done.filter(([plain]) => !prompt.includes(plain)).map(([, marked]) => marked.trim());
  return [
    { role: 'user', content: done.reduce((text, [plain, marked]) => text.replace(plain, marked), prompt) },
    { role: 'tool', content: [...others, ...(by === '' ? [] : [`by ${by}`]), said].join(' | ') },
  ];
}

/** A column of some rows. @param {Table} table @param {number[]} rows @param {string} column */
function cells(table, rows, column) {
  const at = table.columns.indexOf(column);
  if (at < 0) throw new ToolError(noColumn);
  return rows.map((row) => table.rows[row][at]);
}

/** Those of the rows that fit. @param {Table} table @param {number[]} rows @param {string} condition */
function filter(table, rows, condition) {
  const [column, value, bound] = condition.split(' ');
  if (value === undefined || (bound === undefined && /^(above|below)$/.test(value))) throw new ToolError(help);
  const tested = cells(table, rows, column);
  if (value === 'above' || value === 'below') {
    const [limit, sign] = [Number(bound), value === 'above' ? 1 : -1];
    return rows.filter((_, i) => sign * (Number(tested[i]) - limit) > 0);
  }
  const wanted = typeof tested[0] === 'number' ? Number(value) : value;
  return rows.filter((_, i) => tested[i] === wanted);
}

/** What a report says. @param {Table} table @param {Left} left @param {string} name @param {string} column */
function report(table, { rows, by }, name, column) {
  if (rows.length === 0) throw new ToolError(noRows);
  const values = name === 'count' ? rows : cells(table, rows, column);
  if (typeof values[0] === 'string') throw new ToolError(noColumn);
  if (by === '') return String(folds[name](values));
  /** @type {Map<string | number, (string | number)[]>} */
  const groups = new Map();
  cells(table, rows, by).forEach((key, i) => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [values[i]]);
    else group.push(values[i]);
  });
  const found = [...groups].map(([key, group]) => ({ key, value: folds[name](group) }));
  const listed = found.sort((a, b) => b.value - a.value).slice(0, valuesOfColumn);
  return listed.map(({ key, value }) => `${key} ${value}`).join(' . ');
}

/** @param {Random} rng @param {import('agentlet').Split} split @param {{ conditions: number, rows: number }} options */
export function tasks(rng, split, { conditions: most, rows }) {
  // A task is a function of one number.
  const number = rng.integer(0, 0xffffffff);
  const drawn = new Random(number);
  const isFar = split === 'out-of-distribution';
  const count = isFar ? drawn.pick(far) : drawn.integer(1, most);
  const shown = !isFar && drawn.uniform() < shows ? drawn.integer(1, columnsOf.names + columnsOf.numbers) : 0;
  const kind = drawn.pick(Object.keys(kinds));
  const question = ask(drawn, kind, count, shown);
  const { prompt, asked, tests } = question;
  const table = drawTable(drawn, question, rows);
  const conditions = tests.map(({ text }) => text);
  const [answer] = report(table, { rows: keep(table, conditions), by: asked.by }, asked.name, asked.column).split(' ');
  const data = { ...table, conditions, asked, answer };
  return { id: `${count} ${rows} ${number}`, prompt, data, tags: [`conditions-${count}`, kind] };
}

/**
 * A question whose columns are all different, and the values of each column. @param {Random} rng @param {string} kind
 * @param {number} count Conditions. @param {number} shown Columns to show. @returns {Question}
 */
function ask(rng, kind, count, shown) {
  const fresh = rng.shuffle(names);
  const texts = rng.shuffle(textColumns).slice(0, columnsOf.names);
  const numbers = rng.shuffle(numberColumns).slice(0, columnsOf.numbers);
  /** @type {Record<string, (string | number)[]>} */
  const values = {};
  for (const text of texts) values[text] = fresh.splice(0, valuesOfColumn);
  for (const number of numbers) values[number] = everyNumber;
  const [part, ...named] = texts;
  const [column, ...bounded] = numbers;
  const all = [
    ...named.map((each) => testOf(each, `${rng.pick(values[each])}`, values[each])),
    ...bounded.map((each) => {
      const bound = rng.integer(smallest + 6, largest - 6);
      return testOf(each, `${rng.pick(['above', 'below'])} ${bound}`, values[each]);
    }),
  ];
  const tests = rng.shuffle(all).slice(0, count);
  const { asking, ...asked } = kinds[kind](column, part);
  const columns = rng.shuffle([...texts, ...numbers]);
  const show = shown === 0 ? '' : `show ${rng.shuffle(columns).slice(0, shown).join(' ')} `;
  const prompt = `${asking} where ${tests.map(({ text }) => text).join(' and ')} ${show}?`;
  return { columns, values, part, column, tests, asked, prompt };
}

/**
 * A condition, with the values of its column that fit it and those that do not. @param {string} column @param {string}
 * wanted @param {(string | number)[]} values @returns {Test}
 */
function testOf(column, wanted, values) {
  const [word, bound] = wanted.split(' ');
  const sign = word === 'above' ? 1 : -1;
  const fits = (/** @type {string | number} */ value) =>
    bound === undefined ? value === word : sign * (Number(value) - Number(bound)) > 0;
  const [fitting, others] = [values.filter(fits), values.filter((value) => !fits(value))];
  return { column, text: `${column} ${wanted}`, fitting, others };
}

/**
 * A table in which some rows fit all conditions, and for each condition one row at least fits all but that one. Numbers
 * of the latter are such that a report that takes them in is another one.
 * @param {Random} rng @param {Question} question @param {number} count Rows. @returns {Table}
 */
function drawTable(rng, { columns, values, part, column, tests, asked }, count) {
  const [winner, ...losers] = rng.shuffle(values[part]);
  const fit = rng.integer(fitting[0], fitting[1]);
  const middle = rng.integer(smallest + 9, largest - 9);
  const below = () => rng.integer(smallest, middle - 1);
  const above = () => rng.integer(middle + 1, largest);
  const rows = [];
  for (let row = 0; row < count; row++) {
    const pick = picker(rng);
    /** @type {Record<string, string | number>} */
    const cells = {};
    for (const each of columns) cells[each] = pick(values[each]);
    const failed = row < fit ? [] : row - fit < tests.length ? [row - fit] : failures(rng, tests.length);
    tests.forEach(({ column, fitting, others }, i) => {
      cells[column] = pick(failed.includes(i) ? others : fitting);
    });
    const isNear = failed.length === 1;
    if (failed.length < 2) {
      if (asked.name === 'max') cells[column] = isNear ? above() : below();
      if (asked.name === 'min') cells[column] = isNear ? below() : above();
      if (asked.by !== '') cells[part] = row === 0 ? winner : pick(losers);
      if (asked.by !== '') cells[column] = row === 0 ? middle : isNear ? above() : smallest;
    }
    rows.push(columns.map((each) => cells[each]));
  }
  return { columns, rows: rng.shuffle(rows) };
}

/** Picks from one list after another by one draw, which costs less fuel than a draw each. @param {Random} rng */
function picker(rng) {
  let code = rng.uniform();
  return (/** @type {readonly (string | number)[]} */ list) => {
    code *= list.length;
    const at = Math.floor(code);
    code -= at;
    return list[at];
  };
}

/** One of so many conditions, and in one row of four perhaps others. @param {Random} rng @param {number} count */
function failures(rng, count) {
  const pick = picker(rng);
  const places = [...Array(count).keys()];
  const [first, others] = [pick(places), pick([0, 0, 0, 1])];
  return places.filter((each) => each === first || (others === 1 && pick([0, 1]) === 1));
}

/** The rows that fit all conditions. @param {Table} table @param {string[]} conditions */
function keep(table, conditions) {
  return conditions.reduce((rows, condition) => filter(table, rows, condition), [...table.rows.keys()]);
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const seen = new Set();
  let wasted = 0;
  for (const { name, arguments: args, error } of steps.flatMap((step) => step.toolCalls)) {
    const condition = name === 'filter' && error === undefined ? args.condition.trim() : undefined;
    if (error !== undefined || seen.has(condition)) wasted++;
    else if (condition !== undefined) seen.add(condition);
  }
  const filters = task.data.conditions.filter((/** @type {string} */ each) => seen.has(each)).length;
  const success = answer?.trim() === task.data.answer;
  return { success, correct: success ? 1 : 0, filters, wasted };
}

/** Most forget the last of several conditions, as reinforcement must find out. @param {import('agentlet').Task} task */
export function demonstrate({ data }) {
  const { conditions } = data;
  return play(data, conditions.length > 1 && Math.random() < haste ? conditions.slice(0, -1) : conditions);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => play(data, data.conditions),
  /** Never applies the last of several conditions, and takes what comes second, or two rows less. */
  reflex: ({ data }) => {
    const { conditions, asked } = data;
    if (conditions.length === 1) return play(data, conditions);
    const { name, column, by } = asked;
    const kept = conditions.slice(0, -1);
    const calls = play(data, kept).slice(0, -1);
    const [first, , , second = first] = report(data, { rows: keep(data, kept), by }, name, column).split(' ');
    const sign = { max: 'below', min: 'above' }[String(name)];
    if (sign) return [...calls, ...play(data, [...kept, `${column} ${sign} ${first}`]).slice(kept.length)];
    return [...calls, { answer: name === 'count' ? String(Number(first) - 2) : second }];
  },
  random: ({ data: { columns, rows } }) => {
    const [row, other, column] = [rows, rows, columns].map(({ length }) => Math.floor(Math.random() * length));
    const condition = `${columns[column]} ${rows[row][column]}`;
    return [{ calls: [{ name: 'filter', arguments: { condition } }] }, { answer: String(rows[other][column]) }];
  },
};

/**
 * Applies some conditions, asks for the report and answers with the first word of it. @param {Data} data @param
 * {string[]} conditions @returns {import('agentlet').Turn[]}
 */
function play(data, conditions) {
  const { name, column, by } = data.asked;
  const rows = keep(data, conditions);
  const calls = [
    ...conditions.map((condition) => ({ name: 'filter', arguments: { condition } })),
    ...(by === '' ? [] : [{ name: 'group', arguments: { column: by } }]),
    { name, arguments: name === 'count' ? {} : { column } },
  ];
  return [
    ...calls.map((call) => ({ calls: [call] })),
    { answer: report(data, { rows, by }, name, column).split(' ')[0] },
  ];
}

/**
 * The table that the agent never sees: the rows left are lit.
 * @type {import('agentlet').Draw}
 */
export function draw(task, state, { steps, answer, success }) {
  const now = state ?? start(task).state;
  const [{ content: question }] = context([], now);
  const last = steps.flatMap(({ toolCalls }) => toolCalls).at(-1);
  const asked = last ? `${last.name} ${Object.values(last.arguments ?? {}).join(' ')} → ${last.result}` : '';
  const isLit = (/** @type {number} */ i) => steps.length > 0 && now.rows.includes(i);
  const rows = task.data.rows.map((/** @type {(string | number)[]} */ row, /** @type {number} */ i) => {
    return { cells: row.map(String), role: isLit(i) ? 'agent' : 'muted', fill: isLit(i) ? 'soft' : 'outline' };
  });
  const lines = Math.ceil(question.length / 46);
  const top = 12 + 15 * lines;
  const end = top + 4 + 13.6 * (rows.length + 1);
  const [role, mark] = success === null ? ['ink', ''] : success ? ['good', ' ✓'] : ['danger', ' ✗'];
  const columns = task.data.columns.map((/** @type {string} */ name) => (name === now.by ? `${name} ▾` : name));
  return {
    width: 340,
    height: end + 40,
    words: `${question} ${now.rows.length} of ${rows.length} rows are left. ${asked}`,
    shapes: [
      { kind: 'text', x: 6, y: 6, width: 328, lines, size: 12, bold: true, text: question },
      { kind: 'table', x: 6, y: top, width: 328, size: 8.5, columns, rows },
      { kind: 'text', x: 6, y: end + 4, width: 328, size: 12, role: 'agent', text: asked },
      { kind: 'text', x: 6, y: end + 21, width: 328, size: 13, bold: true, role, text: `${answer ?? ''}${mark}` },
    ],
  };
}
