/**
 * A form: a small page as text, in which the agent fills in what it is asked for, and sends it. `type` writes into a
 * field, `select` chooses one of the options that a field lists, `click` ticks or unticks a box or presses a button.
 * Every element goes by its label, and never by the word that the task has for it: what the task calls a city is a town
 * on one page and a place on the next. Labels, their order and that of options differ from task to task. `town _` is
 * empty, `town: oslo` is filled in.
 *
 * Before each turn the agent is shown what is asked for and the page as it is now, and nothing else. So it need not
 * remember what it did. What must be found is when to stop: everything that is asked for must be on the page, and
 * nothing else may change. Every page has one or two fields that nobody asks for, one of them a box if any is left, and
 * boxes may be ticked already. So who ticks every box is mostly wrong. Most demonstrations send the form one thing too
 * early.
 *
 * In the chat a visitor says what to fill in: `name anna city oslo size large`. The page then has fields for these and
 * one or two more.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {'text' | 'choice' | 'box'} Way How it is filled in.
 *
 * @typedef {{ kind: string, label: string, value: string, options: string[] }} Field What stands in it, `_` if nothing
 * does, and the options of a choice, in the order of the page.
 *
 * @typedef {{ asked: string, fields: Field[], send: string, cancel: string, sendsFirst: boolean, sent: boolean }} Page
 */

/** Shares of demonstrations that leave the last thing out or cancel, and of fields filled in unasked or wrongly. */
const habit = { hurries: 0.6, invents: 0.1, cancels: 0.05, mistakes: 0.02 };
/** Chance that a box is ticked already. */
const ticked = 0.35;

/** @type {Record<string, { way: Way, labels: string[], values: string[] }>} */
const kinds = {
  name: {
    way: 'text',
    labels: ['person', 'who', 'customer'],
    values: ['anna', 'ben', 'carl', 'dora', 'emil', 'fay', 'gus', 'hana'],
  },
  city: {
    way: 'text',
    labels: ['town', 'place', 'home'],
    values: ['oslo', 'rome', 'lima', 'bonn', 'york', 'graz', 'nice', 'cork'],
  },
  job: {
    way: 'text',
    labels: ['work', 'trade', 'career'],
    values: ['baker', 'cook', 'judge', 'miner', 'nurse', 'pilot', 'tailor', 'guard'],
  },
  size: { way: 'choice', labels: ['fit', 'format', 'cut'], values: ['small', 'medium', 'large'] },
  colour: { way: 'choice', labels: ['tint', 'shade', 'paint'], values: ['red', 'green', 'blue'] },
  day: { way: 'choice', labels: ['date', 'when', 'slot'], values: ['monday', 'friday', 'sunday'] },
  news: { way: 'box', labels: ['letter', 'mail', 'updates'], values: ['on'] },
  gift: { way: 'box', labels: ['wrap', 'ribbon', 'parcel'], values: ['on'] },
  rules: { way: 'box', labels: ['terms', 'consent', 'policy'], values: ['on'] },
};
const buttons = { send: ['send', 'submit', 'order'], cancel: ['cancel', 'reset', 'close'] };
const texts = {
  nothing: 'none',
  empty: '_',
  on: 'on',
  sent: 'sent',
  cancelled: 'cancelled',
  none: 'no such field',
};

