/** Command-line arguments by declaration: a command lists its flags and gets typed values, usage text and errors. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../lib/nearest';
import { commandLine } from './place';
import { print } from './terminal';

export interface Flag {
  /** `flag` takes no value; `texts` may be given more than once. */
  readonly kind: 'flag' | 'text' | 'texts' | 'integer' | 'number';
  /** What it does, for the usage text. */
  readonly help: string;
  /** Name of the value in the usage text; default `n`. */
  readonly value?: string;
  readonly min?: number;
}

export interface CommandSpec<F extends Readonly<Record<string, Flag>>> {
  readonly name: string;
  /** Usage of the positional arguments: `<preset | file.json | link>`; empty if there are none. */
  readonly positionals: string;
  readonly count: { readonly min: number; readonly max: number };
  readonly flags: F;
  /** More text for `--help`. */
  readonly more?: () => string;
}

type FlagValue<K extends Flag['kind']> = K extends 'flag'
  ? boolean
  : K extends 'texts'
    ? readonly string[]
    : K extends 'text'
      ? string | undefined
      : number | undefined;

export interface Arguments<F extends Readonly<Record<string, Flag>>> {
  readonly positionals: readonly string[];
  readonly flags: { readonly [Name in keyof F]: FlagValue<F[Name]['kind']> };
}

/**
 * The arguments of a command, or null after printing its usage for `--help`.
 * @throws an Error whose message is a sentence, and a line that names `--help`
 */
export function parseCommand<F extends Readonly<Record<string, Flag>>>(
  spec: CommandSpec<F>,
  args: readonly string[],
): Arguments<F> | null {
  const mistake = (sentence: string) => new Error(`${sentence}\nAll flags: ${commandLine(spec.name, ['--help'])}`);
  if (args.includes('--help') || args.includes('-h')) {
    print(`${[usage(spec), ...(spec.more ? [spec.more()] : [])].join('\n\n')}\n`);
    return null;
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(spec.flags),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags: Record<string, string | number | boolean | readonly string[] | undefined> = {};
  for (const [name, { kind }] of Object.entries(spec.flags))
    flags[name] = kind === 'flag' ? false : kind === 'texts' ? [] : undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(spec.flags, token.name) ? spec.flags[token.name] : undefined;
    if (!flag)
      throw mistake(
        `${spec.name} knows no flag ${token.rawName}.${didYouMean(
          token.rawName,
          Object.keys(spec.flags).map((name) => `--${name}`),
        )}`,
      );
    if (flag.kind === 'flag' && token.value !== undefined) throw mistake(`${token.rawName} takes no value.`);
    const problem = flag.kind === 'flag' ? null : problemWith(flag, token.value);
    if (problem) throw mistake(`${token.rawName} ${problem}.`);
    flags[token.name] = valueOf(flag, token.value ?? '', flags[token.name]);
  }
  if (positionals.length < spec.count.min) throw mistake(`${spec.name} needs ${spec.positionals}.`);
  if (positionals.length > spec.count.max)
    throw mistake(`${spec.name} does not know what to do with "${positionals[spec.count.max]}".`);
  return { positionals, flags: flags as Arguments<F>['flags'] };
}

function valueOf({ kind }: Flag, text: string, before: unknown): string | number | boolean | readonly string[] {
  switch (kind) {
    case 'flag':
      return true;
    case 'text':
      return text;
    case 'texts':
      return [...(before as readonly string[]), text];
    case 'integer':
    case 'number':
      return Number(text);
  }
}

function parserOptions(flags: Readonly<Record<string, Flag>>): Record<string, { type: 'boolean' | 'string' }> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }]),
  );
}

/** A problem of a flag's value, as the rest of a sentence that begins with the flag; or null. */
function problemWith(flag: Flag, value: string | undefined): string | null {
  if (value === undefined || value === '') return `needs a value: ${flag.help}`;
  if (flag.kind === 'text' || flag.kind === 'texts') return null;
  const number = Number(value);
  const kind = flag.kind === 'integer' ? 'a whole number' : 'a number';
  if (!Number.isFinite(number) || (flag.kind === 'integer' && !Number.isSafeInteger(number)))
    return `is "${value}", but must be ${kind}`;
  if (flag.min !== undefined && number < flag.min) return `is ${value}, but must be at least ${flag.min}`;
  return null;
}

function usage(spec: CommandSpec<Readonly<Record<string, Flag>>>): string {
  const rows = Object.entries(spec.flags).map(([name, flag]): [string, string] => [
    flag.kind === 'flag' ? `--${name}` : `--${name} ${flag.value ?? 'n'}`,
    flag.help,
  ]);
  const width = Math.max(...rows.map(([left]) => left.length), 0);
  const words = [spec.positionals, rows.length > 0 ? '[flags]' : ''].filter(Boolean);
  const head = `Usage: ${commandLine(spec.name, words)}`;
  return [head, ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)].join('\n');
}
