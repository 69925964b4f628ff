/**
 * The attack corpus: hostile tool code and links, each with what a correct system does about it. Two files of ours, or
 * the file that `AGENTLET_ATTACKS` names in place of the first. A check that is not known here is an error, so that
 * none passes unheard.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const outcomes = ['value', 'error', 'killed', 'rejected', 'ignored', 'accepted-inert'] as const;
export type Outcome = (typeof outcomes)[number];

const classes = [
  'escape',
  'exfiltration',
  'exhaustion',
  'determinism',
  'bad-return',
  'token-forgery',
  'ui-injection',
  'share-link',
] as const;
export type AttackClass = (typeof classes)[number];

export interface Check {
  readonly outcome: readonly Outcome[];
  /** What the tool's result is, as JSON. */
  readonly value?: unknown;
  /** Texts that nothing observed may contain. */
  readonly never?: readonly string[];
  readonly maxMs?: number;
  /** Of the verdict's JSON. */
  readonly maxBytes?: number;
  readonly sameTwice?: boolean;
  /** The next call in the same guest works. */
  readonly after?: 'usable';
  /** The next episode finds the guest as it was after loading. */
  readonly freshNextEpisode?: boolean;
  readonly hostUnchanged?: boolean;
  readonly noNetwork?: boolean;
  readonly noSpecialTokens?: boolean;
  readonly renderInert?: boolean;
}

export interface Item {
  readonly name: string;
  readonly class: AttackClass;
  /** Body of `function (args)`; of a link, body of `(h) => payload`. */
  readonly code: string;
  readonly check: Check;
}

/** How each check must look. */
const checkers: Readonly<Record<keyof Check, (value: unknown) => boolean>> = {
  outcome: (value) => [value].flat().length > 0 && [value].flat().every((each) => outcomes.includes(each as Outcome)),
  value: () => true,
  never: (value) => [value].flat().every((each) => typeof each === 'string' && each !== ''),
  maxMs: (value) => typeof value === 'number' && value > 0,
  maxBytes: (value) => typeof value === 'number' && value > 0,
  sameTwice: isFlag,
  after: (value) => value === 'usable',
  freshNextEpisode: isFlag,
  hostUnchanged: isFlag,
  noNetwork: isFlag,
  noSpecialTokens: isFlag,
  renderInert: isFlag,
};

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

/**
 * Items of the corpus and of our own additions. Throws a sentence for what this project cannot check.
 * @param ours pays no heed to the variable
 */
export function readCorpus({ ours = false } = {}): Item[] {
  const [sample, additions] = ['attacks-sample.json', 'own-attacks.json'].map((name) =>
    join(import.meta.dirname, name),
  );
  const files = [(ours ? undefined : process.env.AGENTLET_ATTACKS) ?? sample, additions];
  return files.flatMap((file) => itemsOf(JSON.parse(readFileSync(file, 'utf8')), file));
}

/** @param where names the corpus in messages */
export function itemsOf(corpus: unknown, where: string): Item[] {
  const { items } = Object(corpus) as { items?: unknown };
  if (!Array.isArray(items) || items.length === 0) throw new Error(`${where} has no items.`);
  return items.map((item, i) => readItem(item, `item ${i} of ${where}`));
}

function readItem(item: unknown, where: string): Item {
  const { name, class: path, code, check } = Object(item) as Readonly<Record<string, unknown>>;
  if (
    typeof name !== 'string' ||
    typeof path !== 'string' ||
    typeof code !== 'string' ||
    typeof check !== 'object' ||
    check === null
  )
    throw new Error(`${where} needs a name, a class, code and a check.`);
  const head = path.split('/')[0] as AttackClass;
  if (!classes.includes(head))
    throw new Error(`${where} (${name}) is of the class ${path}, which nothing here knows how to run.`);
  for (const [key, value] of Object.entries(check)) {
    if (!Object.hasOwn(checkers, key))
      throw new Error(`${where} (${name}) asks for the check ${key}, which nothing here can make.`);
    if (!checkers[key as keyof Check](value))
      throw new Error(`${where} (${name}) asks for ${key}: ${JSON.stringify(value)}, which is not understood.`);
  }
  const { outcome, never, ...rest } = check as Readonly<Record<string, unknown>>;
  if (outcome === undefined) throw new Error(`${where} (${name}) names no outcome.`);
  return {
    name,
    class: head,
    code,
    check: {
      ...rest,
      outcome: [outcome].flat() as Outcome[],
      ...(never !== undefined && { never: [never].flat() as string[] }),
    },
  };
}
