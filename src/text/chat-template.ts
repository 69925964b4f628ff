/**
 * Messages to token ids, one turn after another: `<system>text<end>`, `<user>text<end>`, `<assistant>tokens<end>`,
 * `<tool>text<end>`, with an `<image>` for each patch of an image. Roles and ends are written by id and each text is
 * encoded by itself, so no text can become a role, end a turn or merge with its neighbour, and appending messages only
 * appends tokens.
 */
import { assert } from '../lib/assert';
import { patchCount, textOf, type Content, type PlacedImage } from './image';
import { ownSpecialIds, special, type Tokenizer } from './tokenizer';
import { actionBody, type ToolFormat } from './tool-formats/tool-format';

/** One chat message. `tokens`: sampled by the policy; they are repeated, and the text is ignored. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: Content;
  readonly tokens?: readonly number[];
}

/** How messages become the tokens of a prompt, and what a reply looks like. */
export interface ChatFormat {
  /** Token ids of messages, and the images among them. */
  render(tokenizer: Tokenizer, format: ToolFormat, messages: readonly ChatMessage[]): RenderedMessages;
  /** The one in which the model was trained to call tools; not given: any. */
  readonly toolFormat?: ToolFormat;
  /** Whether `render` tells the agent of the tools, so that no message has to. */
  readonly describesTools?: boolean;
  /** Opens the turn that the policy continues. */
  readonly replyHeader: readonly number[];
  /** An action as text for display. Never encoded again. */
  show(tokens: readonly number[], tokenizer: Tokenizer): string;
  /**
   * Token ids that a template of the model's own makes of a whole conversation, sampled turns too; not given: there is
   * none. Only to be looked at. @throws a sentence if the template does not render it
   */
  rerender?(messages: readonly ChatMessage[]): readonly number[];
}

export interface RenderedMessages {
  readonly tokens: number[];
  readonly images?: PlacedImage[];
}

/** Sampling stops after any of these. */
export const stopTokens: readonly number[] = ownSpecialIds.ends;

/**
 * Token ids of the messages, and the images among them. An assistant's message without `tokens` is written as an answer
 * in the tool format; sampled tokens that were cut before `<end>` get one from the host.
 */
export function renderMessages(
  tokenizer: Tokenizer,
  format: ToolFormat,
  messages: readonly ChatMessage[],
): RenderedMessages {
  const tokens: number[] = [];
  const images: PlacedImage[] = [];
  for (const { role, content, tokens: sampled } of messages) {
    tokens.push(special[`<${role}>`]);
    if (role === 'assistant') tokens.push(...closed(sampled ?? format.encodeAnswer(textOf(content), tokenizer)));
    else {
      for (const part of [content].flat()) {
        if (typeof part === 'string') tokens.push(...tokenizer.encode(part));
        else {
          assert(tokenizer.image !== undefined, 'an image is to be shown to a model without images');
          images.push({ at: tokens.length, image: part });
          tokens.push(...new Array<number>(patchCount(part)).fill(tokenizer.image));
        }
      }
      tokens.push(special['<end>']);
    }
  }
  return { tokens, ...(images.length > 0 && { images }) };
}

/** The open assistant turn, which the policy continues. */
export function renderReplyHeader(): number[] {
  return [special['<assistant>']];
}

function closed(tokens: readonly number[]): readonly number[] {
  return tokens.at(-1) === special['<end>'] ? tokens : [...tokens, special['<end>']];
}

/** An action as text for display: special tokens by name, without the token that ends it. Never encoded again. */
export function showAction(tokens: readonly number[], tokenizer: Tokenizer): string {
  let text = '';
  let run: number[] = [];
  for (const id of actionBody(tokens, tokenizer)) {
    const name = tokenizer.special.name(id);
    if (name === undefined) run.push(id);
    else {
      text += tokenizer.decode(run) + name;
      run = [];
    }
  }
  return text + tokenizer.decode(run);
}

/** The format of this file: a special token for each role, and one for the end of a turn. */
export const specialTokenChat: ChatFormat = {
  render: renderMessages,
  replyHeader: renderReplyHeader(),
  show: showAction,
};
