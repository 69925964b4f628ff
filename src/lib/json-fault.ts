/**
 * Finds where a text stops being JSON; the message of `JSON.parse` depends on the engine and often does not say. Any
 * size and depth: it neither recurses nor backtracks.
 */
const blanks = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const plain = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What may come next in the list or object at hand. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Line and column, from 1, of the first invalid character; past the end if the text is incomplete. */
export function jsonFault(text: string): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, endOf(blanks, text, faultAt(text))).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** The end of the last token that is in its place. */
function faultAt(text: string): number {
  /** Brackets that are open. */
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    const start = endOf(blanks, text, at);
    const character = text[start] ?? '';
    const next = after(expected, character, open);
    if (next === null) return at;
    const end = '[{]}:,'.includes(character) ? start + 1 : endOfScalar(text, start);
    if (end === start) return at;
    [at, expected] = [end, next];
  }
}

/** What is expected after the token that begins with `character`; null if that may not stand here. */
function after(expected: Expected, character: string, open: string[]): Expected | null {
  const isEnd = character !== '' && '}]'.includes(character);
  if (isEnd) {
    if (!expected.endsWith('end') || open.pop() !== (character === ']' ? '[' : '{')) return null;
    return open.length === 0 ? 'nothing' : 'comma or end';
  }
  switch (expected) {
    case 'value':
    case 'value or end':
      if (character === '' || ',:'.includes(character)) return null;
      if (character === '[' || character === '{') {
        open.push(character);
        return character === '[' ? 'value or end' : 'key or end';
      }
      return open.length === 0 ? 'nothing' : 'comma or end';
    case 'key':
    case 'key or end':
      return character === '"' ? 'colon' : null;
    case 'colon':
      return character === ':' ? 'value' : null;
    case 'comma or end':
      if (character !== ',') return null;
      return open.at(-1) === '[' ? 'value' : 'key';
    case 'nothing':
      return null;
  }
}

/** The end of a text, number or word; `start` if there is none. */
function endOfScalar(text: string, start: number): number {
  if (text[start] !== '"') return endOf(scalar, text, start);
  for (let at = start + 1; ;) {
    at = endOf(plain, text, at);
    if (text[at] === '"') return at + 1;
    const next = endOf(escape, text, at);
    if (next === at) return start;
    at = next;
  }
}

/** Where a match at `start` ends; `start` if there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
