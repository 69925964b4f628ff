/**
 * The SDK, which environment modules import as `agentlet`; there is `agentlet/search` besides. It runs inside the
 * sandbox with the environment. Holds a seeded generator, builders for tool schemas and the types of an environment's
 * exports; runs no loop and knows nothing of tokens, models or workers.
 *
 * @typedef {null | boolean | number | string | readonly any[] | { readonly [key: string]: any }} Json
 *
 * @typedef {object} Task A task as every function but `tasks` gets it.
 * @property {string} id
 * @property {string} prompt What the agent is shown.
 * @property {any} data Whatever `tasks` put there.
 *
 * @typedef {object} Draft What `tasks` returns. Two drafts are one task if they share their `id`, else prompt and data.
 * @property {string} prompt
 * @property {Json} [data]
 * @property {string} [id]
 * @property {readonly string[]} [tags] Kinds of task that it belongs to, in small letters: success is shown for each.
 *
 * @typedef {object} ToolCall
 * @property {string} name
 * @property {any} arguments
 * @property {string} result Text the agent was shown.
 * @property {string} [error] Set if the call failed, whatever the cause.
 *
 * @typedef {object} Step One action of the agent.
 * @property {readonly ToolCall[]} toolCalls
 * @property {string} [error]
 *
 * @typedef {object} Outcome What `reward` gets.
 * @property {Task} task
 * @property {string | null} answer The final answer; null if the agent gave none.
 * @property {readonly Step[]} steps
 * @property {any} state What `start` or the last tool left; null if none gave a state.
 *
 * @typedef {{ success: boolean } & Record<string, number | boolean>} Score What `reward` returns: whether the task is
 * solved, and a number for reward terms.
 *
 * @typedef {object} Said What the agent said in a step of a flow. As one of the messages it is shown as it was sampled.
 * @property {'assistant'} role
 * @property {number} step
 * @property {string} content All that it wrote.
 * @property {readonly { name: string, arguments: any }[]} calls Calls whose tool exists and whose arguments fit.
 * @property {string | null} answer
 * @property {string | null} error What the agent is told if it wrote neither, or a call that does not fit.
 *
 * @typedef {string | readonly (string | number | Image)[]} Content What `call` gives and a message of a flow shows: a
 * text, or texts and images in order. A number stands for the image of a call.
 *
 * @typedef {object} Moment What `draw` is told of an episode besides its task and state.
 * @property {readonly Step[]} steps What the agent did so far; empty before its first step.
 * @property {string | null} answer Null until it is given, and if none is given.
 * @property {boolean | null} success Null until the episode is over.
 * @property {Record<string, number>} rewards Sums of the reward terms so far.
 *
 * @typedef {{ kind: string, [field: string]: any }} Shape Its kind and the fields of that kind, which the guide lists.
 *
 * @typedef {object} Scene What `draw` returns: shapes, the first one lowest.
 * @property {number} width Of the picture, in units of its own: 1 to 2,000.
 * @property {number} height
 * @property {string} [words] What is drawn, for those who do not see it.
 * @property {Shape[]} shapes At most 500, with at most 4,096 characters of text.
 *
 * @typedef {(task: Task, state: any, moment: Moment) => Scene} Draw
 *
 * @typedef {(task: Task, context: { call: (tool: string, args: Json) => Content }) => Generator<readonly (Said |
 * Message | { role: 'system' | 'user' | 'tool', content: Content })[], string | null | void, Said>} Flow An
 * environment's own way through its steps.
 *
 * @typedef {object} Image
 * @property {number} width In pixels: 8, 16, … 64, as is the height.
 * @property {number} height
 * @property {readonly number[]} pixels Red, green and blue of each pixel, row by row: integers from 0 to 255.
 *
 * @typedef {object} Message One message, as `context` and `summary` get it.
 * @property {'system' | 'user' | 'assistant' | 'tool'} role
 * @property {string} content
 * @property {number} [step] Of the agent's own messages: which of its steps.
 * @property {number | Image} [image] Of one with an image, its own index; in what is returned, also an image.
 *
 * @typedef {{ calls: { name: string, arguments: Json }[] } | { answer: string }} Turn One turn of a demonstration. The
 * last one answers, or makes a call that ends the episode.
 *
 * @typedef {'train' | 'validation' | 'out-of-distribution'} Split
 *
 * @typedef {Record<string, (task: Task, state?: any) => Turn[]>} Policies Scripted ways to play, for comparison, as the
 * export `policies`; `oracle` is the best there is. `state` is what `start` left.
 *
 * @typedef {object} Meta
 * @property {string} title
 * @property {string} task One sentence: what the agent must learn.
 * @property {string} watch One sentence: what a person should look at while it learns.
 * @property {string} [system] System message; small models do without.
 * @property {Record<string, { description: string, weight: number }>} rewards Reward terms.
 * @property {{ name: string, title: string, description: string, values: (string | number)[], default: string | number
 * }[]} options
 * @property {string} alphabet All characters that its texts can contain.
 * @property {readonly string[]} [words] Whole words that a word tokenizer gives a token each; between spaces, they
 * stand alone.
 * @property {{ turns?: number, context?: number, tokens?: number }} [limits] Turns, tokens of the context and tokens a
 * turn that its tasks need; used where no person sets others.
 * @property {boolean} [images] Whether `start` or a tool may show images.
 * @property {boolean} [rowsInChat] A visitor may ask about rows of data in the chat: they follow the question, one line
 * of JSON each.
 * @property {readonly { name: string, description: string, parameters: object }[]} [hostTools] Tools outside of the
 * sandbox, which a person's file gives in a terminal.
 * @property {string} [outOfDistribution] One sentence: how the tasks of a third split of that name differ from what is
 * trained on. Without it there is no such split.
 * @property {string[]} examples
 */

