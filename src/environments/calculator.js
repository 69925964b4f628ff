/**
 * Nested arithmetic with a calculator that does one operation a call: the agent must take an expression apart, call the
 * tool on what is innermost, carry the result over, and answer.
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

const help = 'one operation at a time, like 37*4';
const tooLarge = 'too large';

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Calculator',
  task: 'Solve nested arithmetic with a calculator that does only one operation a call.',
  watch:
    'At first the agent guesses; then it calls the calculator on the bracket, puts the result in its next call, and answers with what came back.',
  rewards: {
    correct: { description: 'The answer is exactly right.', weight: 1 },
    calls: { description: 'Each call that evaluates a part of the task for the first time.', weight: 0 },
    wasted: { description: 'Each call that failed or repeated an earlier one.', weight: 0 },
  },
  options: [
    { name: 'operations', title: 'Operations', description: 'Operations in one expression: one call each.', values: [1, 2, 3], default: 2 },
    { name: 'max', title: 'Largest number', description: 'Numbers run from 2 to this.', values: [9, 20, 99], default: 99 },
  ],
  alphabet: [...new Set('0123456789+-*()' + help + tooLarge)].sort().join(''),
  examples: ['(37*4)-16', '58-(3+9)', '(12+7)*8'],
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

/** @param {import('agentlet').Random} rng @param {string} _split @param {{ operations: number, max: number }} options */
export function tasks(rng, _split, options) {
  const tree = grow(rng, options.operations, options.max);
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
  return { correct: answer?.replace(/^ +| +$/g, '') === String(parts.value) ? 1 : 0, calls, wasted };
}

/** @param {import('agentlet').Task} task @returns {import('agentlet').Turn[]} */
export function demonstrate(task) {
  const { calls, value } = evaluate(task.data.tree);
  return [...calls.map((expression) => ({ calls: [{ name: 'calc', arguments: { expression } }] })), { answer: String(value) }];
}

/** A random tree: every shape that the number of operations allows can occur. @param {import('agentlet').Random} rng @param {number} operations @param {number} max @returns {Tree} */
function grow(rng, operations, max) {
  if (operations === 0) return rng.integer(2, max);
  const sign = rng.pick(['+', '-', '*']);
  const inLeft = rng.integer(0, operations - 1);
  return { sign, left: grow(rng, inLeft, max), right: grow(rng, operations - 1 - inLeft, max) };
}

/** @param {Tree} tree @returns {string} */
function write(tree) {
  if (typeof tree === 'number') return String(tree);
  const inner = (/** @type {Tree} */ part) => (typeof part === 'number' ? String(part) : `(${write(part)})`);
  return inner(tree.left) + tree.sign + inner(tree.right);
}

/** The tree's value, and the distinct calls that lead to it, innermost and leftmost first. @param {Tree} tree @returns {{ value: number, calls: string[] }} */
function evaluate(tree) {
  if (typeof tree === 'number') return { value: tree, calls: [] };
  const left = evaluate(tree.left);
  const right = evaluate(tree.right);
  const call = `${left.value}${tree.sign}${right.value}`;
  return { value: apply(tree.sign, left.value, right.value), calls: [...new Set([...left.calls, ...right.calls, call])] };
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
