/**
 * Questions about a table that the agent never sees: `filter` keeps rows, and `sum`, `max`, `min` and `count` report on
 * the rows left. Every task makes up a table, and puts its names together of letters and syllables. So no name can be
 * known beforehand, and the agent learns to copy: each word of a call comes from the question. Most demonstrations
 * forget the last condition. In a table some rows fit all, and for each condition some fit all but that one and change
 * the answer: so no guess corrects it.
 *
 * So the agent can be asked about a table of your own. In the chat its rows follow the question, as JSON lines, which
 * the agent is not shown.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {{ columns: string[], rows: (string | number)[][] }} Table
 * @typedef {{ name: string, column: string, conditions: string[] }} Question The report asked for, and its column.
 */

/** Share of demonstrations of several conditions that forget the last one. */
const haste = 0.7;
const most = 4;
/** Of a table that is made up; `fit`: least and most rows that fit; `alone`: share of others that fail one only. */
const size = { rows: 12, texts: 4, numbers: 3, values: 3, fit: [2, 4], alone: 0.75 };
/** Shares of names of two words, and of syllables of any letters; most characters of a name. */
const [double, jumbled, longest] = [0.2, 0.4, 11];
/** Of a table of your own: most characters, and the rows and columns that are drawn. */
const own = { characters: 8_000, rows: 16, columns: 7 };

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
/** Syllables of names in training begin, go on and end with these; names out of distribution are words. */
const parts = [
  [...letters, 'b', 'c', 'd', 'f', 'l', 'm', 'n', 'p', 'r', 's', 't', 'st', 'tr', 'pr', 'ch', 'sh', 'gr', ''],
  ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'y', 'io'],
  [...letters, '', '', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'd', 'ck', 'st', 'ng', 'nt'],
];
/** Tables that are never trained on: columns with their values; after the bar, columns of numbers. */
const real = [
  'country france japan kenya sri-lanka norway, sport rowing judo tennis fencing golf, medal gold silver bronze, ' +
    'coach meyer okafor silva tanaka | goals-for weight year',
  'make fiat volvo toyota skoda alfa-romeo, fuel petrol diesel electric hybrid, colour white grey yellow purple, ' +
    'dealer hudson mercer quinn | price mileage doors',
  'genre jazz opera blues reggae, label verve decca blue-note epic, format vinyl cassette stream, ' +
    'artist nina miles aretha bowie prince | sales length tracks',
  'species otter falcon lizard badger zebra, habitat desert forest river tundra, diet plants insects fish, ' +
    'keeper olive hugo fatima jakub | age top-speed cost',
];
const realWords = new Set(real.join(' ').split(/[ ,|]+/));
/** Least and most of columns of numbers, and by what both are divided. */
const ranges = ['2 30 1', '10 99 1', '100 900 1', '1950 2030 1', '10 99 10', '100 9999 10', '1000 99999 100'];

/** How questions begin, and the tool that reports. @type {Record<string, string>} */
const reports = { total: 'sum', highest: 'max', lowest: 'min' };
const howMany = 'how many rows';

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Your table',
  task: 'Answer a question about a table it never saw, whose columns and names it has never met.',
  watch: 'The agent copied a teacher that forgets the last condition. Watch it, then ask about a table of your own.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    filters: { description: 'Each condition of the question that was applied, counted once.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated a filter.', weight: 0 },
  },
  options: [],
  rowsInChat: true,
  alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 .-?',
  words: 'total highest lowest how many rows where and above below left filter sum max min count . ?'.split(' '),
  outOfDistribution: 'Tables whose columns and names are English words, where training makes them up.',
  examples: ['total price where fuel diesel and doors above 12 ?', 'how many rows where genre jazz and label verve ?'],
};

const reportTool = (/** @type {string} */ name, /** @type {string} */ what) =>
  tool({
    name,
    description: `Says ${what} of a column in the rows left.`,
    arguments: { column: string('A column of numbers, like price.') },
    execute: ({ column }, { task, state }) => report(read(task).table, state.rows, name, column.trim()),
  });

export const tools = [
  tool({
    name: 'filter',
    description: 'Keeps the rows that fit, and says how many are left.',
    arguments: { condition: string('A column and its value, like city york, price above 20 or price below 20.') },
    execute: ({ condition }, { task, state }) => {
      const rows = filter(read(task).table, state.rows, condition.trim());
      return { text: `left ${rows.length}`, state: { ...state, rows } };
    },
  }),
  reportTool('sum', 'the total'),
  reportTool('max', 'the highest number'),
  reportTool('min', 'the lowest number'),
  tool({
    name: 'count',
    description: 'Says how many rows are left.',
    arguments: {},
    execute: (_, { state }) => String(state.rows.length),
  }),
];

