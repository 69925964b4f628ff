/** Texts of scenes are written in a font of one width, so that what fits into a box is known before it is drawn. */

/** Width of a character, in sizes of the font. */
export const advance = 0.62;

/** The text, cut to a width; empty where not even a sign of the cut fits. */
export function cut(text: string, width: number, size: number): string {
  const characters = [...text];
  const room = Math.floor(width / (size * advance) + 1e-9);
  if (characters.length <= room) return text;
  return room < 2 ? characters.slice(0, Math.max(0, room)).join('') : `${characters.slice(0, room - 1).join('')}…`;
}

/** The text in lines of a width, broken between words; the last line is cut. */
export function linesOf(
  text: string,
  { width, size, lines }: { readonly width: number; readonly size: number; readonly lines: number },
): string[] {
  const room = Math.floor(width / (size * advance) + 1e-9);
  const found: string[] = [];
  let rest = text;
  while (found.length < lines - 1 && [...rest].length > room) {
    const start = [...rest].slice(0, room + 1).join('');
    const at = start.lastIndexOf(' ');
    if (at <= 0) break;
    found.push(start.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...found, cut(rest, width, size)].filter((line) => line !== '');
}
