/**
 * The format for tiny models: one special token says what the action is. `<call>search Ada Lovelace<end>` or
 * `<answer>1815<end>`.
 * - With exactly one tool its name is left out: `<call>37*4<end>`.
 * - A tool with one string or number parameter takes it bare, as above; any other takes its arguments object as JSON:
 *   `<call>move {"x":1,"y":2}<end>`. One call a turn. Tools are not described to the agent: it learns them.
 */
import type { Json } from '../../lib/json';
import { special } from '../tokenizer';
import { parseArgumentJson } from './argument-json';
import {
  actionBody,
  specialIn,
  type MalformedCall,
  type ToolFormat,
  type ToolSignature,
  type WrittenCall,
} from './tool-format';

interface BareParameter {
  readonly name: string;
  readonly numeric: boolean;
}

// JSON's numbers, and no other: Number() would also read '', ' 7 ' and '0x10'.
const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

export const compact: ToolFormat = {
  name: 'compact',

  encodeCalls(calls, tools, tokenizer) {
    if (calls.length !== 1)
      throw new Error(
        `The compact format writes one tool call a turn, not ${calls.length}; split the turn or use hermes.`,
      );
    return [special['<call>'], ...tokenizer.encode(callText(calls[0], tools)), special['<end>']];
  },

  encodeAnswer: (text, tokenizer) => [special['<answer>'], ...tokenizer.encode(text), special['<end>']],

  parse(tokens, tools, tokenizer) {
    const [marker, ...payload] = actionBody(tokens);
    if (marker !== special['<call>'] && marker !== special['<answer>'])
      return { kind: 'unreadable', problem: 'A turn must begin with <call> or <answer>.' };
    const stray = specialIn(payload);
    const text = tokenizer.decode(payload);
    if (marker === special['<answer>'])
      return stray ? { kind: 'unreadable', problem: `An answer cannot contain ${stray}.` } : { kind: 'answer', text };
    return {
      kind: 'calls',
      calls: [stray ? { text, problem: `A call cannot contain ${stray}.` } : readCall(text, tools)],
    };
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
  const written = bare ? String((call.arguments as Record<string, Json>)[bare.name]) : JSON.stringify(call.arguments);
  return tools.length === 1 ? written : `${tool.name} ${written}`;
}

function readCall(text: string, tools: readonly ToolSignature[]): WrittenCall | MalformedCall {
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

/** The single string or number parameter of a tool, which is then written without JSON. */
function bareParameter(tool: ToolSignature): BareParameter | null {
  const { properties } = Object(tool.parameters) as { properties?: Record<string, { type?: Json }> };
  const entries = Object.entries(properties ?? {});
  if (entries.length !== 1) return null;
  const [name, { type }] = entries[0];
  if (type === 'string') return { name, numeric: false };
  return type === 'number' || type === 'integer' ? { name, numeric: true } : null;
}
