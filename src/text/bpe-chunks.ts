/**
 * Cuts text into chunks before byte-pair encoding; no merge crosses a chunk. A digit is a chunk of its own: with merged
 * digits `37*4` and `137*4` would share no tokens, and a small model could not learn to carry. A chunk has at most 33
 * characters, which bounds the time of encoding and the length of a token.
 */
const pattern = / ?\p{L}{1,32}|[0-9]| ?[^\s\p{L}0-9]{1,32}|\s{1,32}/gu;

/** 33 characters of 4 bytes. */
export const maxTokenBytes = 132;

/** The chunks of a text in order; joined they are the text. */
export function chunksOf(text: string): string[] {
  return text.match(pattern) ?? [];
}
