/**
 * The guest side: runs inside QuickJS before any environment, takes away what is not deterministic, and answers the
 * host's requests by calling the environment's exports. One JSON string in; out comes `=` and JSON, `-` and what a
 * ToolError says, or `!` and an error. An environment that tampers with it harms only itself: the host takes nothing
 * from it but JSON and checks that.
 */
import { Random, ToolError } from 'agentlet';
import { describeError, fnv1a, hash, kindOf, messageLength, ownProperties, synchronous, toJson } from './values.js';

/** @typedef {Record<string, any>} Environment The namespace of an environment module. */

// Taken before any environment runs, so that what it does to the built-in objects does not change how its answers are
// read.
const { parse } = JSON;
const { hasOwn, keys } = Object;
const { isFinite } = Number;
/** Draws of one task before giving up on a split: at a share of 1/4 a healthy generator needs 4 on average. */
const attempts = 1000;
/**
 * Draws of tasks that came up before, after which there are no others: few enough to be told before the fuel is gone.
 */
const repeatsAllowed = 300;
const validationShare = 4;
const splits = ['train', 'validation', 'out-of-distribution'];
const [train, validation, outOfDistribution] = splits;
/** Functions that an environment may leave out. */
const hooks = ['start', 'context', 'summary', 'flow', 'draw'];

/** @type {{ train: unknown[], validation: unknown[] } | null} Rows of each split; null if there are none. */
let rows = null;
let seed = 0;
/** @type {Random | null} Made when first asked for: many calls draw nothing. */
let random = null;
Object.defineProperty(Math, 'random', {
  value: () => (random ??= new Random(seed)).uniform(),
  writable: false,
  configurable: false,
});
for (const name of [
  'Atomics',
  'SharedArrayBuffer',
  'WeakRef',
  'FinalizationRegistry',
  'performance',
  'queueMicrotask',
  'gc',
  'print',
  'console',
  'std',
  'os',
  'bjson',
  'scriptArgs',
]) {
  Reflect.deleteProperty(globalThis, name);
}

/**
 * Takes the rows of a split, before the environment runs: first those of `train`, then those of `validation`.
 *
 * @param {string} text JSON of a list
 */
export function holdRows(text) {
  const list = Object.freeze(parse(text).map(Object.freeze));
  rows = rows === null ? { train: list, validation: [] } : { ...rows, validation: list };
}

/**
 * Checks an environment's exports and returns the function that answers requests about it. @param {Environment}
 * environment
 */
export function bind(environment) {
  for (const [name, type] of [
    ['meta', 'object'],
    ['tools', 'object'],
    ['tasks', 'function'],
    ['reward', 'function'],
  ]) {
    if (typeof environment[name] !== type || environment[name] === null)
      throw new TypeError(`the module must export ${name}`);
  }
  if (rows !== null && environment.tasks.length < 4)
    throw new TypeError('there are rows, and tasks does not take them; write it as tasks(rng, split, options, rows)');
  if (!Array.isArray(environment.tools)) throw new TypeError('tools must be an array');
  for (const tool of environment.tools) {
    if (typeof tool?.execute !== 'function')
      throw new TypeError('each tool needs a name, a description and a function execute');
  }
  if (keys(environment.meta.rewards ?? {}).length === 0)
    throw new TypeError('meta.rewards must declare at least one reward term');
  for (const hook of hooks) {
    if (environment[hook] !== undefined && typeof environment[hook] !== 'function')
      throw new TypeError(`${hook} must be a function`);
  }
  return (/** @type {string} */ text) => {
    try {
      const request = parse(text);
      seed = request.seed;
      random = null;
      const method = methods.get(request.method);
      if (method === undefined) throw new TypeError(`there is no method ${request.method}`);
      return '=' + toJson(method(environment, request.args));
    } catch (error) {
      return describeError(error);
    }
  };
}

