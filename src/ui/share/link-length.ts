/** Where a link of a given length fits. */

/** Discord's limit with room for a word, and the length every server must take (RFC 9110). */
const chatLength = 1900;
const safeLength = 8000;

export type LinkSize = 'fits' | 'long' | 'tooLong';

export const linkSize = (characters: number): LinkSize =>
  characters <= chatLength ? 'fits' : characters <= safeLength ? 'long' : 'tooLong';
