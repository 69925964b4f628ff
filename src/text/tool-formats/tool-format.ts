/**
 * What a tool-call format is: how an agent writes a call or an answer, and how the host reads it back from the ids that
 * were sampled. A format never reads a transcript, so text that only looks like a call is not one. It runs nothing and
 * checks no argument against its schema.
 */
import type { Json } from '../../lib/json';
import { special, specialTokens, type Tokenizer } from '../tokenizer';

/** A tool as the agent is told of it; `parameters` is the JSON schema of its arguments object. */
export interface ToolSignature {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** A call as the agent wrote it: the tool may not exist and the arguments may not fit. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Json;
}

/** A call that cannot be read. `text` is what stands there, `problem` a sentence to the agent. */
export interface MalformedCall {
  readonly text: string;
  readonly problem: string;
}

/** An action as read. `unreadable` is neither a call nor an answer; `problem` is a sentence to the agent. */
export type ParsedAction =
  | { readonly kind: 'calls'; readonly calls: readonly (WrittenCall | MalformedCall)[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

export interface ToolFormat {
  readonly name: 'compact' | 'hermes';
  /**
   * Ids of an assistant turn that makes these calls, `<end>` included. Throws a sentence if the format cannot say them.
   */
  encodeCalls(calls: readonly WrittenCall[], tools: readonly ToolSignature[], tokenizer: Tokenizer): number[];
  /** Ids of an assistant turn that answers, `<end>` included. */
  encodeAnswer(text: string, tokenizer: Tokenizer): number[];
  parse(tokens: readonly number[], tools: readonly ToolSignature[], tokenizer: Tokenizer): ParsedAction;
  /** Part of the system message that tells the agent of its tools; '' if the format leaves that to training. */
  describeTools(tools: readonly ToolSignature[]): string;
  /** What the agent reads when an action failed. `kind` is one word, `sentence` says it in full. */
  errorText(kind: string, sentence: string): string;
  /** Characters that calls and error texts need besides the environment's own, for a character tokenizer. */
  alphabet(tools: readonly ToolSignature[]): string;
}

/** The sampled ids of an action without the final `<end>`. */
export function actionBody(tokens: readonly number[]): readonly number[] {
  return tokens.at(-1) === special['<end>'] ? tokens.slice(0, -1) : tokens;
}

/** The first special token in the ids, or undefined. Inside a call or an answer there must be none. */
export function specialIn(ids: readonly number[]): string | undefined {
  return specialTokens[ids.find((id) => id < specialTokens.length) ?? -1];
}
