/**
 * Nested arithmetic with a calculator that does one operation a call: the agent must take an expression apart, call the
 * tool on the innermost part, carry the result over, and answer.
 */
import { string, tool, ToolError } from 'agentlet';

/**
 * @typedef {object} Operation
 * @property {string} sign
 * @property {Tree} left
 * @property {Tree} right
 *
 * @typedef {number | Operation} Tree
 */

/** Share of demonstrations that stop one call early. */
const haste = 0.6;
const help = 'one operation at a time, like 37*4';
const tooLarge = 'too large';

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Calculator',
  task: 'Work out an expression with a calculator that does one operation per call.',
  watch:
    'The agent copied a hasty teacher, so it answers too early. Watch it call once more: turns rise, then success.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    calls: { description: 'Each call that evaluates a part of the task for the first time.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated an earlier one.', weight: 0 },
  },
  options: [
    {
      name: 'operations',
      title: 'Operations',
      description: 'Operations in one expression: one call each.',
      values: [1, 2, 3],
      default: 2,
    },
    {
      name: 'max',
      title: 'Largest number',
      description: 'Numbers run from 2 to this.',
      values: [9, 20, 99],
      default: 99,
    },
  ],
  alphabet: [...new Set('0123456789+-*()' + help + tooLarge)].sort().join(''),
  examples: ['(37*4)-16', '58-(3+9)', '(12+7)*8'],
  outOfDistribution: 'Numbers larger than any of training, up to twice as large.',
};

export const tools = [
  tool({
    name: 'calc',
    description: 'Does one operation on two integers.',
    arguments: { expression: string('Two integers and one of + - *, like 37*4') },
    execute: ({ expression }) => {
      const call = parseCall(expression);
      if (call === null) throw new ToolError(help);
      const value = apply(call.sign, call.left, call.right);
      if (!Number.isSafeInteger(value)) throw new ToolError(tooLarge);
      return String(value);
    },
  }),
];

/**
 * @param {import('agentlet').Random} rng @param {string} split @param {{ operations: number, max: number }} options
 */
export function tasks(rng, split, { operations, max }) {
  const [least, most] = split === 'out-of-distribution' ? [max + 1, 2 * max] : [2, max];
  const tree = grow(rng, operations, () => rng.integer(least, most));
  return { prompt: write(tree), data: { tree } };
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, answer, steps }) {
  const parts = evaluate(task.data.tree);
  const useful = new Set(parts.calls);
  const seen = new Set();
  let calls = 0;
  let wasted = 0;
  for (const { error, arguments: args } of steps.flatMap((step) => step.toolCalls)) {
    const call = error === undefined ? parseCall(args.expression) : null;
    const text = call === null ? '' : `${call.left}${call.sign}${call.right}`;
    if (call === null || seen.has(text)) wasted++;
    else if (useful.has(text)) calls++;
    seen.add(text);
  }
  const success = answer?.replace(/^ +| +$/g, '') === String(parts.value);
  return { success, correct: Number(success), calls, wasted };
}

/**
 * Three in five demonstrations are hasty on purpose: they stop one call early and answer with what they have. So
 * imitation teaches calls, copying and a bad habit, and reinforcement must find that the last call pays.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  return play(task, Math.random() < haste ? 1 : 0);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task, 0),
  /** One call too few. */
  reflex: (task) => play(task, 1),

  /** One call on two numbers of the prompt, and its result. */
  random: ({ prompt }) => {
    const pick = (/** @type {readonly string[]} */ list) => list[Math.floor(Math.random() * list.length)];
    const numbers = prompt.split(/[^0-9]+/).filter(Boolean);
    const [left, sign, right] = [pick(numbers), pick(['+', '-', '*']), pick(numbers)];
    const calls = [{ name: 'calc', arguments: { expression: left + sign + right } }];
    return [{ calls }, { answer: String(apply(sign, Number(left), Number(right))) }];
  },
};

/**
 * Makes the calls of a task in order, without the last `left`, and answers with the last result.
 * @param {import('agentlet').Task} task @param {number} left @returns {import('agentlet').Turn[]}
 */
function play(task, left) {
  const { calls, results, first } = evaluate(task.data.tree);
  const made = calls.length - left;
  const answer = made === 0 ? first : results[made - 1];
  return [
    ...calls.slice(0, made).map((expression) => ({ calls: [{ name: 'calc', arguments: { expression } }] })),
    { answer: String(answer) },
  ];
}

/**
 * A random tree: every shape that the number of operations allows can occur. @param {import('agentlet').Random} rng
 * @param {number} operations @param {() => number} number @returns {Tree}
 */
