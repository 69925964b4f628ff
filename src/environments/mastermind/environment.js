/**
 * Mastermind in small: a secret code of two pegs in seven colours. `guess` says how many pegs of a code are right, and
 * how many more are near: a colour that the secret has elsewhere. A game has six guesses, and pays a little for each
 * that is left when the code is found.
 *
 * Before each turn the agent is shown all guesses so far with their answers. What must be found is to use all of them:
 * whoever only makes guesses that could be the secret by every answer takes 4.3 on average, and fails in one game of
 * twenty. The best play there is takes 198 guesses for the 49 codes, 4.04 each, and never fails. Half of the
 * demonstrations use the last answer alone: they take the first code that it allows, guess again what an earlier answer
 * ruled out, and find one code in six. In orders of codes that were tuned for it, the last answer alone finds three in
 * five.
 *
 * In half of the games a first guess, drawn at random, is made for the agent and counts as one of the six. So no fixed
 * tree of guesses is enough. Out of distribution every game begins so, by a guess that begins no game of training.
 *
 * In the chat a visitor sets the code: `code red blue`. The agent is shown its guesses alone.
 */
import { Random, string, tool, ToolError } from 'agentlet';

/**
 * @typedef {readonly string[]} Code
 *
 * @typedef {{ code: Code, right: number, near: number }} Guess With its answer.
 *
 * @typedef {{ secret: Code, opening: Code | null }} Game
 */

const colours = ['red', 'green', 'blue', 'yellow', 'black', 'white', 'pink'];
const pegs = 2;
const most = 6;
/** Share of games whose first guess is made for the agent. */
const opened = 0.5;
const games = 9999;
/** Share of demonstrations that forget. */
const habit = 0.5;
const help = 'two colours';

/** @type {Code[]} */
const codes = colours.flatMap((one) => colours.map((other) => [one, other]));
/** Openings out of distribution: a seventh of all codes, one of them with a colour twice. */
const isUnseen = (/** @type {Code} */ code) =>
  code.reduce((sum, colour) => sum + colours.indexOf(colour), 0) % colours.length === 0;

/** What each code answers to each guess, by their places among all codes. */
const table = codes.map((secret) => codes.map((code) => said(answered(secret, code))));

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Mastermind',
  task: `Find a secret code of ${pegs} colours in few guesses.`,
  watch:
    'The agent copied a player who remembers the last answer alone. Watch it learn to use every answer. ' +
    'In the chat you set the code: code red blue.',
  rewards: {
    found: { description: 'The code was found.', weight: 1 },
    early: { description: 'Guesses that were left when it was found.', weight: 0.2 },
  },
  options: [],
  alphabet: [...new Set(`0123456789 game code after guess ${table[0]} ${colours} ${help}`)].sort().join(''),
  words: [...new Set([...colours, ...table.flat(), 'guess', 'game', 'code', 'after'])],
  outOfDistribution: 'Games whose first guess is made for the agent, and is one with which no game of training begins.',
  examples: ['game 4821', 'code red blue', 'code green yellow after red red'],
};

export const tools = [
  tool({
    name: 'guess',
    description:
      'Says how many pegs of a code are right, and how many more have a colour that the secret has elsewhere.',
    arguments: { code: { ...string(`Two colours, like red blue: ${colours.join(', ')}.`), maxLength: 40 } },
    execute: ({ code: text }, { task, state }) => {
      const code = codeIn(text);
      if (!code) throw new ToolError(help);
      const guess = answered(gameOf(task).secret, code);
      const guesses = [...state, guess];
      return {
        text: said(guess),
        state: guesses,
        done: guess.right === pegs || guesses.length === most,
      };
    },
  }),
];

/** @param {string} text @returns {Code | null} */
function codeIn(text) {
  const code = text.trim().split(/\s+/);
  return code.length === pegs && code.every((colour) => colours.includes(colour)) ? code : null;
}

/** @param {Code} secret @param {Code} code @returns {Guess} */
function answered(secret, code) {
  let [right, common] = [0, 0];
  const rest = [...secret];
  for (let i = 0; i < pegs; i++) {
    if (code[i] === secret[i]) right++;
    const at = rest.indexOf(code[i]);
    if (at < 0) continue;
    common++;
    rest[at] = '';
  }
  return { code, right, near: common - right };
}

/** One word, so that the answer is one token. @param {{ right: number, near: number }} guess */
function said({ right, near }) {
  return `${right}-right-${near}-near`;
}

/** @param {Random} rng */
export function tasks(rng, /** @type {import('agentlet').Split} */ split) {
  const outside = split === 'out-of-distribution';
  const number = rng.integer(1, games);
  const opens = outside || rng.uniform() < opened;
  const secret = secretOf(number);
  const fitting = codes.filter((code) => isUnseen(code) === outside && code !== secret);
  const opening = opens ? rng.pick(fitting) : null;
  const prompt = `game ${number}${opening ? ` after ${opening.join(' ')}` : ''}`;
  return { id: prompt, prompt, data: { secret, opening }, tags: [opening ? 'opened' : 'free'] };
}

/** @param {number} number @returns {Code} */
const secretOf = (number) => new Random(number, 0).pick(codes);

/**
 * The game that a message speaks of; the task's, if it speaks of none.
 * @param {import('agentlet').Task} task @returns {Game}
 */
function gameOf({ prompt, data }) {
  const [, kind, what, , first] = /^(game|code) (.+?)( after (.+))?$/.exec(prompt.trim()) ?? [];
  const opening = codeIn(first ?? '');
  if (kind === 'game' && /^\d{1,4}$/.test(what)) return { secret: secretOf(Number(what)), opening };
  const secret = codeIn(what ?? '');
  return secret ? { secret, opening } : data;
}