const words = [
  ...Object.keys(kinds),
  ...Object.values(kinds).flatMap(({ labels, values }) => [
    ...labels,
    ...labels.map((label) => `${label}:`),
    ...values,
  ]),
  ...Object.values(buttons).flat(),
  ...Object.values(texts).flatMap((text) => text.split(' ')),
  ...['type', 'select', 'click', 'error:', '|'],
];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Form',
  task: 'Fill in a form as asked, by the labels that the page has this time, and send it once it is complete.',
  watch: 'The agent copied people who mostly send a form one thing too early. Watch it find that complete forms pay.',
  rewards: {
    right: { description: 'The form was sent as it was asked for.', weight: 1 },
    filled: { description: 'Share of what is asked for that is on the page.', weight: 0 },
    changed: { description: 'Fields changed that nobody asked for.', weight: 0 },
    refused: { description: 'Calls that could not be done.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set(words.join(' '))].sort().join(''),
  words: [...new Set(words)],
  outOfDistribution: 'Forms in which five or six things are to be filled in, where training has at most four.',
  examples: ['name anna city oslo size large', 'job pilot news on', 'city rome colour blue day friday gift on'],
};

export const tools = [
  tool({
    name: 'type',
    description: 'Writes a word into a field.',
    arguments: { text: { ...string('The label of a field and a word, like town oslo.'), maxLength: 60 } },
    execute: ({ text }, { state }) => {
      const [label, value] = text.trim().split(' ');
      return changed(state, (field) => kinds[field.kind].way === 'text' && field.label === label, value);
    },
  }),
  tool({
    name: 'select',
    description: 'Chooses one of the options of a field.',
    arguments: { text: { ...string('The label of a field and an option, like fit large.'), maxLength: 60 } },
    execute: ({ text }, { state }) => {
      const [label, value] = text.trim().split(' ');
      return changed(state, (field) => field.options.includes(value) && field.label === label, value);
    },
  }),
  tool({
    name: 'click',
    description: 'Ticks or unticks a box, or presses a button.',
    arguments: { label: { ...string('The label of a box or a button, like wrap or send.'), maxLength: 60 } },
    execute: ({ label }, { state }) => {
      const name = label.trim();
      if (name === state.send) return { text: texts.sent, state: { ...state, sent: true }, done: true };
      if (name === state.cancel) return { text: texts.cancelled, state, done: true };
      const box = state.fields.find(
        (/** @type {Field} */ field) => kinds[field.kind].way === 'box' && field.label === name,
      );
      return changed(state, (field) => field === box, box?.value === texts.on ? texts.empty : texts.on);
    },
  }),
];

/**
 * The page once a field has a value.
 * @param {Page} page @param {(field: Field) => boolean} which @param {string} [value]
 */
function changed(page, which, value) {
  const at = page.fields.findIndex(which);
  if (at < 0 || !value) throw new ToolError(texts.none);
  const state = { ...page, fields: page.fields.with(at, { ...page.fields[at], value }) };
  return { text: shown(state), state };
}

/** @param {Page} page */
function shown({ fields, send, cancel, sendsFirst }) {
  const lines = fields.map(({ label, value, options }) =>
    value === texts.empty ? [label, texts.empty, ...options].join(' ') : `${label}: ${value}`,
  );
  return [...lines, ...(sendsFirst ? [send, cancel] : [cancel, send])].join(' | ');
}

/**
 * What a message asks for, kind → value; what the task asks for, if that is nothing.
 * @param {import('agentlet').Task} task @returns {Map<string, string>}
 */
function askedIn({ prompt, data }) {
  const said = prompt.trim().split(/ +/);
  const asked = new Map();
  said.forEach((word, i) => {
    const kind = Object.keys(kinds).find((each) => each === word || kinds[each].labels.includes(word));
    if (kind && kinds[kind].values.includes(said[i + 1])) asked.set(kind, said[i + 1]);
  });
  return asked.size > 0 || prompt === data.prompt ? asked : askedIn({ id: '', prompt: data.prompt, data });
}

/**
 * A task is its prompt, which decides what the page looks like too. It is drawn until as much is left to do as should
 * be: what is asked for and ticked already does not count.
 * @param {Random} rng @param {import('agentlet').Split} split @returns {import('agentlet').Task & { tags: string[] }}
 */
export function tasks(rng, split) {
  const count = split === 'out-of-distribution' ? rng.integer(5, 6) : rng.integer(2, 4);
  for (;;) {
    const asked = rng.shuffle(Object.keys(kinds)).slice(0, rng.integer(count, count + 1));
    const prompt = asked.map((kind) => `${kind} ${rng.pick(kinds[kind].values)}`).join(' ');
    const task = { id: prompt, prompt, data: { prompt }, tags: [`${count} to do`] };
    const wanted = askedIn(task);
    const open = pageOf(task).fields.filter(({ kind, value }) => wanted.has(kind) && wanted.get(kind) !== value);
    if (open.length === count) return task;
  }
}

/** The page of a task, and what a message asks for on it. @param {import('agentlet').Task} task @returns {Page} */
function pageOf(task) {
  const random = new Random([...task.data.prompt].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), 7));
  const asked = askedIn(task);
  const spare = random.shuffle(Object.keys(kinds)).filter((kind) => !asked.has(kind));
  const isBox = (/** @type {string} */ kind) => kinds[kind].way === 'box';
  const others = [...spare.filter(isBox), ...spare.filter((kind) => !isBox(kind))].slice(0, random.integer(1, 2));
  const fields = random.shuffle([...asked.keys(), ...others].sort()).map((kind) => {
    const { way, labels, values } = kinds[kind];
    const isTicked = random.uniform() < ticked;
    return {
      kind,
      label: random.pick(labels),
      value: way === 'box' && isTicked ? texts.on : texts.empty,
      options: way === 'choice' ? random.shuffle(values) : [],
    };
  });
  return {
    asked: [...asked].map((pair) => pair.join(' ')).join(' '),
    fields,
    send: random.pick(buttons.send),
    cancel: random.pick(buttons.cancel),
    sendsFirst: random.uniform() < 0.5,
    sent: false,
  };
}

