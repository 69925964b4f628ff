/**
 * Filters of rollouts by an expression: `reward < 0 and turns > 2`. A small parser; nothing is evaluated as code.
 *
 *   or:  and ('or' and)*        and:  not ('and' not)*        not:  'not' not | '(' or ')' | field [operator value]
 *   operator:  < <= > >= = !=        value:  a number, true or false
 *
 * A field without an operator is true where it is not 0. A tool's name counts its calls, a reward term adds up.
 */
import { sum } from '../lib/mean';

/** What a filter reads of a rollout. */
export interface FilteredRollout {
  readonly iteration: number;
  readonly reward: number;
  readonly advantage: number;
  readonly success: boolean;
  readonly steps: readonly {
    readonly tokens: { readonly length: number };
    readonly rewards: Readonly<Record<string, number>>;
    readonly toolCalls: readonly { readonly name: string; readonly error?: string }[];
    readonly error?: string;
  }[];
}

const words = {
  unknownSign: (sign: string) => `“${sign}” has no meaning here.`,
  unknownField: (name: string) => `No rollout here has “${name}”.`,
  expectedField: 'Here a field is missing, such as reward or turns.',
  expectedValue: 'Here a number is missing, or true or false.',
  expectedJoin: 'Here “and” or “or” is missing.',
  noClosing: 'This bracket is never closed.',
  noOpening: 'This bracket was never opened.',
};

/** What a field of a rollout is: true counts as 1. */
type Field = (rollout: FilteredRollout) => number;
export type Test = (rollout: FilteredRollout) => boolean;

export type ParsedFilter =
  | { readonly test: Test; readonly problem: null }
  /** `at`: the character at which it cannot be read, from 0. */
  | { readonly test: null; readonly problem: { readonly sentence: string; readonly at: number } };

/** Tool calls that failed, and actions that could not be used, each counted once. */
export const errorCount = ({ steps }: Pick<FilteredRollout, 'steps'>): number =>
  sum(
    steps.map(({ toolCalls, error }) =>
      Math.max(toolCalls.filter((call) => call.error !== undefined).length, Number(error !== undefined)),
    ),
  );

const fields: Readonly<Record<string, Field>> = {
  reward: ({ reward }) => reward,
  advantage: ({ advantage }) => advantage,
  success: ({ success }) => Number(success),
  turns: ({ steps }) => steps.length,
  tokens: ({ steps }) => sum(steps.map(({ tokens }) => tokens.length)),
  errors: errorCount,
  step: ({ iteration }) => iteration,
};

/** Names that an expression may use with these rollouts: the fields, then reward terms, then tools. */
export function filterNames(rollouts: readonly FilteredRollout[]): string[] {
  const steps = rollouts.flatMap((rollout) => rollout.steps);
  const terms = steps.flatMap(({ rewards }) => Object.keys(rewards));
  const tools = steps.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
  return [...new Set([...Object.keys(fields), ...terms.sort(), ...tools.sort()])].filter((name) => name !== '');
}

function fieldOf(name: string): Field {
  if (Object.hasOwn(fields, name)) return fields[name];
  return ({ steps }) => {
    const terms = steps.flatMap(({ rewards }) => (Object.hasOwn(rewards, name) ? [rewards[name]] : []));
    if (terms.length > 0) return sum(terms);
    return sum(steps.map(({ toolCalls }) => toolCalls.filter((call) => call.name === name).length));
  };
}

/** @param names those of `filterNames` */
export function parseFilter(source: string, names: readonly string[]): ParsedFilter {
  try {
    const parser = new Parser(tokensOf(source), source.trimEnd().length, names);
    return { test: parser.whole(), problem: null };
  } catch (error) {
    if (error instanceof Unreadable) return { test: null, problem: { sentence: error.message, at: error.at } };
    throw error;
  }
}

class Unreadable extends Error {
  constructor(
    sentence: string,
    readonly at: number,
  ) {
    super(sentence);
  }
}

interface Token {
  readonly kind: 'name' | 'number' | 'operator' | 'bracket';
  readonly text: string;
  readonly at: number;
}

