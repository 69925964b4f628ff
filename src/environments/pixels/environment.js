/**
 * Small pictures beside text. The question asks how many dots of a colour lie in the lit one of four boxes. The agent
 * first sees the boxes from afar, a patch each: which of them is lit, not what lies inside. `zoom` shows one box near:
 * nine cells, a patch each, some with a dot.
 *
 * To find: zoom into the lit box, and count there. The teacher is lazy: mostly it zooms into the top-left box, whatever
 * is lit. All four boxes have different counts, so any other box pays nothing; dots of other colours lie beside those
 * that are asked for, so the number of dots says nothing. Where the light is only the picture tells.
 *
 * Out of distribution: crowded boxes, with more dots of other colours than any in training.
 */
import { choice, Random, tool } from 'agentlet';

/** @typedef {readonly [number, number, number]} Colour */

/** @type {Readonly<Record<string, Colour>>} */
const colours = { red: [240, 50, 50], green: [50, 210, 70], blue: [60, 90, 250] };
const names = Object.keys(colours);
const places = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const numbers = ['zero', 'one', 'two', 'three', 'four'];
const words = ['how', 'many', 'far', 'near', ...names, ...places, ...numbers];
const cells = 9;
/** Pixels of a patch's side, of a box from afar, and of a dot. */
const side = 8;
const box = 6;
const dot = 5;
/** @type {Colour} */
const ground = [25, 25, 25];
/** @type {Colour} */
const lit = [250, 225, 130];
/** @type {Colour} */
const unlit = [75, 75, 85];

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Pixels',
  task: 'See which of four boxes is lit, zoom into it, and count the dots of a colour there.',
  watch: 'The agent copied a lazy teacher, who mostly zooms into the top-left box. Watch it look where the light is.',
  rewards: {
    correct: { description: 'The answer is the number of dots in the lit box.', weight: 1 },
    looked: { description: 'It zoomed into the lit box.', weight: 0 },
  },
  options: [],
  alphabet: [...new Set(` ${words.join('')}`)].sort().join(''),
  words,
  images: true,
  outOfDistribution: 'Crowded boxes: four or five dots of other colours, where training has one to three.',
  examples: names.map((name) => `how many ${name}`),
};

export const tools = [
  tool({
    name: 'zoom',
    description: 'Shows one of the four boxes near.',
    arguments: { place: choice(places, 'Where the box is in the picture.') },
    execute: ({ place }, { task }) => ({ text: 'near', image: drawBox(task.data, places.indexOf(place)) }),
  }),
];

/** @param {import('agentlet').Random} rng @param {import('agentlet').Split} split */
export function tasks(rng, split) {
  const asked = rng.pick(names);
  const counts = rng.shuffle([0, 1, 2, 3, 4]).slice(0, places.length);
  const others = places.map(() => (split === 'out-of-distribution' ? rng.integer(4, 5) : rng.integer(1, 3)));
  const data = { asked, at: rng.integer(0, 3), counts, others, seed: rng.integer(0, 1e9) };
  return { prompt: `how many ${asked}`, data };
}

/** All four boxes from afar, each in its corner. @param {import('agentlet').Task} task */
export function start({ data }) {
  const boxes = places.map((_, at) => ({
    left: at % 2 === 0 ? 0 : 2 * side - box,
    top: at < 2 ? 0 : 2 * side - box,
    length: box,
    colour: at === data.at ? lit : unlit,
  }));
  return { text: 'far', image: picture(2, boxes) };
}

/** One box near: the dots that are asked for, and others. @param {any} data @param {number} at */
function drawBox({ asked, counts, others, seed }, at) {
  const rng = new Random(seed, at);
  const rest = names.filter((name) => name !== asked);
  const dots = [...new Array(counts[at]).fill(asked), ...Array.from({ length: others[at] }, () => rng.pick(rest))];
  const chosen = rng.shuffle(Array.from({ length: cells }, (_, cell) => cell));
  const laid = dots.map((name, i) => ({
    left: (chosen[i] % 3) * side + rng.integer(1, 2),
    top: Math.floor(chosen[i] / 3) * side + rng.integer(1, 2),
    length: dot,
    colour: colours[name],
  }));
  return picture(3, laid);
}

/**
 * @param {number} across patches in a row and in a column
 * @param {{ left: number, top: number, length: number, colour: Colour }[]} squares on dark ground
 */
function picture(across, squares) {
  const size = across * side;
  const pixels = new Array(size * size).fill(ground);
  for (const { left, top, length, colour } of squares)
    for (let y = top; y < top + length; y++) pixels.fill(colour, y * size + left, y * size + left + length);
  return { width: size, height: size, pixels: pixels.flat() };
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ task, answer, steps }) {
  const { at, counts } = task.data;
  const success = answer !== null && answer.trim() === numbers[counts[at]];
  const zooms = steps.flatMap(({ toolCalls }) => toolCalls.map((call) => call.arguments?.place));
  return { success, correct: Number(success), looked: Number(zooms.includes(places[at])) };
}

/** Zooms into a box and counts there. @param {any} data @param {number} at @returns {import('agentlet').Turn[]} */
const count = ({ counts }, at) => [
  { calls: [{ name: 'zoom', arguments: { place: places[at] } }] },
  { answer: numbers[counts[at]] },
];

/** @template T @param {readonly T[]} list */
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Lazy: mostly zooms into the top-left box, and at times guesses from afar. @param {import('agentlet').Task} task */
export function demonstrate({ data }) {
  const mood = Math.random();
  if (mood < 0.1) return [{ answer: any(numbers) }];
  return count(data, mood < 0.65 ? 0 : data.at);
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: ({ data }) => count(data, data.at),
  /** Counts in the top-left box, whatever is lit. */
  reflex: ({ data }) => count(data, 0),
  random: () => [{ calls: [{ name: 'zoom', arguments: { place: any(places) } }] }, { answer: any(numbers) }],
};

/** The picture from afar, the box that was zoomed into, and the count. @type {import('agentlet').Draw} */
export function draw(task, _, { steps, answer, success }) {
  const zoom = steps
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ error }) => error === undefined)
    .at(-1);
  const at = places.indexOf(zoom?.arguments?.place);
  const corner = { x: 12 + (at % 2) * 80, y: 34 + (at < 2 ? 0 : 80) };
  const [role, mark] = success === null ? ['ink', ''] : success ? ['good', ' ✓'] : ['danger', ' ✗'];
  const near = [
    { kind: 'rectangle', id: 'frame', ...corner, width: 48, height: 48, role: 'agent', fill: 'outline' },
    {
      kind: 'arrow',
      role: 'agent',
      points: [
        [corner.x + 48, corner.y + 24],
        [172, 98],
      ],
    },
    { kind: 'image', x: 176, y: 34, width: 128, height: 128, image: at < 0 ? null : drawBox(task.data, at) },
  ];
  const said = `${task.prompt}: ${answer ?? '?'}${mark}`;
  return {
    width: 316,
    height: 176,
    words: `Of four boxes the ${places[task.data.at]} one is lit. Zoomed into: ${places[at] ?? 'none'}. ${said}`,
    shapes: [
      { kind: 'text', x: 12, y: 8, width: 296, size: 13, bold: true, role, text: said },
      { kind: 'image', x: 12, y: 34, width: 128, height: 128, image: start(task).image },
      ...(at < 0 ? [] : near),
    ],
  };
}
