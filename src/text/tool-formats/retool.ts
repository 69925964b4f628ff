/**
 * The code tags of ReTool (Feng et al. 2025, arXiv 2504.11536), for an environment with one tool that takes a text,
 * such as an interpreter: `<code>…</code>` in ordinary text calls it with the text between, several times a turn if the
 * agent likes. A turn without code is the answer; of `The sum is <answer>132</answer>` that is 132. The tags are text,
 * as in hermes.
 */
import type { Json } from '../../lib/json';
import { requireNoTags, parseTagged, printable } from './tags';
import { bareParameter, type ParsedAction, type ToolFormat, type ToolSignature } from './tool-format';

const [open, close] = ['<code>', '</code>'];
const [openAnswer, closeAnswer] = ['<answer>', '</answer>'];

export const retool: ToolFormat = {
  name: 'retool',

  encodeCalls(calls, tools, tokenizer) {
    const tool = requireCodeTool(tools);
    const blocks = calls.map(({ name, arguments: given }) => {
      const code = (given as Record<string, Json> | null)?.[tool.parameter];
      if (name !== tool.name || typeof code !== 'string')
        throw new Error(`The retool format calls ${tool.name} with a text as ${tool.parameter}, and nothing else.`);
      requireNoTags(code, [close], 'Code in the retool format');
      return `${open}${code}${close}`;
    });
    return [...tokenizer.encode(blocks.join('\n')), tokenizer.special.ends[0]];
  },

  encodeAnswer(text, tokenizer) {
    requireNoTags(text, [open, close, openAnswer, closeAnswer], 'An answer in the retool format');
    return [...tokenizer.encode(text), tokenizer.special.ends[0]];
  },

  parse(tokens, tools, tokenizer) {
    const tool = codeTool(tools);
    const readCall = (text: string) =>
      tool
        ? { name: tool.name, arguments: { [tool.parameter]: text } }
        : { text, problem: `No tool takes code here: answer without ${open}.` };
    return parseTagged(tokens, tokenizer, { open, close }, readCall, readAnswer);
  },

  describeTools(tools) {
    if (tools.length === 0) return '';
    requireCodeTool(tools);
    const [{ name, description }] = tools;
    return [
      `You may write code within ${open}${close}, which is given to ${name} (${description}), and read the result.`,
      `Then answer within ${openAnswer}${closeAnswer}, in a turn without ${open}.`,
    ].join('\n');
  },

  errorText: (_kind, sentence) => `error: ${sentence}`,

  alphabet: () => printable,
};

interface CodeTool {
  readonly name: string;
  readonly parameter: string;
}

/** The only tool, if its only parameter is a text. */
function codeTool(tools: readonly ToolSignature[]): CodeTool | null {
  const parameter = tools.length === 1 ? bareParameter(tools[0]) : null;
  return parameter && !parameter.numeric ? { name: tools[0].name, parameter: parameter.name } : null;
}

function requireCodeTool(tools: readonly ToolSignature[]): CodeTool {
  const tool = codeTool(tools);
  if (tool) return tool;
  const names = tools.map(({ name }) => name).join(', ');
  throw new Error(
    `The retool format is for an environment with one tool that takes one text; this one has ${names || 'no tool'}. ` +
      'Choose compact or hermes.',
  );
}

function readAnswer(text: string): ParsedAction {
  const start = text.indexOf(openAnswer);
  const end = text.indexOf(closeAnswer);
  if (start < 0 && end < 0) return { kind: 'answer', text };
  if (start < 0 || end < start)
    return { kind: 'unreadable', problem: `Write the answer between ${openAnswer} and ${closeAnswer}.` };
  return { kind: 'answer', text: text.slice(start + openAnswer.length, end) };
}
