/** Text between the tags of HTML or SVG. */
export const escapedXml = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
