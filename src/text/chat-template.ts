/**
 * Messages to token ids. The layout, one turn after another: `<system>text<end>`, `<user>text<end>`,
 * `<assistant>tokens<end>`, `<tool>text<end>`. Roles and ends are written here by id, and texts are encoded one by one
 * as ordinary tokens: no text can become a role, end a turn or join with its neighbour. So appending messages appends
 * tokens and changes none that stand.
 */
import { special, specialTokens, type Tokenizer } from './tokenizer';
import type { ToolFormat } from './tool-formats/tool-format';

/** One chat message. `tokens`: what the policy sampled; they are repeated as they are and the text is not looked at. */
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

/** What stands before an action: the assistant's turn is open and the policy continues it. */
export function renderReplyHeader(): number[] {
  return [special['<assistant>']];
}

function closed(tokens: readonly number[]): readonly number[] {
  return tokens.at(-1) === special['<end>'] ? tokens : [...tokens, special['<end>']];
}

/** An action's text for people: special tokens by their names, without the final `<end>`. Never encoded again. */
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
