/**
 * How byte-pair encoding cuts text before it merges: no merge crosses a chunk's border. A digit is a chunk of its own,
 * so numbers are always single digits, place by place: with merged digits, `37*4` and `137*4` would share no tokens and
 * a small model could not learn to carry. Chunks are at most 33 characters, which bounds both the time of encoding and
 * the length of a token.
 */
const pattern = / ?\p{L}{1,32}|[0-9]| ?[^\s\p{L}0-9]{1,32}|\s{1,32}/gu;

/** Longest token in bytes that the chunks allow: 33 characters of 4 bytes. */
export const maxTokenBytes = 132;

/** The pieces of a text in order; joined they are the text. */
export function chunksOf(text: string): string[] {
  return text.match(pattern) ?? [];
}
