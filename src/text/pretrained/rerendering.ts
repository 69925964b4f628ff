/**
 * What a model's own template makes of a whole conversation, sampled turns too. Nothing is trained on it: it shows what
 * rendering them again would change.
 */
import type { Json } from '../../lib/json';
import type { ChatMessage } from '../chat-template';
import { textOf } from '../image';
import { hermesAsPython } from '../tool-formats/hermes';
import { actionBody, type ToolSignature, type WrittenCall } from '../tool-formats/tool-format';
import { guardedJson, toolRecords } from './chatml';
import type { Render } from './jinja-template';
import type { PretrainedTokenizer } from './pretrained-tokenizer';

/**
 * @param tools that the template describes, if it describes any
 * @param messages with the tokens of sampled turns @throws a sentence if the template does not render them
 */
export function rerendered(
  { tokenizer, render }: { readonly tokenizer: PretrainedTokenizer; readonly render: Render },
  tools: readonly ToolSignature[],
  messages: readonly ChatMessage[],
): readonly number[] {
  const { markup } = tokenizer;
  const takesCalls = writesCalls(render);
  const records = messages.map((message) =>
    message.role === 'assistant' && message.tokens
      ? turnOf(message.tokens, tokenizer, takesCalls)
      : guardedJson({ role: message.role, content: textOf(message.content) }, markup),
  );
  const described = tools.length > 0 && { tools: guardedJson(toolRecords(tools), markup) };
  return markup.encode(render({ messages: records, ...described, add_generation_prompt: false }));
}

/** A sampled turn as templates take it. Its text is the agent's own, so names of tokens in it are tokens. */
function turnOf(tokens: readonly number[], tokenizer: PretrainedTokenizer, takesCalls: boolean): Json {
  const action = hermesAsPython.parse(tokens, [], tokenizer);
  const isCall = (call: object): call is WrittenCall => !('problem' in call);
  if (!takesCalls || action.kind !== 'calls' || !action.calls.every(isCall))
    return { role: 'assistant', content: tokenizer.decode(actionBody(tokens, tokenizer)) };
  const calls = action.calls.map(({ name, arguments: given }) => functionCall(name, given));
  return { role: 'assistant', content: '', tool_calls: calls };
}

const functionCall = (name: string, given: Json): Json => ({ type: 'function', function: { name, arguments: given } });

/** Whether the template writes calls that it is given as a list; others are given the text of a turn. */
function writesCalls(render: Render): boolean {
  const call = { role: 'assistant', content: '', tool_calls: [functionCall('probe_of_calls', {})] };
  const messages = [{ role: 'user', content: 'hi' }, call];
  return render({ messages, add_generation_prompt: false }).includes('probe_of_calls');
}
