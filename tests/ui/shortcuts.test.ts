/** Which key opens the palette, and which a page gives to its run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isForPage, opensPalette } from '../../src/ui/base/shortcuts';

let openDialog: object | null;
beforeEach(() => {
  openDialog = null;
  vi.stubGlobal('document', { querySelector: () => openDialog });
  vi.stubGlobal('Element', class {});
});
afterEach(() => void vi.unstubAllGlobals());

const on = (platform: string) => vi.stubGlobal('navigator', { platform });
const key = (pressed: string, ...held: ('ctrl' | 'meta' | 'alt' | 'shift')[]) =>
  ({
    key: pressed,
    target: null,
    defaultPrevented: false,
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    altKey: held.includes('alt'),
    shiftKey: held.includes('shift'),
  }) as KeyboardEvent;

test('Ctrl+K opens the palette, and no other key does', () => {
  on('Linux x86_64');
  expect([key('k', 'ctrl'), key('K', 'ctrl')].map(opensPalette)).toEqual([true, true]);
  const others = [
    key('k'),
    key('k', 'meta'),
    key('k', 'ctrl', 'meta'),
    key('k', 'ctrl', 'alt'),
    key('k', 'ctrl', 'shift'),
    key('j', 'ctrl'),
    key('c', 'ctrl'),
  ];
  expect(others.map(opensPalette)).toEqual(others.map(() => false));
});

test('on a Mac it is Cmd+K', () => {
  on('MacIntel');
  const keys = [key('k', 'meta'), key('k', 'ctrl'), key('k', 'meta', 'ctrl'), key('j', 'meta')];
  expect(keys.map(opensPalette)).toEqual([true, false, false, false]);
});

test('a dialog that is open keeps its keys', () => {
  on('Linux x86_64');
  openDialog = {};
  expect(opensPalette(key('k', 'ctrl'))).toBe(false);
});

test('a key that is held with another is none for the page', () => {
  const keys = [key('r'), key('r', 'ctrl'), key('r', 'meta'), key('r', 'alt'), key('?', 'shift')];
  expect(keys.map(isForPage)).toEqual([true, false, false, false, true]);
});
