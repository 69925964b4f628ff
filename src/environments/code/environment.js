/**
 * Questions about a list of numbers that are answered by a program, ReTool in small: the agent writes a few words of
 * JavaScript, a small interpreter runs them, and the result is the answer. The agent is not shown the list.
 *
 * In each task the list and its methods have names of their own. So the first program mostly fails, and the error says
 * only that a name is unknown: `list is not defined`. A second tool lists the names of the task. What must be found is
 * to ask for them, to tell by its meaning which name is which, and to run a program that has the right ones. A loop
 * names no method, so it fails less often; but a list has too many names to try them all.
 */
import { Random, string, tool } from 'agentlet';

/**
 * @typedef {Map<string, any>} Names Variables and their values: numbers, truth values and lists.
 * @typedef {(names: Names) => any} Code What was parsed, ready to run.
 * @typedef {Record<string, string>} Spelling How the things of `spellings` are called in a task.
 * @typedef {{ list: number[], spelling: Spelling, kind: string, test: string }} Data `test` is the condition as the
 * program writes it, of `x`.
 */

/** Shares of demonstrations that guess after an error, and of those that loop where a loop is short. */
const haste = 0.65;
const loopShare = 0.3;
/** Reads of variables in a program, so that nested loops end. */
const mostReads = 500;
const mostNumbers = 7;
const largest = 15;
/** Larger answers would be rare words, which are copied badly. */
const largestAnswer = 49;

/** What programs name, and how it may be called; first the usual name, which demonstrations try first. */
const spellings = {
  list: 'list data items values nums series array numbers entries vector scores points stock figures'.split(' '),
  filter: ['filter', 'keep', 'where', 'select', 'only', 'pick'],
  sum: ['sum', 'total', 'add', 'plus', 'all'],
  max: ['max', 'top', 'peak', 'high', 'best'],
  min: ['min', 'least', 'low', 'floor', 'bottom'],
};
const usualNames = Object.fromEntries(Object.keys(spellings).map((usual) => [usual, usual]));
/** @type {Record<string, (list: any[], test: (value: any) => any) => any>} */
const methods = {
  filter: (list, test) => list.filter(test),
  sum: (list) => list.reduce((sum, value) => sum + value, 0),
  max: (list) => Math.max(...list),
  min: (list) => Math.min(...list),
};
/**
 * Kinds of question: the last method of a chain, null for `length`; what a loop adds up, if one is short; and a likely
 * answer. @type {Record<string, { last: string | null, added: string | null, likely: number }>}
 */
const kinds = {
  sum: { last: 'sum', added: 'x', likely: 26 },
  count: { last: null, added: '1', likely: 3 },
  largest: { last: 'max', added: null, likely: 15 },
  smallest: { last: 'min', added: null, likely: 1 },
};
/** Conditions: how the question writes them, and the program. @type {Record<string, (bound: number) => string[]>} */
const conditions = {
  even: () => ['even', 'x % 2 == 0'],
  odd: () => ['odd', 'x % 2 == 1'],
  above: (bound) => [`above ${bound}`, `x > ${bound}`],
  below: (bound) => [`below ${bound}`, `x < ${bound}`],
};
/** Pairs of kind and condition that are kept out of training. */
const unseen = ['sum odd', 'count below', 'largest even', 'smallest above'];

const syntax = 'let for of if ( ) { } => = += == != < > <= >= && || + - * / % . ; x s';
const failed = 'error:';
const phrases =
  'is not defined a function list expected unexpected end too many steps true false undefined NaN Infinity';