/** @param {import('agentlet').Task} task The state is the question, and indices of the rows left. */
export function start(task) {
  const { table, question } = read(task);
  return { state: { prompt: question, rows: [...table.rows.keys()] } };
}

/**
 * The conversation, without the rows of a table of one's own.
 * @param {import('agentlet').Message[]} messages @param {{ prompt: string }} state
 */
export function context([question, ...rest], { prompt }) {
  return [{ ...question, content: prompt }, ...rest];
}

/** A column of some rows. @param {Table} table @param {number[]} rows @param {string} column */
function cells(table, rows, column) {
  const at = table.columns.indexOf(column);
  if (at < 0) throw new ToolError('no such column');
  return rows.map((row) => table.rows[row][at]);
}

/** Those of the rows that fit. @param {Table} table @param {number[]} rows @param {string} condition */
function filter(table, rows, condition) {
  const [column, value, bound] = condition.split(' ');
  if (value === undefined) throw new ToolError('column value');
  const tested = cells(table, rows, column);
  if (bound !== undefined) {
    const sign = { above: 1, below: -1 }[value];
    if (sign === undefined) throw new ToolError('column value');
    return rows.filter((_, i) => tested[i] !== '' && sign * (Number(tested[i]) - Number(bound)) > 0);
  }
  return rows.filter((_, i) => String(tested[i]) === value);
}

/** What a report says. @param {Table} table @param {number[]} rows @param {string} name @param {string} column */
function report(table, rows, name, column) {
  if (name === 'count') return String(rows.length);
  const values = cells(table, rows, column).filter((value) => value !== '');
  if (values.some((value) => typeof value === 'string')) throw new ToolError('no such column');
  if (values.length === 0) throw new ToolError('no rows');
  const numbers = values.map(Number);
  const found =
    name === 'sum' ? numbers.reduce((sum, each) => sum + each) : Math[/** @type {'max' | 'min'} */ (name)](...numbers);
  return String(Math.round(100 * found) / 100);
}

/** @param {Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  // A task is a function of one number.
  const number = rng.integer(0, 0xffffffff);
  const drawn = new Random(number);
  const isFar = split === 'out-of-distribution';
  const count = drawn.integer(1, most);
  const kind = drawn.pick([...Object.keys(reports), howMany]);
  const made = makeUp(drawn, kind, count, isFar ? wordsOf(drawn) : namesOf(drawn));
  return { ...made, id: `${isFar ? 'far' : 'near'} ${number}`, tags: [`conditions-${count}`] };
}

/**
 * A table that is made up of these columns, and a question about it. @param {Random} rng @param {string} kind
 * @param {number} count Conditions. @param {ReturnType<typeof namesOf>} columns
 */
function makeUp(rng, kind, count, { texts, numbers }) {
  const tests = rng.shuffle([
    ...texts.map(({ name, values }) => {
      const value = rng.pick(values);
      const others = values.filter((each) => each !== value);
      return { name, text: `${name} ${value}`, fits: () => value, fails: () => rng.pick(others) };
    }),
    ...numbers.slice(1).map(({ name, low, high, unit }) => {
      const bound = rng.integer(low + 6, high - 6);
      const [below, above] = [() => rng.integer(low, bound - 1) / unit, () => rng.integer(bound + 1, high) / unit];
      return rng.uniform() < 0.5
        ? { name, text: `${name} above ${bound / unit}`, fits: above, fails: below }
        : { name, text: `${name} below ${bound / unit}`, fits: below, fails: above };
    }),
  ]);
  const asked = tests.slice(0, count);
  const { name: column, low, high, unit } = numbers[0];
  const middle = rng.integer(low + 9, high - 9);
  const fit = rng.integer(size.fit[0], size.fit[1]);
  const columns = rng.shuffle([...texts, ...numbers].map(({ name }) => name));
  const rows = Array.from({ length: size.rows }, (_, row) => {
    const near = row - fit;
    /** @type {Record<string, string | number>} */
    const cells = {};
    for (const each of tests) cells[each.name] = rng.uniform() < 0.5 ? each.fits() : each.fails();
    // Rows after those that fit fail a condition, each of them once and any of them again, and some rows fail another.
    const first = near < count ? near : rng.integer(0, count - 1);
    const second = near < count || rng.uniform() < size.alone ? first : rng.integer(0, count - 1);
    asked.forEach((each, i) => (cells[each.name] = i === first || i === second ? each.fails() : each.fits()));
    const isNear = near >= 0 && first === second;
    const isHigh = kind === 'highest' ? isNear : kind === 'lowest' ? row < fit : rng.uniform() < 0.5;
    cells[column] = (isHigh ? rng.integer(middle + 1, high) : rng.integer(low, middle - 1)) / unit;
    return columns.map((name) => cells[name]);
  });
  const question = kind === howMany ? kind : `${kind} ${column}`;
  const prompt = `${question} where ${asked.map(({ text }) => text).join(' and ')} ?`;
  return { prompt, data: { columns, rows: rng.shuffle(rows) } };
}