/** Seeded random numbers (sfc32 of Chris Doty-Humphrey's PractRand): equal seeds, equal numbers, on every machine. */
export class Random {
  /** @param {number} a @param {number} [b] @param {number} [c] Integers; each triple is a sequence of its own. */
  constructor(a, b = 0, c = 0) {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.counter = 1;
    for (let i = 0; i < 15; i++) this.uniform();
  }

  /** A number in [0, 1), 32 bits. */
  uniform() {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  /** An integer from min to max, both included. @param {number} min @param {number} max */
  integer(min, max) {
    return min + Math.floor(this.uniform() * (max - min + 1));
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** A shuffled copy (Fisher–Yates). @template T @param {readonly T[]} list */
  shuffle(list) {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }
}

/**
 * Thrown by a tool, it tells the agent what was wrong with its call: the message is shown as it is, without a name
 * before it.
 */
export class ToolError extends Error {}

/** JSON schema of a text argument. @param {string} description */
export const string = (description) => ({ type: 'string', description });

/** JSON schema of an integer argument. @param {string} description */
export const integer = (description) => ({ type: 'integer', description });

/**
 * JSON schema of an argument with a fixed set of values.
 *
 * @param {readonly string[]} values
 * @param {string} description
 */
export const choice = (values, description) => ({ type: 'string', enum: values, description });

/**
 * A tool whose arguments are all required. `execute` gets them and `{ task, state }`, and returns the text for the
 * agent or `{ text, image, reward, state, done }`: `image` is shown beside the text; `reward` is a process reward,
 * counted under the term `tool`; `state` comes back with the episode's next call; `done: true` ends the episode. Rely
 * on nothing else: the guest is reset between two calls. To refuse a call it throws a ToolError.
 *
 * @param {object} tool
 * @param {string} tool.name
 * @param {string} tool.description
 * @param {Record<string, object>} tool.arguments JSON schema of each argument.
 * @param {(args: any, context: { task: Task, state: any }) => string | { text: string, image?: Image, reward?: number,
 * state?: Json, done?: boolean }} tool.execute
 */
export function tool({ name, description, arguments: properties, execute }) {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description, parameters, execute };
}

/** Characters of a line of a transcript, its lines from one to the next, and most lines. */
const [column, row, longest] = [48, 16, 26];

/**
 * A scene for a world whose calls are texts, such as programs: export it as `draw`. It shows the prompt, each call (its
 * arguments, or its tool where it has none) with its result, failed ones as such, and the answer. Of a long episode it
 * shows the end.
 *
 * @type {Draw}
 */
export function transcript({ prompt }, _, { steps, answer, success }) {
  const verdict = success === null ? '' : success ? ' ✓' : ' ✗';
  const said = success === null ? [] : inLines(`${answer ?? ''}${verdict}`, '', success ? 'good' : 'danger');
  const calls = steps.flatMap(({ toolCalls }) => toolCalls);
  const lines = calls.flatMap(({ name, arguments: given, result, error }) => {
    const failed = error !== undefined || result.startsWith('error');
    const texts = typeof given === 'object' && given !== null ? Object.values(given).join(' ') : String(given);
    const text = texts || name;
    return [...inLines(text, '', undefined), ...inLines(result, failed ? '✗ ' : '→ ', failed ? 'danger' : 'agent')];
  });
  const head = inLines(prompt, '', undefined);
  const shown = [...lines, ...said].slice(-longest);
  const code =
    shown.length > 0 ? [{ kind: 'code', x: 4, y: row * (head.length + 1), width: 372, size: 11, lines: shown }] : [];
  return {
    width: 380,
    height: row * (head.length + 1 + Math.max(shown.length, 6)) + 6,
    words: `${prompt}. ${calls.length} calls. ${answer === null ? '' : `Answer ${answer}.`}`.slice(0, 500),
    shapes: [
      ...head.map(({ text }, i) => ({ kind: 'text', x: 6, y: 6 + row * i, size: 12, width: 368, bold: true, text })),
      ...code,
    ],
  };
}

/**
 * A graph that grows, for worlds that look things up: each call, and the statements of its result below it. The one
 * that the next call or the answer follows is marked. Of a long episode it shows the end. Export as `draw` what this
 * gives.
 *
 * @param {(call: ToolCall) => string} queryOf names a call
 * @param {(call: ToolCall) => string[]} statementsOf by default what ` . ` parts
 * @returns {Draw}
 */
export function searchGraph(queryOf, statementsOf = ({ result }) => result.split(' . ')) {
  return ({ prompt }, _, { steps, answer, success }) => {
    const made = steps.flatMap(({ toolCalls }) => toolCalls).slice(-5);
    const said = (answer ?? '').trim();
    const [left, top, across, down] = [6, 44, 134, 25];
    const width = left + across * Math.max(3, made.length);
    /** @type {Shape[]} */
    const shapes = [{ kind: 'text', x: left, y: 6, width: width - 2 * left, lines: 2, bold: true, text: prompt }];
    let [before, rows] = ['', 1];
    made.forEach((call, i) => {
      const id = `search${i}`;
      const box = { kind: 'node', x: left + across * i, width: across - 10, height: 22, size: 9.5 };
      shapes.push({ ...box, id, y: top, role: 'agent', text: queryOf(call) });
      if (before) shapes.push({ kind: 'edge', from: before, to: id, directed: true, role: 'agent' });
      before = '';
      const next = Object.values(made[i + 1]?.arguments ?? {}).join(' ') || said;
      const passages = statementsOf(call).slice(0, 5);
      passages.forEach((text, row) => {
        const leads = next !== '' && text.split(' ').includes(next.split(' ')[0]);
        const line = `${id}.${row}`;
        const [role, fill] = leads ? ['note', 'soft'] : ['muted', 'outline'];
        shapes.push({ ...box, id: line, y: top + 8 + down * (row + 1), role, fill, text });
        if (leads && before === '') before = line;
      });
      rows = Math.max(rows, passages.length);
    });
    const y = top + 16 + down * (rows + 1);
    if (success !== null) {
      const [role, text] = success ? ['good', `${said} ✓`] : ['danger', `${said} ✗`];
      const x = left + across * Math.max(0, made.length - 1);
      shapes.push({ kind: 'node', id: 'answer', role, x, y, width: across - 10, height: 24, size: 12, text });
    }
    return { width, height: Math.max(y + 30, 160), words: `${prompt} ${made.length} calls. ${said}`, shapes };
  };
}

/** A text in lines of a transcript. @param {string} text @param {string} mark @param {string | undefined} role */
function inLines(text, mark, role) {
  const lines = [mark];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last.length + word.length + 1 > column && last.trim() !== '') lines.push(`  ${word}`);
    else lines[lines.length - 1] = last === '' || last === mark ? last + word : `${last} ${word}`;
  }
  return lines.map((each) => (role === undefined ? { text: each } : { text: each, role }));
}