const words = [
  ...[...Object.values(spellings).flat(), ...Object.keys(kinds), ...Object.keys(conditions), 'in', 'length'],
  ...[syntax, phrases, failed].flatMap((text) => text.split(' ')),
  ...Array.from({ length: largestAnswer + 1 }, (_, i) => String(i)),
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Code',
  task: 'Answer a question about a list that it does not see, by a small program, and repair that when it fails.',
  watch:
    'The agent copied a programmer who guesses after an error. ' +
    'Watch it look up the names, repair its program and run it.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    errors: { description: 'Each program that failed.', weight: 0 },
    repairs: { description: 'Each program that ran after one that failed.', weight: 0 },
  },
  options: [
    {
      name: 'renamed',
      title: 'Renamed',
      description: 'How often a name is not the usual one, in percent.',
      values: [40, 70, 100],
      default: 70,
    },
  ],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words: [...new Set(words)],
  outOfDistribution: 'Pairs of question and condition that training never has, like the sum of odd numbers.',
  examples: ['sum even', 'largest below 9'],
};

export const tools = [
  tool({
    name: 'run',
    description: 'Runs a small program and says the value of its last statement, or what is wrong.',
    arguments: { code: { ...string('Words of JavaScript: let, if, for, numbers and a list.'), maxLength: 300 } },
    execute: ({ code }, { task }) => run(code, task.data),
  }),
  tool({
    name: 'names',
    description: 'Lists what the list and its methods are called.',
    arguments: {},
    execute: (_, { task }) => Object.values(task.data.spelling).sort().join(' '),
  }),
];

export { transcript as draw } from 'agentlet';

const show = (/** @type {any} */ value) => (Array.isArray(value) ? value.join(' ') : String(value));

/** What the agent reads of a program. @param {string} code @param {Pick<Data, 'list' | 'spelling'>} task */
function run(code, { list, spelling }) {
  try {
    return show(new Parser(code, spelling).block(undefined)(new Map([[spelling.list, list]])));
  } catch (error) {
    return `${failed} ${Object(error).message}`;
  }
}

/**
 * A task is a function of one number. @param {Random} rng @param {import('agentlet').Split} split @param {{ renamed:
 * number }} options
 */
export function tasks(rng, split, { renamed }) {
  const number = rng.integer(0, 0xffffffff);
  return { id: `${renamed} ${number}`, ...draw(new Random(number), split === 'out-of-distribution', renamed / 100) };
}

/** Draws questions until one is sound. @param {Random} rng @param {boolean} isUnseen @param {number} renamed */
function draw(rng, isUnseen, renamed) {
  const spelling = { ...usualNames };
  for (const [usual, [, ...others]] of Object.entries(spellings))
    if (rng.uniform() < renamed) spelling[usual] = rng.pick(others);
  for (;;) {
    const [kind, condition] = [rng.pick(Object.keys(kinds)), rng.pick(Object.keys(conditions))];
    const list = rng.shuffle(Array.from({ length: largest }, (_, i) => i + 1)).slice(0, rng.integer(5, mostNumbers));
    const [asked, test] = conditions[condition](rng.pick(list));
    if (!isSound({ list, spelling, kind, test }) || unseen.includes(`${kind} ${condition}`) !== isUnseen) continue;
    return { prompt: `${kind} ${asked}`, data: { list, spelling, kind, test }, tags: [kind, condition] };
  }
}

/** Does the condition change the answer, and do several numbers fit it? @param {Data} data */
function isSound(data) {
  const [right, hasty] = [data, { ...data, test: '1' }].map(rightAnswer);
  return Number(rightAnswer({ ...data, kind: 'count' })) > 1 && right !== hasty && Number(right) <= largestAnswer;
}

const rightAnswer = (/** @type {Data} */ data) => run(chain(data, data.spelling), data);

/** What a message asks, or else its task. @param {import('agentlet').Task} task @returns {Data} */
function questionOf({ prompt, data }) {
  const [, kind, condition, bound] = /^(\w+) (\w+)(?: (\d+))?$/.exec(prompt.trim()) ?? [];
  if (!Object.hasOwn(kinds, kind) || !Object.hasOwn(conditions, condition)) return data;
  return { ...data, kind, test: conditions[condition](Number(bound ?? 0))[1] };
}

/** The program that calls methods. @param {Pick<Data, 'kind' | 'test'>} task @param {Spelling} names */
function chain({ kind, test }, names) {
  const { last } = kinds[kind];
  return `${names.list} . ${names.filter} ( x => ${test} ) . ${last === null ? 'length' : `${names[last]} ( )`}`;
}

