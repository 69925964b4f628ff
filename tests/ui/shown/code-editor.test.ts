// @vitest-environment dom
/** The code editor: its text, caret, keys and marks, and the reward's code in it. */
import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import RewardCode from '../../../src/ui/panels/reward-editor/RewardCode.svelte';
import { CodeEditor } from '../../../src/ui/panels/editor/code-editor';
import type { Finding } from '../../../src/ui/panels/editor/mistakes';
import { reactive } from '../../helpers/dom/root.svelte';
import { show } from '../../helpers/dom/shown';
import { soon } from '../../helpers/soon';

// What the editor does later, it does when a test says so.
beforeEach(({ onTestFinished: last }) => {
  vi.useFakeTimers();
  last(() => void vi.useRealTimers());
});

function open(text: string) {
  const host = document.createElement('div');
  document.body.append(host);
  const told = { texts: [] as string[], places: [] as string[], oncheck: vi.fn() };
  const editor = new CodeEditor(host as never, {
    label: 'Code',
    text,
    onchange: (code) => told.texts.push(code),
    onmove: (line, column) => told.places.push(`${line}:${column}`),
    oncheck: told.oncheck,
  });
  onTestFinished(() => {
    editor.destroy();
    host.remove();
  });
  return { editor, ...told, ...partsOf(host as never) };
}
function partsOf(host: HTMLElement) {
  const root = host.shadowRoot!;
  const content = root.querySelector<HTMLElement>('.cm-content')!;
  const press = (key: string, more: object = {}) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
    Object.defineProperty(event, 'keyCode', { value: keyCodes[key] ?? 0 });
    content.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const lines = () => [...root.querySelectorAll('.cm-line')].map((line) => line.textContent);
  return { root, content, press, lines };
}
/** The editor goes by it where keys leave the code. */
const keyCodes: Readonly<Record<string, number>> = { Tab: 9, Escape: 27 };
/** Marks of mistakes, once the editor has looked for them. */
async function marksIn(root: ShadowRoot): Promise<number> {
  await vi.advanceTimersByTimeAsync(2000);
  return root.querySelectorAll('.cm-lintRange, .cm-lint-marker').length;
}
const ctrl = { ctrlKey: true };

describe('the code editor', () => {
  it('shows its text with numbers of lines, under its name', () => {
    const { root, content, lines } = open('let a = 1;\nlet b;');
    expect(lines()).toEqual(['let a = 1;', 'let b;']);
    expect(root.querySelector('.cm-gutters')!.textContent).toContain('12');
    const said = ['aria-label', 'tabindex', 'spellcheck', 'autocapitalize'].map((name) => content.getAttribute(name));
    expect(said).toEqual(['Code', '0', 'false', 'off']);
    expect(content.querySelectorAll('span').length).toBeGreaterThan(1);
  });

  it('tells of a text that was replaced, which can be undone unless it is the one to begin with', () => {
    const { editor, texts, places, press, lines, content, root } = open('one');
    editor.replace('two\nlines', false);
    expect([texts, places, lines()]).toEqual([['two\nlines'], ['1:1'], ['two', 'lines']]);
    expect(root.activeElement).toBe(content);
    editor.goTo(2, 3);
    expect(places.at(-1)).toBe('2:3');
    editor.replace('three');
    expect([texts.at(-1), places.at(-1)]).toEqual(['three', '1:1']);
    expect(press('z', ctrl)).toBe(true);
    expect(lines()).toEqual(['two', 'lines']);
    press('z', ctrl);
    expect(lines()).toEqual(['two', 'lines']);
  });

  it('puts its caret at a place, or at the end', () => {
    const { editor, places, texts } = open('one\ntwo');
    for (const [line, column] of [
      [2, 2],
      [1, 99],
      [99, 1],
    ])
      editor.goTo(line, column);
    expect([places, texts]).toEqual([['2:2', '1:4', '2:4'], []]);
  });

  it('asks for a check by Ctrl+Enter, which writes no line', () => {
    const { press, oncheck, texts } = open('one');
    expect(press('Enter', ctrl)).toBe(true);
    expect([oncheck.mock.calls.length, texts]).toEqual([1, []]);
  });

  it('opens its search by Ctrl+F, once', async () => {
    const { press, root } = open('one two one');
    expect(press('f', ctrl)).toBe(true);
    await soon(() => expect(root.querySelectorAll('.cm-panels-top .cm-search')).toHaveLength(1));
    press('f', ctrl);
    await vi.dynamicImportSettled();
    expect(root.querySelectorAll('.cm-search')).toHaveLength(1);
  });

  it('is left by Escape and Tab; else Tab indents', () => {
    const { press, lines, editor } = open('one');
    editor.focus();
    expect([press('Tab'), lines()]).toEqual([true, ['  one']]);
    expect(press('Escape')).toBe(true);
    expect([press('Tab'), lines()]).toEqual([false, ['  one']]);
    press('Escape');
    vi.advanceTimersByTime(4001);
    expect([press('Tab'), lines()]).toEqual([true, ['    one']]);
  });

  it('shows a character that cannot be seen as its escape', () => {
    const { root } = open('a\u202eb');
    expect(root.querySelector('.cm-hidden')!.textContent).toBe('\\u{202e}');
  });

  it('types over what is selected, and puts brackets around it', () => {
    const { editor, content, texts, press } = open('one');
    const type = (data: string | null, inputType = 'insertText') => {
      const event = Object.assign(new Event('beforeinput', { bubbles: true, cancelable: true }), { inputType, data });
      content.dispatchEvent(event);
      return event.defaultPrevented;
    };
    editor.goTo(1, 1);
    expect(type('x')).toBe(false);
    press('a', ctrl);
    expect([type('x', 'insertFromPaste'), type(null), texts]).toEqual([false, false, []]);
    expect([type('('), texts]).toEqual([true, ['(one)']]);
    expect([type('x'), texts.at(-1)]).toEqual([true, '(x)']);
  });

  it('marks what was found at a line until the next edit', async () => {
    const { editor, root } = open('one\ntwo');
    const marked = () => marksIn(root);
    editor.mark([{ line: 2, column: 1, kind: 'problem', text: 'It is wrong.' } as Finding]);
    expect(await marked()).toBeGreaterThan(0);
    editor.mark([]);
    expect(await marked()).toBe(0);
    editor.mark([{ line: 1, column: 1, kind: 'problem', text: 'It is wrong.' } as Finding]);
    editor.replace('three');
    expect(await marked()).toBe(0);
  });
});

it('the reward’s code begins at the reward, and is marked where it is wrong', async () => {
  const source = 'export const meta = {};\n\nexport function reward() {\n  return 1;\n}';
  const changed: string[] = [];
  const props = reactive({ source, problem: '', onchange: (code: string) => void changed.push(code) });
  const shown = show(RewardCode, props);
  const { root, press } = partsOf(shown.find('.host') as never);
  expect(root.querySelector('.cm-activeLine')!.textContent).toBe('export function reward() {');
  const marked = () => marksIn(root);
  expect(await marked()).toBe(0);
  props.problem = 'environment.js:4:3: x is not defined';
  flushSync();
  expect(await marked()).toBeGreaterThan(0);
  props.problem = 'It cannot be read.';
  flushSync();
  expect(await marked()).toBe(0);
  press('Tab');
  expect(changed).toEqual([source.replace('export function', '  export function')]);
});
