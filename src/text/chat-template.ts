/**
 * Messages to token ids, one turn after another: `<system>text<end>`, `<user>text<end>`, `<assistant>tokens<end>`,
 * `<tool>text<end>`. Roles and ends are written by id and each text is encoded by itself, so no text can become a role,
 * end a turn or merge with its neighbour, and appending messages only appends tokens.
 */
import { special, specialTokens, type Tokenizer } from './tokenizer';
import type { ToolFormat } from './tool-formats/tool-format';

/** One chat message. `tokens`: sampled by the policy; they are repeated, and the text is ignored. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tokens?: readonly number[];
}

/** Sampling stops after any of these. */
export const stopTokens: readonly number[] = [special['<end>']];

/**
 * Token ids of the messages. An assistant's message without `tokens` is written as an answer in the tool format;
 * sampled tokens that were cut before `<end>` get one from the host.
 */
export function renderMessages(tokenizer: Tokenizer, format: ToolFormat, messages: readonly ChatMessage[]): number[] {
  return messages.flatMap(({ role, content, tokens }) => {
    if (role !== 'assistant') return [special[`<${role}>`], ...tokenizer.encode(content), special['<end>']];
    return [special['<assistant>'], ...closed(tokens ?? format.encodeAnswer(content, tokenizer))];
  });
}

/** The open assistant turn, which the policy continues. */
export function renderReplyHeader(): number[] {
  return [special['<assistant>']];
}

function closed(tokens: readonly number[]): readonly number[] {
  return tokens.at(-1) === special['<end>'] ? tokens : [...tokens, special['<end>']];
}

/** An action as text for display: special tokens by name, without the final `<end>`. Never encoded again. */
export function showAction(tokens: readonly number[], tokenizer: Tokenizer): string {
  const shown = tokens.at(-1) === special['<end>'] ? tokens.slice(0, -1) : tokens;
  let text = '';
  let run: number[] = [];
  for (const id of shown) {
    if (id >= specialTokens.length) run.push(id);
    else {
      text += tokenizer.decode(run) + specialTokens[id];
      run = [];
    }
  }
  return text + tokenizer.decode(run);
}