/** The program that loops. @param {Pick<Data, 'kind' | 'test'>} task @param {Spelling} names */
function loop({ kind, test }, names) {
  return `let s = 0 ; for ( let x of ${names.list} ) if ( ${test} ) s += ${kinds[kind].added} ; s`;
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const runs = steps.flatMap((step) => step.toolCalls).filter(({ name }) => name === 'run');
  const failures = runs.map(({ result }) => result.startsWith(failed));
  const success = answer?.trim() === rightAnswer(questionOf(task));
  return {
    success,
    correct: success ? 1 : 0,
    errors: failures.filter(Boolean).length,
    repairs: failures.filter((each, i) => !each && failures[i - 1]).length,
  };
}

/**
 * Two in three demonstrations guess after an error. So imitation teaches programs, repairs and a bad habit, and
 * reinforcement must find that looking up the names pays. @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  const loops = kinds[questionOf(task).kind].added !== null && Math.random() < loopShare;
  return play(task, loops ? loop : chain, haste);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task, chain, 0),
  'guess-after-error': (task) => play(task, chain, 1),
  /** Runs the program that fails least often; after an error it gives the likely answer to such a question. */
  reflex: (task) => play(task, kinds[questionOf(task).kind].added ? loop : chain, 1, ({ kind }) => kinds[kind].likely),
  random: ({ data }) => [{ answer: String(guess(data)) }],
};

const guess = (/** @type {Data} */ _) => 1 + Math.floor(Math.random() * largest);

/**
 * Writes a program with the usual names, and after an error guesses, or looks up the names and writes it with these.
 * @param {import('agentlet').Task} task @param {typeof chain} write @param {number} guesses Chance of a guess. @param
 * {typeof guess} say What is guessed. @returns {import('agentlet').Turn[]}
 */
function play(task, write, guesses, say = guess) {
  const data = questionOf(task);
  const [usual, right] = [usualNames, data.spelling].map((names) => write(data, names));
  const runs = (/** @type {string} */ code) => ({ calls: [{ name: 'run', arguments: { code } }] });
  const result = run(usual, data);
  if (!result.startsWith(failed)) return [runs(usual), { answer: result }];
  if (Math.random() < guesses) return [runs(usual), { answer: String(say(data)) }];
  return [runs(usual), { calls: [{ name: 'names', arguments: {} }] }, runs(right), { answer: rightAnswer(data) }];
}

/** Operators between two values, those that bind weakest first. @type {Record<string, (a: any, b: any) => any>[]} */
const operators = [
  { '||': (a, b) => a || b },
  { '&&': (a, b) => a && b },
  { '==': (a, b) => a === b, '!=': (a, b) => a !== b },
  { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b },
  { '+': add, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b },
];
/** Numbers only: a text could grow without end. @param {any} a @param {any} b */
function add(a, b) {
  return Number(a) + Number(b);
}

/** @param {any} value @returns {any[]} */
function demandList(value) {
  if (!Array.isArray(value)) throw new Error(`${show(value)} is not a list`);
  return value;
}

/** Recursive descent: each method reads a part of the program and returns what runs it. */
class Parser {
  /** @param {string} code @param {Spelling} spelling */
  constructor(code, spelling) {
    this.words = code.match(/[a-z]+|[0-9]+|=>|[+=!<>]=|&&|\|\||\S/gi) ?? [];
    this.spelling = spelling;
    this.at = 0;
    this.steps = 0;
  }

  /** @param {string} word */
  take(word) {
    if (this.words[this.at] !== word) return false;
    this.at++;
    return true;
  }

  /** @param {string} word */
  expect(word) {
    if (!this.take(word)) throw new Error(`expected ${word}`);
  }

  /** @returns {any} */
  unexpected() {
    throw new Error(`unexpected ${this.words[this.at] ?? 'end'}`);
  }

  name() {
    return /^[a-z]+$/i.test(this.words[this.at] ?? '') ? this.words[this.at++] : this.unexpected();
  }

