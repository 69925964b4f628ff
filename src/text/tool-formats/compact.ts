/**
 * The format for tiny models: special tokens begin each call, `<call>search Ada Lovelace<call>search Alan Turing<end>`,
 * or the answer, `<answer>1815<end>`.
 * - With exactly one tool its name is left out: `<call>37*4<end>`.
 * - A tool with one string or number parameter takes it bare, as above; any other takes its arguments object as JSON,
 *   `<call>move {"x":1,"y":2}<end>`, and nothing if that is empty: `<call>look<end>`.
 * - Tools are not described to the agent: it learns them.
 */
import type { Json } from '../../lib/json';
import { special, type Tokenizer } from '../tokenizer';
import { parseArgumentJson } from './argument-json';
import {
  actionBody,
  bareParameter,
  specialIn,
  type MalformedCall,
  type ToolFormat,
  type ToolSignature,
  type WrittenCall,
} from './tool-format';

// JSON's numbers, and no other: Number() would also read '', ' 7 ' and '0x10'.
const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

export const compact: ToolFormat = {
  name: 'compact',

  encodeCalls(calls, tools, tokenizer) {
    const texts = calls.map((call) => callText(call, tools));
    return [...texts.flatMap((text) => [special['<call>'], ...tokenizer.encode(text)]), tokenizer.special.ends[0]];
  },

  encodeAnswer: (text, tokenizer) => [special['<answer>'], ...tokenizer.encode(text), tokenizer.special.ends[0]],

  parse(tokens, tools, tokenizer) {
    const body = actionBody(tokens, tokenizer);
    if (body[0] === special['<call>'])
      return { kind: 'calls', calls: splitCalls(body).map((payload) => readCall(payload, tools, tokenizer)) };
    if (body[0] !== special['<answer>'])
      return { kind: 'unreadable', problem: 'A turn must begin with <call> or <answer>.' };
    const payload = body.slice(1);
    const stray = specialIn(payload, tokenizer);
    if (stray) return { kind: 'unreadable', problem: `An answer cannot contain ${stray}: leave it out.` };
    return { kind: 'answer', text: tokenizer.decode(payload) };
  },

  describeTools: () => '',

  // A sentence would fill a tiny context; the tool's own message is the environment's to keep short.
  errorText: (kind, sentence) => `error: ${kind === 'tool-error' ? sentence : kind}`,

  alphabet(tools) {
    const json = tools.every(bareParameter)
      ? ''
      : '{}[]",:.-+eE0123456789\\' + JSON.stringify(tools.map((tool) => tool.parameters));
    return 'abcdefghijklmnopqrstuvwxyz:- ' + tools.map((tool) => tool.name).join('') + json;
  },
};

function callText(call: WrittenCall, tools: readonly ToolSignature[]): string {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool)
    throw new Error(
      `There is no tool called ${JSON.stringify(call.name)}; there are ${tools.map(({ name }) => name).join(', ')}.`,
    );
  const bare = bareParameter(tool);
  const json = JSON.stringify(call.arguments);
  const written = bare ? String((call.arguments as Record<string, Json>)[bare.name]) : json === '{}' ? '' : json;
  return [tools.length === 1 ? '' : tool.name, written].filter(Boolean).join(' ');
}

/** What follows each `<call>`. The body begins with one. */
function splitCalls(body: readonly number[]): number[][] {
  const payloads: number[][] = [];
  for (const id of body) {
    if (id === special['<call>']) payloads.push([]);
    else payloads.at(-1)!.push(id);
  }
  return payloads;
}

function readCall(
  payload: readonly number[],
  tools: readonly ToolSignature[],
  tokenizer: Tokenizer,
): WrittenCall | MalformedCall {
  const text = tokenizer.decode(payload);
  const stray = specialIn(payload, tokenizer);
  if (stray === '<answer>') return { text, problem: 'A call cannot contain <answer>: answer in a turn of its own.' };
  if (stray) return { text, problem: `A call cannot contain ${stray}: leave it out.` };
  const space = text.indexOf(' ');
  const name = tools.length === 1 ? tools[0].name : space < 0 ? text : text.slice(0, space);
  const written = tools.length === 1 ? text : space < 0 ? '' : text.slice(space + 1);
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return { name, arguments: written };
  const bare = bareParameter(tool);
  if (bare)
    return {
      name,
      arguments: { [bare.name]: bare.numeric && numberPattern.test(written) ? Number(written) : written },
    };
  const parsed = parseArgumentJson(written || '{}');
  return 'problem' in parsed
    ? { text, problem: `The arguments of ${name} cannot be read. ${parsed.problem}` }
    : { name, arguments: parsed.value };
}
