/**
 * What a model's template would make of a whole conversation, beside the tokens that the agent saw and said. Nothing is
 * trained on it: it shows what rendering sampled turns again would change.
 */
import type { Json } from '../../lib/json';
import type { ChatFormat, ChatMessage } from '../chat-template';
import { textOf } from '../image';
import { hermesAsPython } from '../tool-formats/hermes';
import { actionBody, type ToolSignature, type WrittenCall } from '../tool-formats/tool-format';
import { guardedJson, toolRecords } from './chatml';
import type { Render } from './jinja-template';
import type { PretrainedTokenizer } from './pretrained-tokenizer';

export interface Rerendering {
  readonly seen: readonly number[];
  readonly rendered: readonly number[];
  /** Index of the first token that differs; null if the template gives the same ones. */
  readonly differsAt: number | null;
}

/** @param messages with the tokens of sampled turns */
export function rerendering(
  { tokenizer, chatFormat, render }: { tokenizer: PretrainedTokenizer; chatFormat: ChatFormat; render: Render },
  tools: readonly ToolSignature[],
  messages: readonly ChatMessage[],
): Rerendering {
  const { markup } = tokenizer;
  const records = messages.map((message) => recordOf(message, tokenizer));
  const variables = { messages: guardedJson(records, markup), tools: guardedJson(toolRecords(tools), markup) };
  const rendered = markup.encode(render({ ...variables, add_generation_prompt: false }));
  const seen = chatFormat.render(tokenizer, hermesAsPython, messages).tokens;
  const length = Math.max(seen.length, rendered.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => seen[i] !== rendered[i]);
  return { seen, rendered, differsAt: at ?? null };
}

/** A message as templates take it: calls that can be read are a list. */
function recordOf({ role, content, tokens }: ChatMessage, tokenizer: PretrainedTokenizer): Json {
  if (role !== 'assistant' || !tokens) return { role, content: textOf(content) };
  const action = hermesAsPython.parse(tokens, [], tokenizer);
  const isCall = (call: object): call is WrittenCall => !('problem' in call);
  if (action.kind !== 'calls' || !action.calls.every(isCall))
    return { role, content: tokenizer.decode(actionBody(tokens, tokenizer)) };
  const calls = action.calls.map(({ name, arguments: given }) => ({
    type: 'function',
    function: { name, arguments: given },
  }));
  return { role, content: '', tool_calls: calls };
}