/** Columns and values whose names are put together. @param {Random} rng */
function namesOf(rng) {
  const taken = new Set();
  const word = (/** @type {number} */ characters) => {
    let made = '';
    for (let left = rng.integer(1, 3); left > 0; left--)
      for (const part of rng.uniform() < jumbled ? [letters, letters, letters] : parts) made += rng.pick(part);
    return made.slice(0, characters);
  };
  /** @returns {string} */
  const fresh = () => {
    const first = rng.uniform() < double ? `${word(7)}-` : '';
    const name = first + word(longest - first.length);
    if (name.length < 3 || realWords.has(name) || taken.has(name)) return fresh();
    taken.add(name);
    return name;
  };
  const list = (/** @type {number} */ length) => Array.from({ length }, fresh);
  return {
    texts: list(size.texts).map((name) => ({ name, values: list(size.values) })),
    numbers: list(size.numbers).map((name) => numbersOf(rng, name)),
  };
}

/** Columns and values that are words. @param {Random} rng */
function wordsOf(rng) {
  const [texts, numbers] = rng.pick(real).split(' | ');
  const all = texts.split(', ').map((column) => column.split(' '));
  return {
    texts: all.map(([name, ...values]) => ({ name, values: rng.shuffle(values).slice(0, size.values) })),
    numbers: rng.shuffle(numbers.split(' ')).map((name) => numbersOf(rng, name)),
  };
}

/** A column of numbers. @param {Random} rng @param {string} name */
function numbersOf(rng, name) {
  const [low, high, unit] = rng.pick(ranges).split(' ').map(Number);
  return { name, low, high, unit };
}

/** One request reads its task more than once. */
let latest = { prompt: '', table: /** @type {Table} */ ({ columns: [], rows: [] }), question: '' };

/** The table that is asked about, and the question in its words. @param {import('agentlet').Task} task */
function read({ prompt, data }) {
  if (prompt === latest.prompt) return latest;
  const [typed, ...lines] = prompt.split('\n');
  const { columns, rows } = lines.length > 0 ? tableOf(prompt, lines) : data;
  /** @type {Map<string | number, string>} Names as the agent reads them: cut to what it can copy, and no two alike. */
  const short = new Map();
  const taken = new Set();
  for (const name of [...columns, ...rows.flat()]) {
    if (typeof name !== 'string' || short.has(name)) continue;
    let cut = name.slice(0, longest);
    for (let i = short.size; taken.has(cut); i++) cut = `${name.slice(0, 7)}-${i}`;
    short.set(name, cut);
    taken.add(cut);
  }
  const words = typed.split(/[\s,?]+/).map((word) => (isNaN(+word) ? plain(word).replaceAll('-', ' ') : word));
  let question = ` ${words.join(' ').trim()} `;
  for (const [name, cut] of [...short].sort(([a], [b]) => String(b).length - String(a).length))
    question = question.replaceAll(` ${String(name).replaceAll('-', ' ')} `, ` ${cut} `);
  const named = (/** @type {any[]} */ list) => list.map((each) => short.get(each) ?? each);
  latest = { prompt, table: { columns: named(columns), rows: rows.map(named) }, question: `${question.trim()} ?` };
  return latest;
}

/** A table of one's own, with names as questions have them. @param {string} text @param {string[]} lines of JSON */
function tableOf(text, lines) {
  if (text.length > own.characters)
    throw new Error(`the table has ${text.length} characters, and ${own.characters} is the most`);
  const rows = lines.map((line) => JSON.parse(line));
  const names = Object.keys(rows[0]);
  const isNumber = names.map((name) => rows.every((row) => row[name] === '' || Number.isFinite(row[name])));
  return {
    columns: names.map(plain),
    rows: rows.map((row) => names.map((name, i) => (isNumber[i] ? row[name] : plain(String(row[name]))))),
  };
}

/** `New York` is new-york. @param {string} text */
function plain(text) {
  const joined = text.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return joined.replace(/^[-.]+|[-.]+$/g, '') || '-';
}

/** Null if the message is no question. @param {import('agentlet').Task} task @returns {Question | null} */
function questionOf(task) {
  const [, kind, column = '', rest] =
    /^(total|highest|lowest|how many) (\S+)(?: where (.+))? \?$/.exec(read(task).question) ?? [];
  if (kind === undefined) return null;
  return { name: reports[kind] ?? 'count', column, conditions: rest === undefined ? [] : rest.split(' and ') };
}

