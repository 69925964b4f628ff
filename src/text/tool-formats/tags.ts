/** What the formats share that write calls between tags in ordinary text. */
import type { Tokenizer } from '../tokenizer';
import { actionBody, specialIn, type MalformedCall, type ParsedAction, type WrittenCall } from './tool-format';

export interface Tags {
  readonly open: string;
  readonly close: string;
}

/**
 * Reads a turn that is text: its calls stand between the tags, with words around them if the agent likes.
 * @param readCall of a text between tags
 * @param readAnswer of a turn without tags
 */
export function parseTagged(
  tokens: readonly number[],
  tokenizer: Tokenizer,
  { open, close }: Tags,
  readCall: (text: string) => WrittenCall | MalformedCall,
  readAnswer: (text: string) => ParsedAction,
): ParsedAction {
  const body = actionBody(tokens, tokenizer);
  const stray = specialIn(body, tokenizer);
  if (stray) return { kind: 'unreadable', problem: `A turn cannot contain ${stray}: leave it out.` };
  const text = tokenizer.decode(body);
  const calls: (WrittenCall | MalformedCall)[] = [];
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) {
      calls.push({ text: text.slice(start), problem: `${open} has no ${close}: end the call with it.` });
      break;
    }
    calls.push(readCall(text.slice(start, end)));
    at = end + close.length;
  }
  // A lost opening tag must not turn a call into an answer and end the episode.
  if (calls.length === 0 && text.includes(close))
    calls.push({ text, problem: `There is ${close} without ${open}: begin the call with it.` });
  return calls.length > 0 ? { kind: 'calls', calls } : readAnswer(text);
}

/**
 * Tokens of a turn that the host writes for an agent, its end included: tags are tokens where the tokenizer has such.
 * @param write the turn; `text` makes what it is given safe, so that only the writer's own tags are tags
 */
export function encodeTurn(tokenizer: Tokenizer, write: (text: (given: string) => string) => string): number[] {
  const { markup, special } = tokenizer;
  const ids = markup ? markup.encode(write(markup.guard)) : tokenizer.encode(write((given) => given));
  return [...ids, special.ends[0]];
}

/** @throws a sentence if the text has one of the tags, which would be read as more than text */
export function requireNoTags(text: string, tags: readonly string[], where: string): void {
  const tag = tags.find((each) => text.includes(each));
  if (tag) throw new Error(`${where} cannot contain ${tag}: it would be read as a tag.`);
}

/** Printable ASCII: code, JSON and descriptions may hold any of it. */
export const printable = '\n' + Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
