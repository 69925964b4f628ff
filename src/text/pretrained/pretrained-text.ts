/** The text side of a pretrained model, from its files: its tokenizer, its chat template and what ends its turns. */
import * as v from 'valibot';
import type { ByteSource } from '../../lib/byte-source';
import { firstIssue } from '../../lib/first-issue';
import type { ChatFormat } from '../chat-template';
import type { ToolSignature } from '../tool-formats/tool-format';
import { chatMl, turnEnd } from './chatml';
import { jinjaTemplate, type Render } from './jinja-template';
import { pretrainedTokenizer, type PretrainedTokenizer } from './pretrained-tokenizer';
import { rerendered } from './rerendering';
import { maxTokenizerBytes } from './tokenizer-file';

export interface PretrainedText {
  readonly tokenizer: PretrainedTokenizer;
  /** @throws a sentence if the model's template is not ChatML */
  chatFormat(tools: readonly ToolSignature[]): ChatFormat;
}

/** Names of files that are read here; all but the first may be missing. */
export const textFiles = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'generation_config.json'];

const maxConfigBytes = 4 * 1024 * 1024;

const Named = v.object({ name: v.string(), template: v.string() });
const TokenizerConfig = v.object({ chat_template: v.nullish(v.union([v.string(), v.array(Named)])) });
const Ends = v.object({ eos_token_id: v.nullish(v.union([v.number(), v.array(v.number())])) });

/** @param files by name, as `tokenizer.json` @throws a sentence if they cannot be used */
export async function pretrainedText(files: ReadonlyMap<string, ByteSource>): Promise<PretrainedText> {
  const file = files.get('tokenizer.json');
  if (!file) throw new Error('The model has no tokenizer.json.');
  const [render, ends] = [await templateOf(files), await endsOf(files)];
  const tokenizer = await pretrainedTokenizer(await whole(file, 'tokenizer.json', maxTokenizerBytes), ends);
  const chatFormat = (tools: readonly ToolSignature[]): ChatFormat => {
    const chat = chatMl(tokenizer, { render, tools });
    const described = chat.describesTools ? tools : [];
    return { ...chat, rerender: (messages) => rerendered({ tokenizer, render }, described, messages) };
  };
  return { tokenizer, chatFormat };
}

async function templateOf(files: ReadonlyMap<string, ByteSource>): Promise<Render> {
  const own = files.get('chat_template.jinja');
  if (own) return jinjaTemplate(new TextDecoder().decode(await whole(own, 'chat_template.jinja', maxConfigBytes)));
  const { chat_template: given } = (await config(files, 'tokenizer_config.json', TokenizerConfig)) ?? {};
  const template = Array.isArray(given) ? given.find(({ name }) => name === 'default')?.template : given;
  if (template) return jinjaTemplate(template);
  throw new Error('The model has no chat template, so it cannot be talked to: choose an instruction-tuned one.');
}

/** A turn of ChatML ends with its own token; a sampled one with any that the model names. */
async function endsOf(files: ReadonlyMap<string, ByteSource>): Promise<(string | number)[]> {
  const generation = await config(files, 'generation_config.json', Ends);
  const given = generation?.eos_token_id ?? (await config(files, 'config.json', Ends))?.eos_token_id;
  return [turnEnd, ...[given ?? []].flat()];
}

async function config<T>(
  files: ReadonlyMap<string, ByteSource>,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | null> {
  const file = files.get(name);
  if (!file) return null;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(await whole(file, name, maxConfigBytes)));
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`${name} is not JSON.`) : error;
  }
  const read = v.safeParse(schema, json, { abortEarly: true });
  if (read.success) return read.output;
  throw new Error(`${name} cannot be used: ${firstIssue(read.issues)}.`);
}

async function whole(file: ByteSource, name: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size <= most) return file.read(0, file.size);
  throw new Error(`${name} has ${file.size} bytes, and at most ${most} are read.`);
}