/** The rows that fit all conditions. @param {Table} table @param {string[]} conditions */
function keep(table, conditions) {
  return conditions.reduce((rows, condition) => filter(table, rows, condition), [...table.rows.keys()]);
}

/** Null if the question has no answer. @param {import('agentlet').Task} task */
function answerOf(task) {
  const [{ table }, question] = [read(task), questionOf(task)];
  try {
    return question && report(table, keep(table, question.conditions), question.name, question.column);
  } catch {
    return null;
  }
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
  const filters = questionOf(task)?.conditions.filter((each) => seen.has(each)).length ?? 0;
  const right = answerOf(task);
  const success = right !== null && answer?.trim() === right;
  return { success, correct: success ? 1 : 0, filters, wasted };
}

/** Most forget the last of several conditions, as reinforcement must find out. @param {import('agentlet').Task} task */
export function demonstrate(task) {
  const isHasty = Math.random() < haste;
  return play(task, (conditions) => (isHasty && conditions.length > 1 ? conditions.slice(0, -1) : conditions));
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task, (conditions) => conditions),
  /** Never applies the last of several conditions, and takes the next number, or two rows less. */
  reflex: (task) => {
    const { name = '', column = '', conditions = [] } = questionOf(task) ?? {};
    const some = conditions.length > 1 ? conditions.slice(0, -1) : conditions;
    const turns = play(task, () => some);
    const [calls, { answer }] = [turns.slice(0, -1), /** @type {{ answer: string }} */ (turns[turns.length - 1])];
    if (conditions.length < 2 || name === 'sum') return turns;
    if (name === 'count') return [...calls, { answer: String(Number(answer) - 2) }];
    const beyond = `${column} ${name === 'max' ? 'below' : 'above'} ${answer}`;
    return [...calls, ...play(task, () => [...some, beyond]).slice(some.length)];
  },
  random: (task) => {
    const { columns, rows } = read(task).table;
    const [row, other, column] = [rows, rows, columns].map(({ length }) => Math.floor(Math.random() * length));
    const condition = `${columns[column]} ${rows[row][column]}`;
    return [{ calls: [{ name: 'filter', arguments: { condition } }] }, { answer: String(rows[other][column]) }];
  },
};

/**
 * Applies some of the conditions, asks for the report and answers with it. @param {import('agentlet').Task} task @param
 * {(conditions: string[]) => string[]} choose @returns {import('agentlet').Turn[]}
 */
function play(task, choose) {
  const [{ table }, question] = [read(task), questionOf(task)];
  if (question === null) return [{ answer: '-' }];
  const { name, column } = question;
  const conditions = choose(question.conditions);
  const calls = [
    ...conditions.map((condition) => ({ name: 'filter', arguments: { condition } })),
    { name, arguments: name === 'count' ? {} : { column } },
  ];
  const answer = report(table, keep(table, conditions), name, column);
  return [...calls.map((call) => ({ calls: [call] })), { answer }];
}

/**
 * The table that the agent never sees, or as much of it as there is room for: the rows left come first, and are lit.
 * @type {import('agentlet').Draw}
 */
export function draw(task, state, { steps, answer, success }) {
  const { columns, rows } = read(task).table;
  const { prompt, rows: left } = state ?? start(task).state;
  const isLit = (/** @type {number} */ row) => steps.length > 0 && left.includes(row);
  const order = [...rows.keys()].sort((a, b) => Number(isLit(b)) - Number(isLit(a))).slice(0, own.rows);
  const lines = order.map((row) => ({
    cells: rows[row].slice(0, own.columns).map(String),
    role: isLit(row) ? 'agent' : 'muted',
    fill: isLit(row) ? 'soft' : 'outline',
  }));
  const last = steps.flatMap(({ toolCalls }) => toolCalls).at(-1);
  const asked = last ? `${last.name} ${Object.values(last.arguments ?? {}).join(' ')} → ${last.result}` : '';
  const end = 46 + 13.6 * (lines.length + 1);
  const [role, mark] = success === null ? ['ink', ''] : success ? ['good', ' ✓'] : ['danger', ' ✗'];
  return {
    width: 340,
    height: end + 40,
    words: `${prompt} ${left.length} of ${rows.length} rows are left. ${asked}`.slice(0, 500),
    shapes: [
      { kind: 'text', x: 6, y: 6, width: 328, lines: 2, size: 12, bold: true, text: prompt },
      { kind: 'table', x: 6, y: 42, width: 328, size: 8.5, columns: columns.slice(0, own.columns), rows: lines },
      { kind: 'text', x: 6, y: end + 4, width: 328, size: 12, role: 'agent', text: asked },
      { kind: 'text', x: 6, y: end + 21, width: 328, size: 13, bold: true, role, text: `${answer ?? ''}${mark}` },
    ],
  };
}
