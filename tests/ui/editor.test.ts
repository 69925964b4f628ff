/** The environment editor's logic: places, marks of mistakes, file names, lengths of links. */
import { javascript } from '@codemirror/lang-javascript';
import { EditorState, Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { fileNameOf, placeIn, placeOf } from '../../src/ui/panels/editor/source';
import { mistakes, mistakesIn, setFindings } from '../../src/ui/panels/editor/mistakes';
import { linkSize } from '../../src/ui/base/address';

const code = 'const a = 1;\n\nconst b = ;';
const stateOf = (doc: string) => EditorState.create({ doc, extensions: [javascript(), mistakes] });

describe('places', () => {
  it('are read in what the sandbox says, with a column or without', () => {
    expect(placeIn('SyntaxError: unexpected token (environment.js:3:11)')).toEqual({ line: 3, column: 11 });
    expect(placeIn('a tool failed: Error at environment.js:7')).toEqual({ line: 7, column: 1 });
    expect(placeIn('The oracle solves 32 of 32 tasks.')).toBeNull();
  });

  it('are found in the text, also past the end of a line or of the text', () => {
    const doc = Text.of(code.split('\n'));
    expect(placeOf(doc, 3, 7)).toBe(code.indexOf('b'));
    expect(placeOf(doc, 1, 99)).toBe(12);
    expect(placeOf(doc, 9, 1)).toBe(code.length);
  });
});

describe('mistakes', () => {
  it('are what the parser cannot read', () => {
    expect(mistakesIn(stateOf('const a = 1;'))).toEqual([]);
    const [mistake] = mistakesIn(stateOf(code));
    expect(code.slice(0, mistake.from).split('\n')).toHaveLength(3);
  });

  it('are what a check found, until the text changes', () => {
    const finding = { kind: 'problem', text: 'b is wrong', line: 3, column: 7 } as const;
    const { state } = stateOf(code).update({ effects: setFindings.of([finding]) });
    expect(mistakesIn(state)).toEqual([{ from: 20, to: 21, severity: 'error', message: 'b is wrong' }]);
    const edited = state.update({ changes: { from: 0, insert: ' ' } }).state;
    expect(mistakesIn(edited)[0].message).not.toBe('b is wrong');
  });
});

it('a file is named after the title of its environment', () => {
  expect(fileNameOf("export const meta = { title: 'Corner shop 2' }")).toBe('corner-shop-2.js');
  expect(fileNameOf('export const meta = { title: "../…" }')).toBe('environment.js');
});

it('a link fits in a chat message, in mail, or is better a file', () => {
  expect([1900, 1901, 8000, 8001].map(linkSize)).toEqual(['fits', 'long', 'long', 'tooLong']);
});
