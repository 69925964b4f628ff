/**
 * Conversations of models that write ChatML and Hermes calls (Qwen2.5, Qwen3, SmolLM2). Their template renders the
 * opening: system, tools and the question. Later turns are appended by this file, and what was sampled is repeated
 * as it is: templates change earlier turns (Qwen3 drops their thoughts), so none renders a conversation again.
 */
import { assert } from '../../lib/assert';
import type { Json } from '../../lib/json';
import { quoted } from '../../lib/plain-text';
import { showAction, type ChatFormat, type ChatMessage } from '../chat-template';
import { imagesIn, textOf } from '../image';
import { hermesAsPython } from '../tool-formats/hermes';
import type { ToolFormat, ToolSignature } from '../tool-formats/tool-format';
import type { Markup } from '../tokenizer';
import type { Render } from './jinja-template';
import type { PretrainedTokenizer } from './pretrained-tokenizer';

export const turnEnd = '<|im_end|>';
const turnStart = '<|im_start|>';

/** Openings whose tokens are kept: a group shares one, and each turn begins with it again. */
const maxOpenings = 512;

/** A template and the tools that it describes. */
export interface ChatTemplate {
  readonly render: Render;
  readonly tools: readonly ToolSignature[];
}

/** @throws a sentence if the template is not ChatML */
export function chatMl(tokenizer: PretrainedTokenizer, { render, tools }: ChatTemplate): ChatFormat {
  const { markup } = tokenizer;
  const header = replyHeaderOf(render);
  const records = guardedJson(toolRecords(tools), markup);
  const describesTools = tools.length > 0 && describes(render);
  const openings = new Map<string, readonly number[]>();

  const openingTokens = (messages: readonly ChatMessage[]): readonly number[] => {
    if (messages.length === 0) return [];
    const plain = messages.map(({ role, content }) => ({ role, content: onlyText(content) }));
    const key = JSON.stringify(plain);
    const known = openings.get(key);
    if (known) return known;
    const variables = { messages: guardedJson(plain, markup), ...(describesTools && { tools: records }) };
    const tokens = markup.encode(render({ ...variables, add_generation_prompt: false }));
    if (openings.size >= maxOpenings) openings.clear();
    openings.set(key, tokens);
    return tokens;
  };

  return {
    toolFormat: hermesAsPython,
    describesTools,
    replyHeader: markup.encode(header),
    show: showAction,
    render(_tokenizer, format, messages) {
      const later = messages.findIndex(({ role }) => role === 'assistant' || role === 'tool');
      const opened = later < 0 ? messages.length : later;
      const turns = laterTurns(messages.slice(opened), { tokenizer, format, header });
      return { tokens: [...openingTokens(messages.slice(0, opened)), ...turns] };
    },
  };
}

interface TurnOptions {
  readonly tokenizer: PretrainedTokenizer;
  readonly format: ToolFormat;
  readonly header: string;
}

/** Text between two sampled turns is encoded as one, as a template's rendering would be. */
function laterTurns(messages: readonly ChatMessage[], { tokenizer, format, header }: TurnOptions): number[] {
  const { markup, special } = tokenizer;
  const tokens: number[] = [];
  let text = '';
  messages.forEach(({ role, content, tokens: sampled }, i) => {
    if (role === 'assistant') {
      const turn = sampled ?? format.encodeAnswer(onlyText(content), tokenizer);
      const isEnded = special.ends.includes(turn.at(-1)!);
      tokens.push(...markup.encode(text + header), ...turn);
      text = isEnded ? '\n' : `${turnEnd}\n`;
    } else if (role === 'tool') {
      // Results of one turn are one message of the user.
      const [before, after] = [messages[i - 1]?.role, messages[i + 1]?.role];
      if (before !== 'tool') text += `${turnStart}user`;
      text += `\n<tool_response>\n${markup.guard(onlyText(content))}\n</tool_response>`;
      if (after !== 'tool') text += `${turnEnd}\n`;
    } else text += `${turnStart}${role}\n${markup.guard(onlyText(content))}${turnEnd}\n`;
  });
  return [...tokens, ...markup.encode(text)];
}

/** What opens a reply, without thoughts where the template lets one ask for that. */
function replyHeaderOf(render: Render): string {
  const messages = [{ role: 'user', content: 'hi' }];
  const question = render({ messages, add_generation_prompt: false });
  const whole = render({ messages, add_generation_prompt: true, enable_thinking: false });
  if (!question.endsWith(`${turnStart}user\nhi${turnEnd}\n`))
    throw wrong(`a question ends in ${quoted(question.slice(-40), 40)}`);
  const header = whole.slice(question.length);
  if (!whole.startsWith(question) || !header.startsWith(`${turnStart}assistant\n`))
    throw wrong(`a reply begins with ${quoted(header, 40)}`);
  return header;
}

/** Whether the template tells the agent of tools. */
function describes(render: Render): boolean {
  const tools = toolRecords([{ name: 'probe_of_tools', description: '', parameters: {} }]);
  const messages = [{ role: 'user', content: 'hi' }];
  return render({ messages, tools, add_generation_prompt: false }).includes('probe_of_tools');
}

/** Tools as chat templates take them. */
export const toolRecords = (tools: readonly ToolSignature[]): Json[] =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));

/** All texts of a value, so that none is read as a token's name. */
export function guardedJson(value: Json, markup: Markup): Json {
  if (typeof value === 'string') return markup.guard(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => guardedJson(item, markup));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, Json]) => [markup.guard(key), guardedJson(item, markup)]),
  );
}

function onlyText(content: ChatMessage['content']): string {
  assert(imagesIn(content).length === 0, 'an image is to be shown to a model without images');
  return textOf(content);
}

const wrong = (what: string) =>
  new Error(`The chat template is not ChatML, which is the only one that is supported: ${what}.`);