/** @param {import('agentlet').Task} task */
export function start(task) {
  const page = pageOf(task);
  return { text: shown(page), state: page };
}

/** What is asked for and the page as it is now. @param {unknown} _ @param {Page} page */
export function context(_, page) {
  return [
    { role: 'user', content: page.asked },
    { role: 'tool', content: shown(page) },
  ];
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ task, steps, state }) {
  const { fields, sent } = /** @type {Page} */ (state);
  const asked = askedIn(task);
  const before = pageOf(task).fields;
  const right = fields.filter(({ kind, value }) => asked.get(kind) === value).length;
  const altered = fields.filter(({ kind, value }, i) => !asked.has(kind) && value !== before[i].value).length;
  const success = sent && right === asked.size && altered === 0;
  return {
    success,
    right: Number(success),
    filled: asked.size === 0 ? 0 : right / asked.size,
    changed: altered,
    refused: steps.flatMap(({ toolCalls }) => toolCalls).filter(({ error }) => error !== undefined).length,
  };
}

/** @template T @param {readonly T[]} list @returns {T} */
const any = (list) => list[Math.floor(Math.random() * list.length)];
const chance = (/** @type {number} */ share) => Math.random() < share;

/**
 * In any order, and mostly without the last thing.
 * @param {import('agentlet').Task} task
 */
export function demonstrate(task) {
  const [hurries, cancels] = [habit.hurries, habit.cancels].map(chance);
  const page = pageOf(task);
  const asked = askedIn(task);
  const turns = [];
  for (const field of mixed(page.fields)) {
    const { way, values } = kinds[field.kind];
    const wanted = asked.get(field.kind);
    if (wanted === field.value || (!wanted && (way === 'box' || !chance(habit.invents)))) continue;
    const invented = way === 'text' ? texts.nothing : field.options[0];
    turns.push(fill(field, chance(habit.mistakes) ? any(values) : (wanted ?? invented)));
  }
  return [...(hurries ? turns.slice(0, -1) : turns), click(cancels ? page.cancel : page.send)];
}

/** @template T @param {readonly T[]} list @returns {T[]} */
function mixed(list) {
  return new Random(Math.floor(Math.random() * 0x100000000)).shuffle(list);
}

/** @param {string} label @returns {import('agentlet').Turn} */
function click(label) {
  return { calls: [{ name: 'click', arguments: { label } }] };
}

/** @param {Field} field @param {string} value @returns {import('agentlet').Turn} */
function fill({ kind, label }, value) {
  const { way } = kinds[kind];
  if (way === 'box') return click(label);
  return { calls: [{ name: way === 'text' ? 'type' : 'select', arguments: { text: `${label} ${value}` } }] };
}

/**
 * Fills in fields in the order of the page, and sends.
 * @param {import('agentlet').Task} task
 * @param {(field: Field, asked: string | undefined, done: number) => string | undefined} valueOf
 */
