/**
 * Context rules: which messages of an episode the next prompt shows. What the policy sampled is shown token for token
 * or not at all, never rebuilt from text.
 */
import * as v from 'valibot';
import type { Json } from '../lib/json';
import { plainText } from '../lib/plain-text';
import { imagesIn, textOf, type Content, type Image } from '../text/image';
import { readImage, type Reading } from './tool-results';
import type { Message } from './types';

/**
 * - `auto`: the environment's own `context` if it has one, else `append`.
 * - `append`: everything, so that each prompt extends the one before and both share the cache and one segment.
 * - `window`: the question and the last exchanges.
 * - `summary`: the question and what the environment's `summary` makes of the rest.
 * - `policy-summary`: everything, until the prompt passes a budget; then the policy is asked for a summary, which is
 *   sampled and trained like any step and stands for all before it.
 * - `environment`: what the environment's `context` returns.
 */
export const contextRules = ['auto', 'append', 'window', 'summary', 'policy-summary', 'environment'] as const;
export type ContextRule = (typeof contextRules)[number];

export interface ContextOptions {
  readonly rule: ContextRule;
  /** Exchanges that `window` keeps: an action and what the environment replied. */
  readonly exchanges: number;
  /** Tokens of a prompt at which `policy-summary` asks. */
  readonly budget: number;
}

/** What an episode has said so far. */
export interface Conversation {
  /** The system message, the question and the first observation. */
  readonly opening: readonly Message[];
  /** An action, and what the environment replied. */
  readonly exchanges: readonly (readonly Message[])[];
}

/** How the policy is asked for a summary. */
export const summaryRequest: Message = { role: 'user', content: 'summary' };

/** The rule that `auto` stands for. @param hooks functions that the environment exports */
export function effectiveRule({ rule }: Pick<ContextOptions, 'rule'>, hooks: readonly string[]): ContextRule {
  if (rule !== 'auto') return rule;
  return hooks.includes('context') ? 'environment' : 'append';
}

/** A sentence if the environment lacks the function that the rule calls, else null. */
export function contextProblem({ rule }: Pick<ContextOptions, 'rule'>, hooks: readonly string[]): string | null {
  const needed = rule === 'environment' ? 'context' : rule === 'summary' ? 'summary' : null;
  if (needed === null || hooks.includes(needed)) return null;
  return `context.rule: "${rule}" needs an environment that exports ${needed}, and this one does not.`;
}

export function allMessages({ opening, exchanges }: Conversation): Message[] {
  return [...opening, ...exchanges.flat()];
}

export function windowOf({ opening, exchanges }: Conversation, kept: number): Message[] {
  return [...opening, ...exchanges.slice(-kept).flat()];
}

/**
 * Messages as `context` and `summary` get them. `step` numbers the agent's own, from 0; `image` stands for the image of
 * a message, by its index.
 */
export function guestMessages(messages: readonly Message[], stepOf: (message: Message) => number): Json[] {
  return messages.map((message, index): Json => {
    const { role, content } = message;
    const image = imagesIn(content).length > 0 && { image: index };
    return { role, content: textOf(content), ...image, ...(role === 'assistant' && { step: stepOf(message) }) };
  });
}

const json = v.unknown() as unknown as v.GenericSchema<Json, Json>;
const writtenMessage = v.union(
  [
    v.looseObject({ role: v.literal('assistant'), step: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.looseObject({
      role: v.picklist(['system', 'user', 'tool']),
      content: v.union([
        v.pipe(v.string(), v.maxLength(8192)),
        v.pipe(v.array(json), v.maxLength(16, 'a message may show at most 16 texts and images')),
      ]),
      image: v.optional(json),
    }),
  ],
  'a message is { role: "system", "user" or "tool", content: text }, or one of the agent’s own as it was given',
);
type WrittenContent = { readonly content: string | readonly Json[]; readonly image?: Json };
const writtenMessages = v.pipe(
  v.array(writtenMessage, 'the messages must be an array'),
  v.minLength(1, 'there must be at least one message'),
  v.maxLength(256, 'there may be at most 256 messages'),
);

/** What the images of written messages may be. */
interface ImageRules {
  /** The image that a number stands for, undefined if there is none. */
  readonly imageAt: (index: number) => Image | undefined;
  /** Whether the environment declares images. */
  readonly images?: boolean;
}

/**
 * Messages that an environment wrote. An image among them is an image, or a number that stands for one.
 * @param own the agent's message of a step, undefined if there is none
 * @returns the messages, or a sentence about what is wrong
 */
export function readMessages(
  value: Json,
  own: (step: number) => Message | undefined,
  rules: ImageRules,
): readonly Message[] | string {
  const read = v.safeParse(writtenMessages, value);
  if (!read.success) return plainText(read.issues[0].message, 300);
  const messages: Message[] = [];
  for (const message of read.output) {
    if (message.role !== 'assistant') {
      const content = readContent(message, rules);
      if ('problem' in content) return content.problem;
      messages.push({ role: message.role, content: content.value });
    } else {
      const said = own(message.step);
      if (!said) return `the agent has taken no step ${message.step}`;
      messages.push(said);
    }
  }
  return messages;
}

function readContent({ content, image }: WrittenContent, rules: ImageRules): Reading<Content> {
  if (typeof content === 'string' && image === undefined) return { value: content };
  const parts: (string | Image)[] = [];
  for (const part of [...[content].flat(), ...(image === undefined ? [] : [image])]) {
    const read = typeof part === 'string' ? { value: part } : imageFor(part, rules);
    if ('problem' in read) return read;
    parts.push(read.value);
  }
  return { value: parts };
}

function imageFor(given: Json, { imageAt, images }: ImageRules): Reading<Image> {
  if (typeof given === 'number') {
    const image = imageAt(given);
    return image ? { value: image } : { problem: `the number ${given} stands for no image` };
  }
  const read = readImage(given, 'a message', images);
  return 'problem' in read ? { problem: read.problem.slice(0, -1) } : { value: read.value.image! };
}
