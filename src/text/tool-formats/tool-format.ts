/**
 * A tool-call format: how an agent writes a call or an answer, and how the host parses it from sampled tokens. It
 * parses no other text, so a text that only looks like a call is not one. It checks no argument against its schema.
 */
import type { Json } from '../../lib/json';
import type { Tokenizer } from '../tokenizer';

/** `parameters` is the JSON schema of the arguments object. */
export interface ToolSignature {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** A parsed call: the tool may not exist and the arguments may not fit. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Json;
}

/** A call that does not parse. `text` is what the agent wrote, `problem` a sentence to it. */
export interface MalformedCall {
  readonly text: string;
  readonly problem: string;
}

/** `unreadable` is neither a call nor an answer; `problem` is a sentence to the agent. */
export type ParsedAction =
  | { readonly kind: 'calls'; readonly calls: readonly (WrittenCall | MalformedCall)[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

export interface ToolFormat {
  readonly name: string;
  /**
   * Tokens of an assistant turn with these calls, its end included. `parse` gives the same JSON back.
   * @throws a sentence if that is impossible
   */
  encodeCalls(calls: readonly WrittenCall[], tools: readonly ToolSignature[], tokenizer: Tokenizer): number[];
  /** Tokens of an assistant turn that answers, its end included. */
  encodeAnswer(text: string, tokenizer: Tokenizer): number[];
  parse(tokens: readonly number[], tools: readonly ToolSignature[], tokenizer: Tokenizer): ParsedAction;
  /** The part of the system message about tools; '' if the format leaves that to training. */
  describeTools(tools: readonly ToolSignature[]): string;
  /** What the agent reads after a failed action. `kind` is one word, `sentence` the whole reason. */
  errorText(kind: string, sentence: string): string;
  /** Characters of calls and error texts beyond the environment's own, for a character tokenizer. */
  alphabet(tools: readonly ToolSignature[]): string;
}

/** The tokens of an action without the one that ends it. */
export function actionBody(tokens: readonly number[], { special }: Tokenizer): readonly number[] {
  return special.ends.includes(tokens.at(-1)!) ? tokens.slice(0, -1) : tokens;
}

/** The first special token in the ids, or undefined. A call or an answer has none. */
export function specialIn(ids: readonly number[], { special }: Tokenizer): string | undefined {
  const found = ids.find((id) => special.name(id) !== undefined);
  return found === undefined ? undefined : special.name(found);
}

/** The only parameter of a tool, if it is a string or a number: it can be written without JSON. */
export function bareParameter(tool: ToolSignature): { readonly name: string; readonly numeric: boolean } | null {
  const { properties } = Object(tool.parameters) as { properties?: Record<string, { type?: Json }> };
  const entries = Object.entries(properties ?? {});
  if (entries.length !== 1) return null;
  const [name, { type }] = entries[0];
  if (type === 'string') return { name, numeric: false };
  return type === 'number' || type === 'integer' ? { name, numeric: true } : null;
}