function work(task, valueOf) {
  const page = pageOf(task);
  const asked = askedIn(task);
  /** @type {import('agentlet').Turn[]} */
  const turns = [];
  for (const field of page.fields) {
    const value = valueOf(field, asked.get(field.kind), turns.length);
    if (value !== undefined && value !== field.value) turns.push(fill(field, value));
  }
  return [...turns, click(page.send)];
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => work(task, (_, asked) => asked),
  /** Does as asked, but sends after three. */
  reflex: (task) => work(task, (_, asked, done) => (done < 3 ? asked : undefined)),
  /** Leaves boxes as they are. */
  forgetful: (task) => work(task, ({ kind, value }, asked) => (kinds[kind].way === 'box' ? value : asked)),
  /** Clicks every box that is asked for, also one that is ticked. */
  blind: (task) => {
    const asked = askedIn(task);
    const { fields, send } = pageOf(task);
    const wanted = fields.filter(({ kind }) => asked.has(kind));
    return [...wanted.map((field) => fill(field, asked.get(field.kind) ?? '')), click(send)];
  },
  /** Fills in every field and ticks every box. */
  eager: (task) => work(task, ({ kind }, asked) => asked ?? kinds[kind].values[0]),
  random: (task) => work(task, ({ kind }) => any(kinds[kind].values)),
};

const paper = { left: 14, top: 50, row: 30 };

/** The page, with what was asked for above it. @type {import('agentlet').Draw} */
export function draw(task, state, { success }) {
  const page = /** @type {Page} */ (state ?? pageOf(task));
  const asked = askedIn(task);
  const before = pageOf(task).fields;
  const { left, top, row } = paper;
  const end = top + row * page.fields.length;
  const mark = success === null ? '' : success ? '✓' : '✗';
  const said = `${page.sent ? texts.sent : ''} ${mark}`.trim();
  const names = page.sendsFirst ? [page.send, page.cancel] : [page.cancel, page.send];
  /** @type {import('agentlet').Shape[]} */
  const shapes = [
    { kind: 'text', x: 6, y: 6, width: 328, size: 12, lines: 2, bold: true, text: task.prompt },
    { kind: 'rectangle', x: 6, y: top - 8, width: 328, height: end - top + row + 12, role: 'muted', fill: 'outline' },
    ...page.fields.flatMap((field, i) => {
      const wanted = asked.get(field.kind) ?? before[i].value;
      const isTouched = success !== null || field.value !== before[i].value;
      const right = asked.has(field.kind) ? 'good' : 'muted';
      return drawn(field, top + row * i, field.value === wanted ? right : isTouched ? 'danger' : 'goal');
    }),
    ...names.map((text, i) => {
      const role = page.sent && text === page.send ? 'agent' : 'muted';
      return { kind: 'node', id: text, x: left + 92 * i, y: end, width: 84, height: 24, text, role };
    }),
    ...(said === ''
      ? []
      : [{ kind: 'text', x: left + 196, y: end + 5, width: 100, role: success ? 'good' : 'danger', text: said }]),
  ];
  const words = `Asked for: ${task.prompt}. The page: ${shown(page)}. ${said}`.trim();
  return { width: 340, height: end + row + 10, words, shapes };
}

/**
 * A field: its label, what stands in it, and its options.
 * @param {Field} field @param {number} y @param {string} role
 */
function drawn({ kind, label, value, options }, y, role) {
  const isBox = kinds[kind].way === 'box';
  const text = value === texts.empty ? '' : isBox ? '✓' : value;
  const x = paper.left;
  const frame = { x: x + 76, y, width: isBox ? 22 : 84, height: 22 };
  return [
    { kind: 'text', x, y: y + 4, width: 70, size: 12, text: label },
    { kind: 'rectangle', ...frame, radius: 3, role, fill: 'outline' },
    ...(text === '' ? [] : [{ kind: 'text', x: x + 82, y: y + 4, width: 74, size: 12, role, text }]),
    ...(options.length === 0
      ? []
      : [{ kind: 'text', x: x + 168, y: y + 5, width: 142, size: 10, role: 'muted', text: options.join(', ') }]),
  ];
}
