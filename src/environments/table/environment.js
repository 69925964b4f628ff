/**
 * Questions about a table that is never shown: `filter` keeps rows, `group` parts them, and `sum`, `max`, `min` and
 * `count` report on the rows left. Columns, names and numbers are drawn anew for each task, so nothing can be known
 * beforehand: every word of a call comes from the question.
 *
 * What must be found is that each condition counts. A question is only asked if its answer changes when one of its
 * conditions is left out, so a forgotten filter is always wrong. Some questions have one condition, so two filters are
 * not always right either. Three are kept out of training.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {{ columns: string[], rows: (string | number)[][] }} Table
 * @typedef {{ rows: number[], by: string }} State Indices of the rows left, and the column they are grouped by or ''.
 * @typedef {{ name: string, column: string, by: string }} Report A tool, the column it reads and the one that rows are
 * grouped by; '' for none.
 * @typedef {Table & { conditions: string[], asked: Report, answer: string }} Data
 */

/** Share of demonstrations of several conditions that forget the last one. */
const haste = 0.7;
/** Share of questions with one condition, where there may be more. */
const short = 0.25;
const valuesOfColumn = 3;
const smallest = 2;
const largest = 30;
/** Questions to try on a table before another is drawn. */
const questionsOfTable = 10;
const fewestRows = 2;

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
const help = 'column value';
const phrases = ['filter group left groups how many which has where and above below ?', noColumn, noRows, help];
const words = [
  ...[...names, ...textColumns, ...numberColumns, ...Object.keys(kinds), ...Object.keys(folds)],
  ...phrases.flatMap((phrase) => phrase.split(' ')),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Table',
  task: 'Answer a question about a table it never sees, by calls that filter, group and add up.',
  watch:
    'The agent copied a teacher that forgets the last condition. Watch it filter once more: turns and success rise.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    filters: { description: 'Each condition of the question that was applied, counted once.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated a filter.', weight: 0 },
  },
  options: [
    {
      name: 'conditions',
      title: 'Conditions',
      description: 'Most conditions in a question.',
      values: [1, 2, 3],
      default: 2,
    },
    { name: 'rows', title: 'Rows', description: 'Rows of a table.', values: [16, 24, 32], default: 24 },
  ],
  alphabet: [...new Set(`0123456789. ${words.join('')}`)].sort().join(''),
  words: [...new Set(words)],
  outOfDistribution: 'Questions with three conditions, where training has two at most.',
  examples: ['total price where city bara and colour deno ?', 'which owner has most stock where age above 12 ?'],
};

const reportTool = (/** @type {string} */ name, /** @type {string} */ what) =>
  tool({
    name,
    description: `Says ${what} of a column in the rows left, or in each group, largest first.`,
    arguments: { column: string('A column of numbers, like price.') },
    execute: ({ column }, { task, state }) => report(task.data, state ?? everything(task.data), name, column.trim()),
  });

export const tools = [
  tool({
    name: 'filter',
    description: 'Keeps the rows that fit, and says how many are left.',
    arguments: { condition: string('A column and its value, like city bara, price above 20 or price below 20.') },
    execute: ({ condition }, { task, state }) => {
      const { rows, by } = state ?? everything(task.data);
      const left = filter(task.data, rows, condition.trim());
      return { text: `left ${left.length}`, state: { rows: left, by } };
    },
  }),
  tool({
    name: 'group',
    description: 'Parts the rows left by a column, for the report that follows.',
    arguments: { column: string('A column, like city.') },
    execute: ({ column }, { task, state }) => {
      const { rows } = state ?? everything(task.data);
      const by = column.trim();
      return { text: `groups ${new Set(cells(task.data, rows, by)).size}`, state: { rows, by } };
    },
  }),
  reportTool('sum', 'the total'),
  reportTool('max', 'the highest number'),
  reportTool('min', 'the lowest number'),
  tool({
    name: 'count',
    description: 'Says how many rows are left, or are in each group, largest first.',
    arguments: {},
    execute: (_, { task, state }) => report(task.data, state ?? everything(task.data), 'count', ''),
  }),
];

/** @param {Table} table @returns {State} */
function everything({ rows }) {
  return { rows: [...rows.keys()], by: '' };
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
  if (value === undefined) throw new ToolError(help);
  const tested = cells(table, rows, column);
  if (value === 'above' || value === 'below') {
    const [limit, sign] = [Number(bound), value === 'above' ? 1 : -1];
    return rows.filter((_, i) => sign * (Number(tested[i]) - limit) > 0);
  }
  const wanted = typeof tested[0] === 'number' ? Number(value) : value;
  return rows.filter((_, i) => tested[i] === wanted);
}

/** What a report says. @param {Table} table @param {State} state @param {string} name @param {string} column */
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

/**
 * A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split @param {{ conditions:
 * number, rows: number }} options
 */
export function tasks(rng, split, { conditions: most, rows }) {
  const number = rng.integer(0, 0xffffffff);
  const drawn = new Random(number);
  const within = most === 1 || drawn.uniform() < short ? 1 : drawn.integer(2, most);
  const count = split === 'out-of-distribution' ? 3 : within;
  return { id: `${count} ${rows} ${number}`, ...draw(drawn, count, rows) };
}

