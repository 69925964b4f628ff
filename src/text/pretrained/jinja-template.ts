/**
 * A model's chat template, rendered within bounds. `@huggingface/jinja` interprets it, and is loaded only here. A
 * stranger may have written it, so these are bounded: its length, the values that it makes (characters and items), the
 * work of a rendering (a value costs what it holds, each time it is looked at) and its depth. `replace` and filters
 * that repeat an argument get short ones. Time of day is not there: equal messages give equal text.
 */
import type { Environment, Interpreter } from '@huggingface/jinja';
import type { Json } from '../../lib/json';
import { plainText } from '../../lib/plain-text';

const maxTemplateCharacters = 1 << 16;
const maxCharacters = 1 << 18;
const maxItems = 1 << 12;
const maxWork = 1 << 20;
const maxDepth = 256;
/** A loop makes a scope for each item. */
const loopWork = 16;
/** Of an argument that a filter or a method may repeat. */
const maxArgument = 256;
/** Characters that cost as much as an item. */
const charactersPerItem = 64;

export type Render = (variables: Readonly<Record<string, Json>>) => string;

type Node = Parameters<Interpreter['evaluate']>[0];
type Value = ReturnType<Interpreter['evaluate']>;
type Library = typeof import('@huggingface/jinja');

/** @throws a sentence if it is no template; what it returns throws a sentence if it fails or does not end in bounds */
export async function jinjaTemplate(text: string): Promise<Render> {
  if (text.length > maxTemplateCharacters)
    throw wrong(`it has ${text.length} characters, and at most ${maxTemplateCharacters} are read`);
  const library = await import('@huggingface/jinja');
  const BoundedInterpreter = boundedInterpreter(library);
  const program = inWords(() => library.parse(library.tokenize(text, { lstrip_blocks: true, trim_blocks: true })));
  return (variables) =>
    inWords(() => {
      const environment = new library.Environment();
      for (const [name, value] of Object.entries({ ...globals, ...variables })) environment.set(name, value);
      return String(new BoundedInterpreter(environment).run(program).value);
    });
}

const globals = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  raise_exception(message: unknown): never {
    throw new Error(String(message));
  },
  range(...given: unknown[]): number[] {
    const [start, stop, step = 1] = (given.length === 1 ? [0, ...given] : given) as number[];
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (!(length <= maxItems)) throw new Error(`a list would have ${length} items, and at most ${maxItems} are made`);
    return Array.from({ length }, (_, i) => start + i * step);
  },
};

/** What a rendering has cost. A value costs what it holds. */
class Work {
  private spent = 0;
  private readonly costs = new WeakMap<Value, number>();

  spend(work: number): void {
    this.spent += work;
    if (this.spent > maxWork) throw new Error('it does not end within the work that a rendering may take');
  }

  /** @param outer a namespace may hold values, but nothing may hold a namespace */
  costOf(value: Value | undefined, outer = false): number {
    if (value === undefined) return 1;
    const { value: held, type } = value as { value: unknown; type: string };
    if (typeof held === 'string') {
      if (held.length <= maxCharacters) return 1 + held.length / charactersPerItem;
      throw new Error(`a text has ${held.length} characters, and at most ${maxCharacters} are made`);
    }
    const isNamespace = type === 'NamespaceValue';
    if (isNamespace && !outer) throw new Error('a namespace is put into another value');
    if (!Array.isArray(held) && !(held instanceof Map)) return 1;
    const known = isNamespace ? undefined : this.costs.get(value);
    if (known !== undefined) return known;
    const items = [...(held.values() as Iterable<Value>)];
    if (items.length > maxItems) throw new Error(`a list has ${items.length} items, and at most ${maxItems} are made`);
    const cost = items.reduce((sum, item) => sum + this.costOf(item), 1);
    if (cost > maxWork / 8) throw new Error('a list holds too much');
    this.costs.set(value, cost);
    return cost;
  }

  /** Of an argument that a filter or a method may repeat. */
  requireShort(value: Value): void {
    const { value: held } = value as { value: unknown };
    const length = typeof held === 'string' ? held.length : this.costOf(value, true) * charactersPerItem;
    const size = typeof held === 'number' ? Math.abs(held) : length;
    if (!(size <= maxArgument)) throw new Error('an argument of a filter or method is too long');
  }
}

/** An interpreter that counts what it does: every expression passes `evaluate`. */
function boundedInterpreter({ Interpreter }: Library): typeof Interpreter {
  return class extends Interpreter {
    private readonly work = new Work();
    private depth = 0;
    /** What loops go through. */
    private readonly loops = new WeakSet<NonNullable<Node>>();

    override evaluate(node: Node, scope: Environment): Value {
      if (this.depth >= maxDepth) throw new Error(`it nests deeper than ${maxDepth} levels`);
      this.depth++;
      try {
        if (node?.type === 'For') this.loops.add(iterableOf(node));
        for (const argument of filterArguments(node)) this.work.requireShort(this.evaluate(argument, scope));
        const value = super.evaluate(node, scope);
        const isLooped = node !== undefined && this.loops.has(node);
        this.work.spend(this.work.costOf(value, true) + (isLooped ? loopWork * lengthOf(value) : 0));
        return node?.type === 'MemberExpression' && value?.type === 'FunctionValue' ? this.bounded(value) : value;
      } finally {
        this.depth--;
      }
    }

    /** A method that refuses long arguments. */
    private bounded(method: Value): Value {
      const call = method.value as (args: Value[], scope: Environment) => Value;
      const value: typeof call = (args, scope) => {
        for (const argument of args) this.work.requireShort(argument);
        return call(args, scope);
      };
      const type = method.type;
      return Object.assign(Object.create(Object.getPrototypeOf(method) as object) as Value, { type, value });
    }
  };
}

/** What a filter is given beside its operand. */
function filterArguments(node: Node): readonly NonNullable<Node>[] {
  const { filter } = (node ?? {}) as { filter?: Filter };
  if (filter?.type !== 'CallExpression' || filter.callee?.value === 'default') return [];
  return (filter.args ?? []).map((argument) => {
    if (argument.type.includes('Spread')) throw new Error('arguments of a filter are spread');
    return argument.type === 'KeywordArgumentExpression' ? argument.value! : argument;
  });
}

type Filter = NonNullable<Node> & {
  readonly callee?: { readonly value?: unknown };
  readonly args?: readonly (NonNullable<Node> & { readonly value?: NonNullable<Node> })[];
};

function iterableOf(node: NonNullable<Node>): NonNullable<Node> {
  const { iterable } = node as unknown as { iterable: NonNullable<Node> & { lhs?: NonNullable<Node> } };
  return iterable.type === 'SelectExpression' ? iterable.lhs! : iterable;
}

function lengthOf({ value }: { value: unknown }): number {
  return Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0;
}

function inWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw wrong(reasonOf(error as Error));
  }
}

function reasonOf(error: Error): string {
  // The stack of the parser, before anything is counted.
  if (error instanceof RangeError) return 'it nests too deep';
  const message = plainText(error.message.replace(/[.\s]+$/, ''), 200);
  // The library ends loops by errors without a message.
  return message === '' ? 'it ends a loop where there is none' : message;
}

const wrong = (what: string) => new Error(`The chat template cannot be used: ${what}.`);
