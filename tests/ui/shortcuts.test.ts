/** Which key opens the palette, and which a page gives to its run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handleShortcut, isForPage, isSecondClick, opensPalette } from '../../src/ui/base/shortcuts';

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

test('each key of the page does one thing, once a press, and keys on controls are left to those', () => {
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  const actions = {
    trainOrPause: note('train'),
    step: note('step'),
    reset: note('reset'),
    chat: note('chat'),
    read: (by: number) => void done.push(`read ${by}`),
    fit: note('fit'),
    edit: note('edit'),
    help: note('help'),
  };
  class Control {
    constructor(private readonly selector: string) {}
    closest = (selector: string) => (selector.split(', ').includes(this.selector) ? this : null);
  }
  vi.stubGlobal('Element', Control);
  const press = (pressed: string, more: object = {}) => {
    const preventDefault = vi.fn();
    done.length = 0;
    handleShortcut({ ...key(pressed), preventDefault, ...more } as unknown as KeyboardEvent, actions);
    expect(preventDefault.mock.calls).toHaveLength(done.length);
    return done[0];
  };
  expect([' ', '.', 'r', 'c', 'j', 'k', 'e', '0', '?'].map((each) => press(each))).toEqual([
    'train',
    'step',
    'reset',
    'chat',
    'read 1',
    'read -1',
    'edit',
    'fit',
    'help',
  ]);
  expect(['R', 'C', 'J', 'K', 'E'].map((each) => press(each))).toEqual(['reset', 'chat', 'read 1', 'read -1', 'edit']);
  expect([press('x'), press('r', { repeat: true }), press('r', { ctrlKey: true })]).toEqual(Array(3).fill(undefined));
  const button = { target: new Control('button') };
  expect([press(' ', button), press('r', button), press('.', button)]).toEqual([undefined, 'reset', 'step']);
  expect([press(' ', { target: new Control('p') }), press('r', { target: new Control('textarea') })]).toEqual([
    'train',
    undefined,
  ]);
});

test('the second click of a double click is one that follows soon', () => {
  expect(isSecondClick({ detail: 2, timeStamp: 1399 }, 1000)).toBe(true);
  expect(isSecondClick({ detail: 2, timeStamp: 1400 }, 1000), 'it was taken long after the first').toBe(false);
  expect(isSecondClick({ detail: 1, timeStamp: 1001 }, 1000)).toBe(false);
});