const kinds: readonly (readonly [Token['kind'], RegExp])[] = [
  ['number', /-?(\d+\.?\d*|\.\d+)(e-?\d+)?(?![\w.])/iy],
  ['name', /[\p{L}_][\p{L}\d_-]*/uy],
  ['operator', /<=|>=|==|!=|[<>=]/y],
  ['bracket', /[()]/y],
];

function tokensOf(source: string): Token[] {
  // A minus as the page writes it is a minus.
  const plain = source.replaceAll('−', '-');
  const tokens: Token[] = [];
  for (let at = 0; at < plain.length;) {
    if (/\s/.test(plain[at])) {
      at++;
      continue;
    }
    const found = kinds.flatMap(([kind, pattern]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(plain);
      return match ? [{ kind, text: match[0], at }] : [];
    })[0];
    if (!found) throw new Unreadable(words.unknownSign(plain[at]), at);
    tokens.push(found);
    at += found.text.length;
  }
  return tokens;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => near(a, b),
  '==': (a, b) => near(a, b),
  '!=': (a, b) => !near(a, b),
};

/** Sums of rewards round. */
const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

class Parser {
  private next = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly end: number,
    private readonly names: readonly string[],
  ) {}

  whole(): Test {
    const test = this.or();
    if (this.token) throw this.unreadable(this.token.text === ')' ? words.noOpening : words.expectedJoin);
    return test;
  }

  private get token(): Token | undefined {
    return this.tokens[this.next];
  }

  private take(text: string): boolean {
    if (this.token?.text.toLowerCase() !== text) return false;
    this.next++;
    return true;
  }

  private or(): Test {
    const parts = [this.and()];
    while (this.take('or')) parts.push(this.and());
    return (rollout) => parts.some((part) => part(rollout));
  }

  private and(): Test {
    const parts = [this.not()];
    while (this.take('and')) parts.push(this.not());
    return (rollout) => parts.every((part) => part(rollout));
  }

  private not(): Test {
    if (this.take('not')) {
      const test = this.not();
      return (rollout) => !test(rollout);
    }
    const opened = this.token?.at;
    if (!this.take('(')) return this.comparison();
    const test = this.or();
    if (!this.take(')')) throw new Unreadable(words.noClosing, opened ?? 0);
    return test;
  }

  private comparison(): Test {
    const field = this.field();
    const compare = this.token?.kind === 'operator' ? comparisons[this.tokens[this.next++].text] : null;
    if (!compare) return (rollout) => field(rollout) !== 0;
    const value = this.value();
    return (rollout) => compare(field(rollout), value);
  }

  private field(): Field {
    const { token } = this;
    if (token?.kind !== 'name' || reserved.has(token.text.toLowerCase())) throw this.unreadable(words.expectedField);
    const name = this.names.find((each) => each.toLowerCase() === token.text.toLowerCase());
    if (name === undefined) throw this.unreadable(words.unknownField(token.text));
    this.next++;
    return fieldOf(name);
  }

  private value(): number {
    const { token } = this;
    const truth = ['false', 'true'].indexOf(token?.text.toLowerCase() ?? '');
    if (token?.kind !== 'number' && truth < 0) throw this.unreadable(words.expectedValue);
    this.next++;
    return truth < 0 ? Number(token!.text) : truth;
  }

  private unreadable(sentence: string): Unreadable {
    return new Unreadable(sentence, this.token?.at ?? this.end);
  }
}

const reserved = new Set(['and', 'or', 'not', 'true', 'false']);

export interface Suggestion {
  readonly name: string;
  /** The expression with the name in the place of what is being written. */
  readonly completed: string;
  /** Where writing goes on. */
  readonly caret: number;
}

/** Names that fit what is being written at the caret; all where a field may begin. */
export function suggest(source: string, caret: number, names: readonly string[]): Suggestion[] {
  const before = source.slice(0, caret);
  const [begun] = /[\p{L}_][\p{L}\d_-]*$/u.exec(before) ?? [''];
  const head = before.slice(0, before.length - begun.length);
  if (!/(^|\(|\b(and|or|not))\s*$/i.test(head)) return [];
  return names
    .filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()) && name !== begun)
    .map((name) => {
      const start = `${head}${name} `;
      return { name, completed: start + source.slice(caret).trimStart(), caret: start.length };
    });
}
