/** The contract of tokenizers. `encode` returns ordinary tokens only; the host alone writes special tokens, by id. */

/** Special tokens, in id order: id 0 is padding. Their texts are for display and for the template's documentation. */
export const specialTokens = [
  '<pad>',
  '<system>',
  '<user>',
  '<assistant>',
  '<tool>',
  '<end>',
  '<call>',
  '<answer>',
] as const;
export type SpecialToken = (typeof specialTokens)[number];

export const special = Object.fromEntries(specialTokens.map((name, id) => [name, id])) as Readonly<
  Record<SpecialToken, number>
>;

/** Ids that no text becomes, and no call and no answer has within. */
export interface SpecialIds {
  readonly ids: readonly number[];
  /** A turn ends with any of these. The host ends one with the first. */
  readonly ends: readonly [number, ...number[]];
  /** For display; undefined for an ordinary id. */
  name(id: number): string | undefined;
}

/** Those of `specialTokens`. */
export const ownSpecialIds: SpecialIds = {
  ids: specialTokens.map((_, id) => id),
  ends: [special['<end>']],
  name: (id) => specialTokens[id],
};

/** Text of the host, in which names of tokens are these tokens: `<tool_call>` is one id. */
export interface Markup {
  /** Text of others as a part of it: no name of a token is read in what is returned, nor across its borders. */
  guard(text: string): string;
  encode(text: string): number[];
}

/** Kinds of tokenizers that are made for an environment, as a config names them. */
export const tokenizerKinds = ['character', 'word', 'byte', 'bpe'] as const;
export type TokenizerKind = (typeof tokenizerKinds)[number];

export interface Tokenizer {
  readonly kind: TokenizerKind | 'pretrained';
  /** Number of ids, special tokens included (V). */
  readonly size: number;
  readonly special: SpecialIds;
  /** Id at the place of an image's patch; only the host writes it there. */
  readonly image?: number;
  /** Not given: no token has a name in text. */
  readonly markup?: Markup;
  /** Ordinary ids for any text; text that the vocabulary lacks becomes the tokenizer's fallback id(s). */
  encode(text: string): number[];
  /** Text of ids; special ids give ''. */
  decode(ids: readonly number[]): string;
  /** Text of one id for display; special ids give their name. */
  label(id: number): string;
  /** Plain JSON from which `tokenizerFromJson` rebuilds an equal tokenizer; of a pretrained one what it must equal. */
  toJson(): TokenizerJson;
}

export type TokenizerJson = (
  | { readonly kind: 'character'; readonly alphabet: string }
  | { readonly kind: 'word'; readonly alphabet: string; readonly words: readonly string[] }
  | { readonly kind: 'byte' }
  | { readonly kind: 'bpe'; readonly merges: readonly (readonly [number, number])[] }
  | { readonly kind: 'pretrained'; readonly sha256: string }
) & { readonly images?: true };

/** The label of every id, for display. */
export function vocabularyOf(tokenizer: Tokenizer): string[] {
  return Array.from({ length: tokenizer.size }, (_, id) => tokenizer.label(id));
}