/** Draws tables and questions until one is sound. @param {Random} rng @param {number} count @param {number} rows */
function draw(rng, count, rows) {
  for (;;) {
    const table = drawTable(rng, rows);
    const kind = rng.pick(Object.keys(kinds));
    for (let attempt = 0; attempt < questionsOfTable; attempt++) {
      const { prompt, conditions, asked } = ask(rng, table, kind, count);
      const answer = soundAnswer(table, conditions, asked);
      if (answer !== null)
        return { prompt, data: { ...table, conditions, asked, answer }, tags: [`conditions-${count}`, kind] };
    }
  }
}

/** A table whose rows are all equally likely. @param {Random} rng @param {number} rows @returns {Table} */
function drawTable(rng, rows) {
  const columns = [...rng.shuffle(textColumns).slice(0, 3), ...rng.shuffle(numberColumns).slice(0, 2)];
  const from = rng.integer(0, names.length - 1);
  const fresh = rng.shuffle([...names, ...names].slice(from, from + 3 * valuesOfColumn));
  const choices = columns.map((_, i) => (i < 3 ? valuesOfColumn : largest - smallest + 1));
  const possible = choices.reduce((product, each) => product * each, 1);
  const drawRow = () => {
    let code = rng.integer(0, possible - 1);
    return choices.map((count, i) => {
      const choice = code % count;
      code = (code - choice) / count;
      return i < 3 ? fresh[i * valuesOfColumn + choice] : smallest + choice;
    });
  };
  return { columns, rows: Array.from({ length: rows }, drawRow) };
}

/**
 * A question whose columns are all different. @param {Random} rng @param {Table} table @param {string} kind @param
 * {number} count Conditions.
 */
function ask(rng, { columns, rows }, kind, count) {
  const [part, ...texts] = rng.shuffle(columns.slice(0, 3));
  const [column, bounded] = rng.shuffle(columns.slice(3));
  const fitting = rng.pick(rows);
  const value = (/** @type {string} */ each) => fitting[columns.indexOf(each)];
  const bound = rng.integer(smallest + 6, largest - 6);
  const number = `${bounded} ${Number(value(bounded)) > bound ? 'above' : 'below'} ${bound}`;
  const conditions = rng.shuffle([...texts.map((text) => `${text} ${value(text)}`), number]).slice(0, count);
  const { asking, ...asked } = kinds[kind](column, part);
  return { prompt: `${asking} where ${conditions.join(' and ')} ?`, conditions, asked };
}

/**
 * The answer, if it is the only one and changes when one of the conditions is left out; else null.
 * @param {Table} table @param {string[]} conditions @param {Report} asked
 */
function soundAnswer(table, conditions, { name, column, by }) {
  const listed = (/** @type {string[]} */ given) => {
    const rows = keep(table, given);
    return rows.length < fewestRows ? [] : report(table, { rows, by }, name, column).split(' ');
  };
  const [answer, first, , , second] = listed(conditions);
  if (answer === undefined || (by !== '' && (second === undefined || first === second))) return null;
  const without = conditions.map((left) => conditions.filter((condition) => condition !== left));
  return without.some((others) => listed(others)[0] === answer) ? null : answer;
}

/** The rows that fit all conditions. @param {Table} table @param {string[]} conditions */
function keep(table, conditions) {
  return conditions.reduce((rows, condition) => filter(table, rows, condition), everything(table).rows);
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

/**
 * Seven in ten demonstrations of several conditions forget the last one. So imitation teaches the calls, copying and a
 * bad habit, and reinforcement must find that each condition counts.
 * @param {import('agentlet').Task} task
 */
export function demonstrate({ data }) {
  const { conditions } = data;
  return play(data, conditions.length > 1 && Math.random() < haste ? conditions.slice(0, -1) : conditions);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => play(data, data.conditions),
  'first-condition': ({ data }) => play(data, data.conditions.slice(0, 1)),
  'no-condition': ({ data }) => play(data, []),

  /** A filter that keeps some rows, and any cell as the answer. */
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
function drawScene({ prompt, data }, state, { steps, answer, success }) {
  const { rows: left, by } = state ?? everything(data);
  const last = steps.flatMap(({ toolCalls }) => toolCalls).at(-1);
  const asked = last ? `${last.name} ${Object.values(last.arguments ?? {}).join(' ')} → ${last.result}` : '';
  const lit = steps.length > 0;
  const rows = data.rows.map((/** @type {(string | number)[]} */ row, /** @type {number} */ i) => ({
    cells: row.map(String),
    role: lit && left.includes(i) ? 'agent' : 'muted',
    fill: lit && left.includes(i) ? 'soft' : 'outline',
  }));
  const end = 46 + 13.6 * (rows.length + 1);
  const [role, mark] = success ? ['good', '✓'] : ['danger', '✗'];
  return {
    width: 340,
    height: end + 40,
    words: `${prompt} ${left.length} of ${rows.length} rows are left. ${asked}`,
    shapes: [
      { kind: 'text', x: 6, y: 6, width: 328, lines: 2, size: 12, bold: true, text: prompt },
      {
        kind: 'table',
        x: 6,
        y: 42,
        width: 328,
        size: 8.5,
        columns: data.columns.map((/** @type {string} */ name) => (name === by ? `${name} ▾` : name)),
        rows,
      },
      { kind: 'text', x: 6, y: end + 4, width: 328, size: 12, role: 'agent', text: asked },
      ...(success === null
        ? []
        : [
            {
              kind: 'text',
              x: 6,
              y: end + 21,
              width: 328,
              size: 13,
              bold: true,
              role,
              text: `${answer ?? ''} ${mark}`,
            },
          ]),
    ],
  };
}
export { drawScene as draw };
