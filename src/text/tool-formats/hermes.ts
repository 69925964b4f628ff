/**
 * The Hermes format, as language models of the Qwen and Hermes families write it:
 * `<tool_call>\n{"name":…,"arguments":{…}}\n</tool_call>` in ordinary text, several calls if it likes and words around
 * them; a turn without a call is the answer. The tags are text here, not special tokens, but they count only in what
 * the policy sampled.
 */
import type { Json } from '../../lib/json';
import { special } from '../tokenizer';
import { parseArgumentJson } from './argument-json';
import { actionBody, specialIn, type MalformedCall, type ToolFormat, type WrittenCall } from './tool-format';

const open = '<tool_call>';
const close = '</tool_call>';

export const hermes: ToolFormat = {
  name: 'hermes',

  encodeCalls(calls, _tools, tokenizer) {
    const text = calls
      .map((call) => `${open}\n${JSON.stringify({ name: call.name, arguments: call.arguments })}\n${close}`)
      .join('\n');
    return [...tokenizer.encode(text), special['<end>']];
  },

  encodeAnswer(text, tokenizer) {
    if (text.includes(open) || text.includes(close))
      throw new Error(`An answer in the hermes format cannot contain ${open} or ${close}: it would be read as a call.`);
    return [...tokenizer.encode(text), special['<end>']];
  },

  parse(tokens, _tools, tokenizer) {
    const body = actionBody(tokens);
    const stray = specialIn(body);
    if (stray) return { kind: 'unreadable', problem: `A turn cannot contain ${stray}.` };
    const text = tokenizer.decode(body);
    const calls = readCalls(text);
    if (calls.length > 0) return { kind: 'calls', calls };
    // A lost opening tag must not turn a call into an answer and end the episode.
    if (text.includes(close))
      return { kind: 'calls', calls: [{ text, problem: `There is ${close} without ${open}.` }] };
    return { kind: 'answer', text };
  },

  describeTools(tools) {
    if (tools.length === 0) return '';
    const signatures = tools.map(({ name, description, parameters }) =>
      JSON.stringify({ type: 'function', function: { name, description, parameters } }),
    );
    return [
      'You may call one or more functions to answer the user. Their signatures are within <tools></tools>:',
      `<tools>\n${signatures.join('\n')}\n</tools>`,
      `For each call write a JSON object with the function's name and arguments within ${open}${close}:`,
      `${open}\n{"name": <name>, "arguments": <arguments object>}\n${close}`,
    ].join('\n');
  },

  errorText: (_kind, sentence) => `error: ${sentence}`,

  // Printable ASCII: JSON and tool descriptions may hold any of it.
  alphabet: () => '\n' + Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(''),
};

function readCalls(text: string): (WrittenCall | MalformedCall)[] {
  const calls: (WrittenCall | MalformedCall)[] = [];
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) {
      calls.push({ text: text.slice(start), problem: `${open} has no ${close}.` });
      break;
    }
    calls.push(readCall(text.slice(start, end)));
    at = end + close.length;
  }
  return calls;
}

function readCall(text: string): WrittenCall | MalformedCall {
  const parsed = parseArgumentJson(text);
  if ('problem' in parsed) return { text, problem: `The call cannot be read. ${parsed.problem}` };
  const call = parsed.value as { readonly name?: Json; readonly arguments?: Json } | null;
  if (typeof call !== 'object' || call === null || typeof call.name !== 'string')
    return { text, problem: 'A call is an object with a "name" and "arguments".' };
  return { name: call.name, arguments: call.arguments ?? {} };
}