  /** Statements up to a word, or to the end. Their value is that of the last. @param {string | undefined} last */
  block(last) {
    /** @type {Code[]} */
    const statements = [];
    while (this.words[this.at] !== last)
      statements.push(this.at < this.words.length ? this.statement() : this.unexpected());
    this.at++;
    return (/** @type {Names} */ names) => statements.reduce((_, statement) => statement(names), undefined);
  }

  /** @returns {Code} */
  statement() {
    if (this.take('{')) return this.block('}');
    if (this.take('for')) return this.loop();
    if (this.take('if')) {
      const [test, then] = [this.bracketed(), this.statement()];
      return (names) => (test(names) ? then(names) : undefined);
    }
    const code = this.assignment() ?? this.expression();
    if (this.at < this.words.length && this.words[this.at] !== '}') this.expect(';');
    return code;
  }

  /** @returns {Code} */
  loop() {
    this.expect('(');
    this.expect('let');
    const name = this.name();
    this.expect('of');
    const list = this.expression();
    this.expect(')');
    const body = this.statement();
    return (names) => {
      for (const value of demandList(list(names))) body(names.set(name, value));
    };
  }

  /** @returns {Code | null} */
  assignment() {
    const isNew = this.take('let');
    const operator = this.words[this.at + 1];
    if (!isNew && operator !== '=' && operator !== '+=') return null;
    const name = this.name();
    this.expect(isNew ? '=' : operator);
    const value = this.expression();
    return (names) => {
      const before = isNew ? 0 : this.read(names, name);
      const after = operator === '=' ? value(names) : add(before, value(names));
      names.set(name, after);
      return after;
    };
  }

  bracketed() {
    this.expect('(');
    const code = this.expression();
    this.expect(')');
    return code;
  }

  /** Operators that bind at least this strongly. @returns {Code} */
  expression(strength = 0) {
    if (strength === operators.length) return this.chain();
    let code = this.expression(strength + 1);
    while (Object.hasOwn(operators[strength], this.words[this.at])) {
      const operate = operators[strength][this.words[this.at++]];
      const [left, right] = [code, this.expression(strength + 1)];
      code = (names) => operate(left(names), right(names));
    }
    return code;
  }

  /** A value and the methods called on it. @returns {Code} */
  chain() {
    let code = this.value();
    while (this.take('.')) {
      const [of, name] = [code, this.name()];
      const given = name === 'length' ? () => undefined : this.given();
      code = (names) => this.call(of(names), name, given(names));
    }
    return code;
  }

  /** What a method is given: nothing, an expression, or a function of one parameter. @returns {Code} */
  given() {
    this.expect('(');
    if (this.take(')')) return () => undefined;
    const parameter = this.words[this.at + 1] === '=>' ? this.name() : null;
    if (parameter !== null) this.expect('=>');
    const body = this.expression();
    this.expect(')');
    if (parameter === null) return body;
    return (names) => (/** @type {any} */ value) => body(new Map(names).set(parameter, value));
  }

  /** @returns {Code} */
  value() {
    if (this.words[this.at] === '(') return this.bracketed();
    if (/^[0-9]+$/.test(this.words[this.at] ?? '')) {
      const number = Number(this.words[this.at++]);
      return () => number;
    }
    const name = this.name();
    return (names) => this.read(names, name);
  }

  /** @param {Names} names @param {string} name */
  read(names, name) {
    if (++this.steps > mostReads) throw new Error('too many steps');
    if (!names.has(name)) throw new Error(`${name} is not defined`);
    return names.get(name);
  }

  /** @param {any} list @param {string} name @param {any} given */
  call(list, name, given) {
    if (name === 'length') return demandList(list).length;
    const usual = Object.keys(methods).find((each) => this.spelling[each] === name);
    if (usual === undefined || !Array.isArray(list)) throw new Error(`${name} is not a function`);
    if (usual === 'filter' && typeof given !== 'function') throw new Error(`${show(given)} is not a function`);
    return methods[usual](list, given);
  }
}
