/** A tokenizer made for one environment: of its characters, its words, bytes, or pairs learned from its prompts. */
import { bpeTokenizer } from './bpe-tokenizer';
import { trainBpe } from './bpe-training';
import { byteTokenizer, byteVocabulary } from './byte-tokenizer';
import { characterTokenizer } from './character-tokenizer';
import { withImages } from './image-tokens';
import { specialTokens, type Tokenizer, type TokenizerKind } from './tokenizer';
import { wordTokenizer } from './word-tokenizer';

export interface TextSettings {
  readonly tokenizer: TokenizerKind;
  /** Number of merged tokens, BPE only. */
  readonly vocabulary: number;
}

/** What a tokenizer learns of an environment. */
export interface EnvironmentText {
  /** Every character that the model may read or write. */
  readonly alphabet: string;
  readonly words: readonly string[];
  readonly images: boolean;
  /** Prompts of tasks, to train byte pairs on. */
  prompts(): Promise<readonly string[]>;
}

export async function environmentTokenizer(settings: TextSettings, environment: EnvironmentText): Promise<Tokenizer> {
  const text = await textTokenizer(settings, environment);
  return environment.images ? withImages(text) : text;
}

async function textTokenizer(settings: TextSettings, environment: EnvironmentText): Promise<Tokenizer> {
  const { alphabet, words } = environment;
  switch (settings.tokenizer) {
    case 'character':
      return characterTokenizer(alphabet);
    case 'word':
      return wordTokenizer(words, alphabet);
    case 'byte':
      return byteTokenizer();
    case 'bpe':
      return bpeTokenizer(trainBpe([alphabet, ...(await environment.prompts())], settings.vocabulary));
  }
}

/** Its size. Of byte pairs the largest: texts with few repeated pairs give fewer tokens. */
export function environmentVocabulary(
  settings: TextSettings,
  { alphabet, words, images }: Omit<EnvironmentText, 'prompts'>,
): number {
  return textVocabulary(settings, alphabet, words) + Number(images);
}

function textVocabulary({ tokenizer, vocabulary }: TextSettings, alphabet: string, words: readonly string[]): number {
  switch (tokenizer) {
    case 'character':
      return specialTokens.length + 1 + new Set(alphabet).size;
    case 'word':
      return wordTokenizer(words, alphabet).size;
    case 'byte':
      return byteVocabulary;
    case 'bpe':
      return Math.max(vocabulary, byteVocabulary);
  }
}