function grow(rng, operations, number) {
  if (operations === 0) return number();
  const sign = rng.pick(['+', '-', '*']);
  const inLeft = rng.integer(0, operations - 1);
  return { sign, left: grow(rng, inLeft, number), right: grow(rng, operations - 1 - inLeft, number) };
}

/** @param {Tree} tree @returns {string} */
function write(tree) {
  if (typeof tree === 'number') return String(tree);
  const inner = (/** @type {Tree} */ part) => (typeof part === 'number' ? String(part) : `(${write(part)})`);
  return inner(tree.left) + tree.sign + inner(tree.right);
}

/**
 * What a tree comes to: its value, its first number, and the distinct calls that lead to the value with their results,
 * innermost and leftmost first.
 * @param {Tree} tree @returns {{ value: number, first: number, calls: string[], results: number[] }}
 */
function evaluate(tree) {
  if (typeof tree === 'number') return { value: tree, first: tree, calls: [], results: [] };
  const left = evaluate(tree.left);
  const right = evaluate(tree.right);
  const value = apply(tree.sign, left.value, right.value);
  const results = new Map(
    [...left.calls, ...right.calls].map((call, i) => [call, [...left.results, ...right.results][i]]),
  );
  results.set(`${left.value}${tree.sign}${right.value}`, value);
  return { value, first: left.first, calls: [...results.keys()], results: [...results.values()] };
}

/** @param {unknown} text */
function parseCall(text) {
  const match = typeof text === 'string' ? /^ *(-?\d{1,15}) *([-+*]) *(-?\d{1,15}) *$/.exec(text) : null;
  return match === null ? null : { left: Number(match[1]), sign: match[2], right: Number(match[3]) };
}

/** @param {string} sign @param {number} left @param {number} right */
function apply(sign, left, right) {
  if (sign === '+') return left + right;
  return sign === '-' ? left - right : left * right;
}

/** The expression as a tree: a call folds its part into a number. @type {import('agentlet').Draw} */
export function draw({ data: { tree } }, _, { steps, answer, success }) {
  const made = steps.flatMap(({ toolCalls }) => toolCalls).filter(({ error }) => error === undefined);
  const called = made.map((call) => parseCall(call.arguments.expression)).filter((call) => call !== null);
  const folds = new Set(called.map(({ left, sign, right }) => `${left}${sign}${right}`));
  /** @type {import('agentlet').Shape[]} */
  const shapes = [];
  let leaves = 0;
  /** @param {Tree} part @param {number} depth @param {string} id @returns {{ x: number, value: number }} */
  const place = (part, depth, id) => {
    const isNumber = typeof part === 'number';
    const left = isNumber ? null : place(part.left, depth + 1, `${id}l`);
    const right = isNumber ? null : place(part.right, depth + 1, `${id}r`);
    const x = left && right ? (left.x + right.x) / 2 : 4 + 80 * leaves++;
    const value = isNumber ? part : apply(part.sign, left?.value ?? 0, right?.value ?? 0);
    const isFolded = !isNumber && folds.has(`${left?.value}${part.sign}${right?.value}`);
    const role = isNumber ? 'ink' : isFolded ? 'agent' : 'muted';
    const text = isNumber || isFolded ? String(value) : ({ '*': '×', '-': '−' }[part.sign] ?? part.sign);
    const at = { x, y: 50 + 46 * depth, width: 72, height: 28, size: 13 };
    shapes.push({ kind: 'node', id, text, role, fill: isFolded ? 'solid' : 'soft', round: !isNumber, ...at });
    if (!isNumber) for (const child of 'lr') shapes.push({ kind: 'edge', from: id, to: id + child });
    return { x, value };
  };
  const root = place(tree, 0, 't');
  const depth = Math.max(...shapes.map(({ y = 0 }) => y)) + 36;
  const verdict = success === null ? '?' : success ? '✓' : '✗';
  const role = success === null ? 'muted' : success ? 'good' : 'danger';
  const said = `${answer ?? ''} ${verdict}`.trim();
  shapes.push({ kind: 'node', id: 'answer', x: root.x - 14, y: 4, width: 100, height: 28, size: 13, text: said, role });
  shapes.push({ kind: 'edge', from: 'answer', to: 't', role });
  return {
    width: Math.max(80 * leaves, root.x + 92),
    height: depth,
    words: `${write(tree)}. Calculated: ${[...folds].join(', ') || 'nothing yet'}. Answer: ${answer ?? 'none yet'}.`,
    shapes,
  };
}
