/** The length of code. */

const encoder = new TextEncoder();

/** Length as UTF-8, which is what the limit counts. */
export const byteLength = (text: string): number => encoder.encode(text).length;
