/** Finds where a text stops being JSON; the message of `JSON.parse` depends on the engine and often does not say. */
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.source;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.source;
/** A scalar in the first group, or punctuation in the second. */
const token = new RegExp(`[ \\t\\r\\n]*(?:(${text}|${number}|true|false|null)|([[\\]{}:,]))`, 'y');

/** Line and column, from 1, of the first invalid character; past the end if the text is incomplete. */
export function jsonFault(text: string): { readonly line: number; readonly column: number } {
  let at = 0;
  const next = (): string => {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match) at = token.lastIndex;
    return match?.[2] ?? match?.[1] ?? '';
  };
  /** Takes the next token if it is one of those. */
  const take = (...wanted: string[]): string | null => {
    const start = at;
    const found = next();
    if (wanted.includes(found) || (wanted.includes('"') && found.startsWith('"'))) return found;
    at = start;
    return null;
  };
  const value = (): boolean => {
    if (take('[')) return list(']', value);
    if (take('{')) return list('}', () => take('"') !== null && take(':') !== null && value());
    const start = at;
    const scalar = next();
    if (scalar !== '' && !'[]{}:,'.includes(scalar)) return true;
    at = start;
    return false;
  };
  const list = (end: string, item: () => boolean): boolean => {
    if (take(end)) return true;
    do if (!item()) return false;
    while (take(','));
    return take(end) !== null;
  };
  value();
  const lines = text.slice(0, at + /^\s*/.exec(text.slice(at))![0].length).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
