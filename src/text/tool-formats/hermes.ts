/**
 * The Hermes format, as language models of the Qwen and Hermes families write it:
 * `<tool_call>\n{"name":…,"arguments":{…}}\n</tool_call>` in ordinary text, several calls if it likes and words around
 * them; a turn without a call is the answer. The tags are text here, not special tokens, but they count only in what
 * the policy sampled.
 */
import { pythonJson, type Json } from '../../lib/json';
import { parseArgumentJson } from './argument-json';
import { encodeTurn, requireNoTags, parseTagged, printable } from './tags';
import type { MalformedCall, ToolFormat, WrittenCall } from './tool-format';

const open = '<tool_call>';
const close = '</tool_call>';

export const hermes = hermesWith(JSON.stringify);

/** With spaces in its JSON, as models have read it that were trained in Python. */
export const hermesAsPython = hermesWith(pythonJson);

function hermesWith(write: (value: Json) => string): ToolFormat {
  return {
    name: 'hermes',

    encodeCalls(calls, _tools, tokenizer) {
      const written = calls.map(({ name, arguments: given }) => write({ name, arguments: given }));
      return encodeTurn(tokenizer, (text) => written.map((call) => `${open}\n${text(call)}\n${close}`).join('\n'));
    },

    encodeAnswer(text, tokenizer) {
      requireNoTags(text, [open, close], 'An answer in the hermes format');
      return [...tokenizer.encode(text), tokenizer.special.ends[0]];
    },

    parse: (tokens, _tools, tokenizer) =>
      parseTagged(tokens, tokenizer, { open, close }, readCall, (text) => ({ kind: 'answer', text })),

    describeTools(tools) {
      if (tools.length === 0) return '';
      const signatures = tools.map(({ name, description, parameters }) =>
        write({ type: 'function', function: { name, description, parameters } }),
      );
      return [
        'You may call one or more functions to answer the user. Their signatures are within <tools></tools>:',
        `<tools>\n${signatures.join('\n')}\n</tools>`,
        `For each call write a JSON object with the function's name and arguments within ${open}${close}:`,
        `${open}\n{"name": <name>, "arguments": <arguments object>}\n${close}`,
      ].join('\n');
    },

    errorText: (_kind, sentence) => `error: ${sentence}`,

    alphabet: () => printable,
  };
}

function readCall(text: string): WrittenCall | MalformedCall {
  const parsed = parseArgumentJson(text);
  if ('problem' in parsed) return { text, problem: `The call cannot be read. ${parsed.problem}` };
  const call = parsed.value as { readonly name?: Json; readonly arguments?: Json } | null;
  if (typeof call !== 'object' || call === null || typeof call.name !== 'string')
    return { text, problem: 'Write the call as an object with a "name" and "arguments".' };
  return { name: call.name, arguments: call.arguments ?? {} };
}