/** @type {Map<string, (environment: Environment, args: any) => unknown>} */
const methods = new Map(
  Object.entries({ describe, tasks: drawTasks, start, execute, reward, context, summary, flow, draw, demonstrate }),
);

/** @param {Environment} environment */
function describe(environment) {
  const { meta, tools, policies } = environment;
  const signatures = tools.map((/** @type {any} */ { name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  return {
    ...meta,
    tools: signatures,
    policies: keys(policies ?? {}),
    hooks: hooks.filter((hook) => environment[hook] !== undefined),
  };
}

/**
 * Task i is a function of (seed, split, i, options) alone if the module makes it from its arguments alone. If it counts
 * its calls or draws from `Math.random`, a task also depends on its place in a request.
 *
 * @param {Environment} environment
 * @param {{ split: string, seed: number, start: number, count: number, options: Record<string, unknown> }} args
 */
function drawTasks(environment, { split, seed, start, count, options }) {
  const there = environment.meta.outOfDistribution === undefined ? splits.slice(0, 2) : splits;
  if (!there.includes(split)) throw new TypeError(`there is no split ${split}; there are ${there.join(' and ')}`);
  const chosen = chooseOptions(environment.meta.options ?? [], options ?? {});
  return Array.from({ length: count }, (_, i) => drawTask(environment, split, seed, start + i, chosen));
}

/**
 * Draws until the task falls into the split. @param {Environment} environment @param {string} split @param {number}
 * seed @param {number} index @param {object} options
 */
function drawTask(environment, split, seed, index, options) {
  const own = rowsOf(split);
  const refused = new Set();
  let repeats = 0;
  for (let attempt = 0; attempt < attempts && repeats < repeatsAllowed; attempt++) {
    const rng = new Random(seed, index, (splits.indexOf(split) << 20) + attempt);
    const draft = synchronous(environment.tasks(rng, split, options, own), 'tasks');
    if (typeof draft?.prompt !== 'string')
      throw new TypeError(`tasks returned ${kindOf(draft)}; it must return { prompt, data }, with a text as prompt`);
    const data = draft.data ?? null;
    const tagged = draft.tags === undefined ? {} : { tags: draft.tags };
    const id = draft.id ?? hash(draft.prompt + '\n' + toJson(data));
    if (rows !== null || split === outOfDistribution || splitOf(id) === split)
      return { id, prompt: draft.prompt, data, ...tagged };
    if (refused.has(id)) repeats++;
    refused.add(id);
  }
  throw new RangeError(
    `no ${split} task came up: tasks made only ${refused.size} different tasks, all of another split; it needs more different tasks`,
  );
}

/**
 * The rows that tasks of a split are made from. Each row is in one split, so the ids of tasks are free.
 *
 * @param {string} split
 */
function rowsOf(split) {
  if (rows === null) return [];
  const list = split === train ? rows.train : rows.validation;
  if (list.length === 0)
    throw new RangeError(
      `no row is in the split ${split}; a quarter of different rows falls into ${validation}: give more`,
    );
  return list;
}

/**
 * The split is a property of the id, so no seed can draw a validation task for training. That a task has one id is the
 * module's word: under two ids it can be in both splits.
 *
 * @param {string} id
 */
function splitOf(id) {
  return fnv1a(id, 0x811c9dc5) % validationShare === 0 ? validation : train;
}

/** @param {{ name: string, values: unknown[], default: unknown }[]} declared @param {Record<string, unknown>} given */
function chooseOptions(declared, given) {
  const unknown = keys(given).find((name) => !declared.some((option) => option.name === name));
  if (unknown !== undefined) throw new TypeError(`there is no option ${unknown}`);
  return Object.fromEntries(
    declared.map((option) => {
      const value = hasOwn(given, option.name) ? given[option.name] : option.default;
      if (!option.values.includes(value))
        throw new TypeError(`option ${option.name} is ${value}; choose one of ${option.values.join(', ')}`);
      return [option.name, value];
    }),
  );
}

/** @param {Environment} environment @param {{ task: unknown }} args */
function start(environment, { task }) {
  const given = synchronous(environment.start(task), 'start');
  if (typeof given !== 'object' || given === null)
    throw new TypeError(
      `start returned ${kindOf(given)}; it must return { text, image, state }, of which any may be missing`,
    );
  const own = ownProperties(given, ['text', 'image', 'state']);
  if (own.text !== undefined && typeof own.text !== 'string')
    throw new TypeError(`start returned ${kindOf(own.text)} as its text; it must be a text`);
  return own;
}

/**
 * @param {Environment} environment @param {{ tool: string, arguments: unknown, task: unknown, state: unknown }} args
 */
function execute(environment, { tool, arguments: callArguments, task, state }) {
  const found = environment.tools.find((/** @type {any} */ candidate) => candidate.name === tool);
  if (found === undefined) throw new TypeError(`there is no tool ${tool}`);
  const result = synchronous(
    found.execute(callArguments, { task: task ?? null, state: state ?? null }),
    `tool ${tool}`,
  );
  const given =
    typeof result === 'string'
      ? { __proto__: null, text: result }
      : ownProperties(result ?? {}, ['text', 'image', 'reward', 'state', 'done']);
  if (typeof given.text !== 'string')
    throw new TypeError(
      `tool ${tool} returned ${kindOf(result)}; it must return text or { text, image, reward, state, done }`,
    );
  if (given.done !== undefined && typeof given.done !== 'boolean')
    throw new TypeError(`tool ${tool} returned ${kindOf(given.done)} as done; it must be true or false`);
  if (given.reward !== undefined && !isFinite(given.reward))
    throw new TypeError(`tool ${tool} returned ${kindOf(given.reward)} as its reward; it must be a finite number`);
  return given;
}

/**
 * @param {Environment} environment @param {{ task: unknown, answer: unknown, steps: unknown, state: unknown }} args
 */
function reward(environment, { task, answer, steps, state }) {
  const given = synchronous(
    environment.reward({ task, answer: answer ?? null, steps, state: state ?? null }),
    'reward',
  );
  const declared = keys(environment.meta.rewards);
  if (typeof given !== 'object' || given === null || Array.isArray(given) || typeof given.success !== 'boolean')
    throw new TypeError(
      `reward returned ${kindOf(given)}; it must return { success, … }, with success true or false and numbers for the terms ${declared.join(', ')}`,
    );
  const terms = ownProperties(given, declared);
  const undeclared = keys(given).find((name) => name !== 'success' && !hasOwn(terms, name));
  if (undeclared !== undefined)
    throw new TypeError(
      `reward returned ${undeclared}, which meta.rewards does not declare; it declares ${declared.join(', ')}`,
    );
  if (hasOwn(terms, 'tool'))
    throw new TypeError('reward returned tool, a term that only what tools return counts under');
  for (const name of keys(terms))
    if (!isFinite(terms[name]))
      throw new TypeError(`reward returned ${kindOf(terms[name])} for ${name}; it must be a finite number`);
  return { __proto__: null, terms, success: given.success };
}

/** @param {Environment} environment @param {{ messages: unknown, state: unknown }} args */
function context(environment, { messages, state }) {
  const given = synchronous(environment.context(messages, state ?? null), 'context');
  if (!Array.isArray(given))
    throw new TypeError(`context returned ${kindOf(given)}; it must return a list of messages`);
  return given;
}

/** @param {Environment} environment @param {{ messages: unknown, state: unknown }} args */
function summary(environment, { messages, state }) {
  const given = synchronous(environment.summary(messages, state ?? null), 'summary');
  if (typeof given !== 'string') throw new TypeError(`summary returned ${kindOf(given)}; it must return a text`);
  return given;
}

/** @param {Environment} environment @param {{ task: unknown, state: unknown, moment: unknown }} args */
function draw(environment, { task, state, moment }) {
  return synchronous(environment.draw(task, state ?? null, moment), 'draw');
}

/**
 * Replays the generator with the logged actions and results, and goes on to its next yield or its end.
 *
 * @param {Environment} environment @param {{ task: unknown, log: any[], state: unknown }} args
 */
function flow(environment, { task, log, state: before }) {
  let at = 0;
  let state = before ?? null;
  let done = false;
  /** @type {Record<string, unknown>[]} */
  const calls = [];

  /**
   * The text of a tool's result. With an image it is a list of the text and a number that stands for the image: the
   * place of the call in the log.
   *
   * @param {string} name @param {unknown} callArguments
   */
  const call = (name, callArguments) => {
    if (at < log.length) return log[at++].result;
    const index = calls.length + log.length;
    const made = makeCall(environment, name, callArguments, { task, state, index });
    calls.push(made.call);
    if (made.state !== undefined) state = made.state;
    done ||= made.done;
    return made.call.image === undefined ? made.call.text : [made.call.text, index];
  };

  const steps = synchronous(environment.flow(task, { call }), 'flow');
  if (typeof steps?.next !== 'function')
    throw new TypeError(`flow returned ${kindOf(steps)}; write it as a generator: function* flow(task, { call })`);
  let next = steps.next();
  while (at < log.length) next = steps.next(log[at++].action);
  const { value } = next;
  if (!next.done) return { __proto__: null, messages: synchronous(value, 'flow'), done, calls, state };
  if (value !== undefined && value !== null && typeof value !== 'string')
    throw new TypeError(`flow returned ${kindOf(value)}; it must return its answer as a text, or nothing`);
  return { __proto__: null, answer: value ?? undefined, done, calls, state };
}

/**
 * A call of a flow. It draws random numbers of its own, so that those of the flow come again when it is replayed.
 *
 * @param {Environment} environment @param {string} tool @param {unknown} callArguments
 * @param {{ task: unknown, state: unknown, index: number }} context
 * @returns {{ call: Record<string, any>, state?: unknown, done: boolean }}
 */
function makeCall(environment, tool, callArguments, { task, state, index }) {
  const outer = random;
  random = new Random(seed, index + 1);
  try {
    const given = execute(environment, { tool, arguments: callArguments, task, state });
    const { text, image, reward } = given;
    const more = { ...(image !== undefined && { image }), ...(reward !== undefined && { reward }) };
    return {
      call: { tool, arguments: callArguments ?? null, text, failed: false, ...more },
      state: given.state,
      done: given.done === true,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const text = `error: ${String(error.message).slice(0, messageLength)}`;
    return { call: { tool, arguments: callArguments ?? null, text, failed: true }, done: false };
  } finally {
    random = outer;
  }
}

/**
 * @param {Environment} environment
 * @param {{ task: unknown, policy?: string, startSeed?: number }} args `startSeed` is that of the episode to be played.
 */
function demonstrate(environment, { task, policy, startSeed }) {
  const play =
    policy === undefined ? environment.demonstrate : ownProperties(environment.policies ?? {}, [policy])[policy];
  if (typeof play !== 'function' && policy !== undefined) throw new TypeError(`the module exports no policy ${policy}`);
  if (typeof play !== 'function')
    throw new TypeError(
      'the module exports no demonstrate; export one, or train without imitation: --scratch, or 0 demonstrations',
    );
  const turns = play.length < 2 ? play(task) : play(task, firstState(environment, task, startSeed));
  return synchronous(turns, 'demonstrate');
}

/** What `start` leaves, for scripts that ask for it. @param {Environment} environment */
function firstState(environment, /** @type {unknown} */ task, startSeed = seed) {
  if (environment.start === undefined) return null;
  random = new Random(startSeed);
  const { state } = start(environment, { task });
  random = null;
  return state === undefined ? null : parse(toJson(state));
}