/** @param {import('agentlet').Task} task */
export function start(task) {
  const { secret, opening } = gameOf(task);
  return { state: opening ? [answered(secret, opening)] : [] };
}

/** @param {unknown} _ @param {Guess[]} state */
export function context(_, state) {
  const lines = state.map((guess) => `${guess.code.join(' ')} ${said(guess)}`);
  return [{ role: 'user', content: lines.join(' ') || 'guess' }];
}

/** @param {import('agentlet').Outcome} outcome */
export function reward({ state }) {
  const success = state.at(-1)?.right === pegs;
  return { success, found: success ? 1 : 0, early: success ? most - state.length : 0 };
}

/**
 * Every other one forgets all answers but the last.
 * @param {import('agentlet').Task} task
 */
export const demonstrate = (task) => (Math.random() < habit ? policies.forgetful(task) : policies.consistent(task));

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: (task) => play(task, best),
  /** The first code that could be the secret by the last answer alone; at the beginning any. */
  forgetful: (task) => play(task, (guesses) => (guesses.length === 0 ? pick(codes) : left(guesses.slice(-1))[0])),
  /** A code that could be the secret by every answer. */
  consistent: (task) => play(task, (guesses) => pick(left(guesses))),
  /** Goes through all codes in their order, and leaves out what the last answer has ruled out. */
  reflex: (task) =>
    play(task, (guesses) => {
      const last = guesses.slice(-1);
      const at = last.length === 0 ? 0 : indexOf(last[0].code);
      const fitting = left(last);
      return fitting.find((code) => indexOf(code) > at) ?? fitting[0];
    }),
  random: (task) => play(task, () => pick(codes)),
};

/** @template Item @param {readonly Item[]} list @returns {Item} */
const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** Codes that could be the secret. @param {readonly Guess[]} guesses */
function left(guesses) {
  const told = guesses.map((guess) => ({ at: indexOf(guess.code), answer: said(guess) }));
  return codes.filter((_, secret) => told.every(({ at, answer }) => table[secret][at] === answer));
}

/** @param {Code} code */
const indexOf = (code) => code.reduce((sum, colour) => sum * colours.length + colours.indexOf(colour), 0);

/** The code with most answers; one that could be the secret, if it has as many. @param {readonly Guess[]} guesses */
function best(guesses) {
  if (guesses.length === 0) return ['red', 'green'];
  const possible = left(guesses);
  if (possible.length <= 2) return possible[0];
  const answers = (/** @type {Code} */ code) => {
    const at = indexOf(code);
    return new Set(possible.map((secret) => table[indexOf(secret)][at])).size;
  };
  let [found, worth] = [possible[0], 0];
  for (const code of [...possible, ...codes]) {
    const count = answers(code);
    if (count > worth) [found, worth] = [code, count];
  }
  return found;
}

/**
 * Guesses until the code is found or the game is over.
 * @param {import('agentlet').Task} task @param {(guesses: readonly Guess[]) => Code} choose
 * @returns {import('agentlet').Turn[]}
 */
function play(task, choose) {
  const { secret } = gameOf(task);
  const guesses = start(task).state;
  const turns = [];
  while (guesses.at(-1)?.right !== pegs && guesses.length < most) {
    const code = choose(guesses);
    guesses.push(answered(secret, code));
    turns.push({ calls: [{ name: 'guess', arguments: { code: code.join(' ') } }] });
  }
  return turns;
}

/** @type {Record<string, string>} */
const roles = {
  red: 'danger',
  green: 'good',
  blue: 'goal',
  yellow: 'object',
  black: 'ink',
  white: 'muted',
  pink: 'note',
};

/**
 * A row for each guess, with a dot for each peg that is right and a ring for each that is near; at the end the secret.
 * @type {import('agentlet').Draw}
 */
export function draw(task, /** @type {Guess[]} */ state, { success }) {
  const { secret, opening } = gameOf(task);
  const row = (/** @type {Code} */ code, /** @type {number} */ y, /** @type {string} */ id) =>
    code.map((colour, i) => ({
      kind: 'node',
      id: `${id}${i}`,
      x: 34 + 66 * i,
      y,
      width: 60,
      height: 26,
      round: true,
      role: roles[colour],
      text: colour,
      size: 12,
    }));
  const label = (/** @type {string} */ text, /** @type {number} */ y) => ({ kind: 'text', x: 6, y: y + 6, text });
  const shapes = state.flatMap((guess, i) => {
    const y = 8 + 34 * i;
    const marks = Array.from({ length: guess.right + guess.near }, (_, mark) => ({
      kind: 'circle',
      x: 184 + 18 * mark,
      y: y + 13,
      radius: 6,
      role: 'ink',
      fill: mark < guess.right ? 'solid' : 'outline',
    }));
    const answer = { kind: 'text', x: 226, y: y + 6, size: 11, text: said(guess) };
    return [label(i === 0 && opening ? '*' : String(i + 1), y), ...row(guess.code, y, `guess${i}-`), ...marks, answer];
  });
  const y = 14 + 34 * most;
  const over = success !== null;
  const next = state.length === 0 ? 'First guess' : 'Next guess';
  const [role, end] = success ? ['good', `found in ${state.length} ✓`] : ['danger', 'not found ✗'];
  return {
    width: 340,
    height: y + 34,
    words: [...state.map((guess) => `${guess.code.join(' ')}: ${said(guess)}`), over ? end : next].join('. '),
    shapes: [
      ...shapes,
      ...(over
        ? [label('=', y), ...row(secret, y, 'secret'), { kind: 'text', x: 178, y: y + 6, role, text: end }]
        : []),
    ],
  };
}
