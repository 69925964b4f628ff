/**
 * Fits a reflex to an environment: a decision tree from words of what the agent is shown to what the oracle does next.
 * It has no memory and reasons about nothing, so what it solves is no evidence that an agent learned to do either.
 */
import type { WrittenCall } from '../text/tool-formats/tool-format';

/** What the agent is shown before a turn: the task's prompt, and the last message, which at first is the prompt. */
export interface Shown {
  readonly prompt: string;
  readonly last: string;
}

export type Turn = { readonly answer: string } | { readonly calls: readonly WrittenCall[] };

/** A turn of the oracle. */
export interface Example {
  readonly shown: Shown;
  readonly turn: Turn;
}

/** What is done at the prompt, and what after a result. */
export interface Reflex {
  readonly first: Tree;
  readonly later: Tree;
}

type Tree = Rule | Choice;

/** One look at the last message, and what follows from what is seen. */
interface Choice {
  readonly look: Look;
  readonly branches: ReadonlyMap<string, Tree>;
  /** What follows from what was seldom seen. */
  readonly otherwise: Tree;
  /** What is done without the look. */
  readonly rule: Rule;
}

/** At the word at a place, counted from the end if negative; for a word anywhere; or at the length in words. */
type Look =
  | { readonly kind: 'at'; readonly place: number }
  | { readonly kind: 'has'; readonly word: string }
  | { readonly kind: 'longer'; readonly than: number };

/** A turn as JSON whose words are numbered blanks, and what fills each of them. */
interface Rule {
  readonly shape: string;
  readonly fills: readonly Fill[];
}

/** A text that was shown, or a word of it, counted from the end if negative; or always the same word. */
type Fill = { readonly from: keyof Shown; readonly at: number | 'all' } | { readonly always: string };

/** An example, taken apart once. `fills`: all that would fill each blank rightly, as JSON. */
interface Parts {
  readonly words: readonly string[];
  readonly shape: string;
  readonly fills: readonly (readonly string[])[];
}

/** Places of words that are looked at or copied, from the beginning of a text and from its end. */
const places = [...Array(8).keys()].flatMap((i) => [i, -1 - i]);
/** Words that a node may look for: those that divide its examples most evenly. */
const triedWords = 60;
const triedLengths = 8;
/** A branch with fewer examples would learn them by heart. */
const leastExamples = 4;

/** @param depth most looks before an action */
export function fitReflex(examples: readonly Example[], depth: number): Reflex {
  const grown = (part: readonly Example[]) => grow(part.map(partsOf), depth);
  return { first: grown(examples.filter(isFirst)), later: grown(examples.filter((each) => !isFirst(each))) };
}

/** What the reflex does. @param looks most looks; with fewer than it was fitted for, it is the simpler reflex */
export function act({ first, later }: Reflex, shown: Shown, looks: number): Turn {
  const words = wordsOf(shown.last);
  let tree = isFirst({ shown }) ? first : later;
  for (let left = looks; left > 0 && 'look' in tree; left--)
    tree = tree.branches.get(seen(tree.look, words)) ?? tree.otherwise;
  return fillIn('look' in tree ? tree.rule : tree, shown);
}

const isFirst = ({ shown }: Pick<Example, 'shown'>): boolean => shown.last === shown.prompt;

function grow(examples: readonly Parts[], depth: number): Tree {
  const { rule, right } = ruleOf(examples);
  let best = { worth: right, split: null as Split | null };
  if (depth > 0 && right < examples.length)
    for (const look of looksAt(examples)) {
      const split = splitBy(look, examples);
      const worth = worthOf(split);
      if (worth > best.worth) best = { worth, split };
    }
  if (!best.split) return rule;
  const { look, branches, rest } = best.split;
  return {
    look,
    branches: new Map([...branches].map(([key, branch]) => [key, grow(branch, depth - 1)])),
    otherwise: isLarge(rest) ? grow(rest, depth - 1) : rule,
    rule,
  };
}

/** Examples that rules behind the split repeat; each branch costs one, so that many small ones are no gain. */
function worthOf({ branches, rest }: Split): number {
  const parts = [...branches.values(), ...(isLarge(rest) ? [rest] : [])];
  return parts.reduce((sum, part) => sum + ruleOf(part).right - 1, 0);
}

const isLarge = (examples: readonly Parts[]): boolean => examples.length >= leastExamples;

interface Split {
  readonly look: Look;
  readonly branches: ReadonlyMap<string, readonly Parts[]>;
  /** Examples of branches that are too small. */
  readonly rest: readonly Parts[];
}

function splitBy(look: Look, examples: readonly Parts[]): Split {
  const groups = new Map<string, Parts[]>();
  for (const each of examples) {
    const key = seen(look, each.words);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const branches = new Map([...groups].filter(([, group]) => isLarge(group)));
  return { look, branches, rest: [...groups.values()].filter((group) => !isLarge(group)).flat() };
}

function seen(look: Look, words: readonly string[]): string {
  switch (look.kind) {
    case 'at':
      return words.at(look.place) ?? '';
    case 'has':
      return String(words.includes(look.word));
    case 'longer':
      return String(words.length > look.than);
  }
}

function looksAt(examples: readonly Parts[]): Look[] {
  const fromHalf = (count: number) => Math.abs(count - examples.length / 2);
  const words = [...counted(examples.map((each) => each.words))].sort(([, a], [, b]) => fromHalf(a) - fromHalf(b));
  const lengths = [...new Set(examples.map((each) => each.words.length))].sort((a, b) => a - b);
  const every = Math.ceil(lengths.length / triedLengths);
  return [
    ...places.map((place) => ({ kind: 'at', place }) as const),
    ...words.slice(0, triedWords).map(([word]) => ({ kind: 'has', word }) as const),
    ...lengths.filter((_, i) => i % every === 0).map((than) => ({ kind: 'longer', than }) as const),
  ];
}

/** The most frequent shape with the most frequent fills, and how many examples it repeats. */
function ruleOf(examples: readonly Parts[]): { rule: Rule; right: number } {
  const shape = mostFrequent(examples.map((each) => [each.shape]));
  if (shape === undefined) return { rule: { shape: '{"answer":""}', fills: [] }, right: 0 };
  let alike = examples.filter((each) => each.shape === shape);
  // Each fill is chosen among the examples that the fills before it repeat.
  const fills = alike[0].fills.map((_, blank): Fill => {
    const fill = mostFrequent(alike.map((each) => each.fills[blank]))!;
    alike = alike.filter((each) => each.fills[blank].includes(fill));
    return JSON.parse(fill) as Fill;
  });
  return { rule: { shape, fills }, right: alike.length };
}

/** How many lists have each item. */
function counted(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const item of new Set(list)) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The item that most lists have, the first of those that are equally frequent. */
function mostFrequent(lists: readonly (readonly string[])[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const [item, count] of counted(lists)) if (count > most) [best, most] = [item, count];
  return best;
}

const word = /[\p{L}\p{N}]+/gu;
const blank = /\u0000(\d+)\u0000/gu;
const wordsOf = (text: string): string[] => text.match(word) ?? [];

function partsOf({ shown, turn }: Example): Parts {
  const fills: string[][] = [];
  const blankOf = (found: readonly Fill[]) =>
    `\u0000${fills.push(found.map((fill) => JSON.stringify(fill))) - 1}\u0000`;
  const shape = mapValues(turn, (text) => {
    const whole = (['last', 'prompt'] as const).filter((from) => shown[from] === text && text !== '');
    if (whole.length > 0) {
      const alone = wordsOf(text).length === 1 && wordsOf(text)[0] === text ? fillsOf(text, shown) : [];
      return blankOf([...whole.map((from) => ({ from, at: 'all' as const })), ...alone]);
    }
    return text.replace(word, (each) => blankOf(fillsOf(each, shown)));
  });
  return {
    words: wordsOf(shown.last),
    shape: JSON.stringify(shape),
    fills,
  };
}

function fillsOf(value: string, shown: Shown): Fill[] {
  const fills: Fill[] = [];
  for (const from of ['last', 'prompt'] as const) {
    const words = wordsOf(shown[from]);
    for (const at of places) if (words.at(at) === value) fills.push({ from, at });
  }
  return [...fills, { always: value }];
}

function fillIn({ shape, fills }: Rule, shown: Shown): Turn {
  return mapValues(JSON.parse(shape) as Turn, (text) =>
    text.replace(blank, (_, index: string) => textOf(fills[Number(index)], shown)),
  );
}

function textOf(fill: Fill, shown: Shown): string {
  if ('always' in fill) return fill.always;
  const text = shown[fill.from];
  return fill.at === 'all' ? text : (wordsOf(text).at(fill.at) ?? '');
}

/** A turn with other texts in its answer or its arguments. Numbers stay numbers. */
function mapValues(turn: Turn, change: (text: string) => string): Turn {
  if ('answer' in turn) return { answer: change(turn.answer) };
  const changed = (_: string, value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    return value;
  };
  const calls = turn.calls.map(({ name, arguments: given }) => ({
    name,
    arguments: JSON.parse(JSON.stringify(given), changed) as WrittenCall['arguments'],
  }));
  return { calls };
}
