// @vitest-environment dom
/** What the parts of every page show, and what they do when they are pressed. */
import { createRawSnippet } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import Dialog from '../../../src/ui/base/Dialog.svelte';
import LaterDialog from '../../../src/ui/base/LaterDialog.svelte';
import LongText from '../../../src/ui/base/LongText.svelte';
import Notice from '../../../src/ui/base/Notice.svelte';
import Table from '../../../src/ui/base/Table.svelte';
import TabList from '../../../src/ui/base/TabList.svelte';
import ExportButton from '../../../src/ui/panels/export/ExportButton.svelte';
import ExportMenu from '../../../src/ui/panels/export/ExportMenu.svelte';
import { show, type Shown } from '../../helpers/dom/shown';

const words = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));

describe('tabs', () => {
  const tabs = ['a', 'b', 'c'].map((name) => ({ name, title: `Tab ${name}`, panels: [`${name}1`, `${name}2`] }));
  const shown = (chosen: string) => {
    const onchoose = vi.fn();
    return { onchoose, page: show(TabList, { label: 'Parts', tabs, chosen, onchoose }) };
  };

  it('say which is chosen, and only that one is a stop of the Tab key', () => {
    const { page } = shown('b');
    expect(page.says).toEqual(['tablist "Parts"', 'tab "Tab a"', 'tab "Tab b", selected', 'tab "Tab c"']);
    expect(page.all('[role="tab"]').map((tab) => tab.getAttribute('tabindex'))).toEqual(['-1', '0', '-1']);
    expect(page.control('Tab c').getAttribute('aria-controls')).toBe('c1 c2');
  });

  it('are chosen by a press, and by arrows around the ends', () => {
    const { page, onchoose } = shown('c');
    page.press('Tab a');
    expect(onchoose).toHaveBeenLastCalledWith('a');
    for (const [key, name] of [
      ['ArrowRight', 'a'],
      ['ArrowLeft', 'b'],
      ['Home', 'a'],
      ['End', 'c'],
    ]) {
      expect(page.key(page.find('[role="tablist"]'), key)).toBe(true);
      expect(onchoose).toHaveBeenLastCalledWith(name);
      expect(document.activeElement).toBe(page.control(`Tab ${name}`));
    }
    onchoose.mockClear();
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(page.key(page.find('[role="tablist"]'), 'Home', more)).toBe(false);
    expect(page.key(page.find('[role="tablist"]'), 'x')).toBe(false);
    expect(onchoose).not.toHaveBeenCalled();
  });

  it('go left from the first to the last', () => {
    const { page, onchoose } = shown('a');
    page.key(page.find('[role="tablist"]'), 'ArrowLeft');
    expect(onchoose).toHaveBeenLastCalledWith('c');
  });
});

describe('a dialog', () => {
  it('has a title and a button that closes it, and may be opened twice', () => {
    const shown = show(Dialog, { title: 'Title', children: words('Content') });
    expect(shown.says).toEqual([]);
    shown.calls('open');
    const showModal = vi.spyOn(shown.find('dialog'), 'showModal');
    shown.calls('open');
    expect(showModal).not.toHaveBeenCalled();
    expect(shown.says).toEqual(['# Title', 'button "Close"', 'Content']);
    expect(document.getElementById(shown.find('dialog').getAttribute('aria-labelledby')!)?.textContent).toBe('Title');
    shown.press('Close');
    expect(shown.says).toEqual([]);
    shown.calls('open');
    shown.calls('close');
    expect(shown.says).toEqual([]);
  });

  it('may have a label only', () => {
    const shown = show(Dialog, { 'aria-label': 'Title', children: words('Content') });
    shown.calls('open');
    expect(shown.says).toEqual(['dialog "Title"', 'Content']);
  });

  it('is loaded when it is first opened; where that fails, the page hears it', async () => {
    const onProblem = vi.fn();
    const load = vi.fn(() => Promise.resolve({ default: Dialog as never }));
    const shown = show(LaterDialog as never, { load, props: { title: 'Later' }, onProblem });
    expect(load).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i++) {
      await shown.calls('open');
      await shown.settled();
      expect(shown.says).toEqual(['# Later', 'button "Close"']);
      shown.press('Close');
    }
    expect(load).toHaveBeenCalledOnce();
    const broken = show(LaterDialog as never, { load: () => Promise.reject(new Error()), props: {}, onProblem });
    await broken.calls('open');
    expect(onProblem).toHaveBeenCalledOnce();
  });
});

describe('a message', () => {
  const children = words('Something.');

  it('that is bad is an alert, and Escape dismisses it unless a dialog or a field used the key', () => {
    const [onAction, onDismiss] = [vi.fn(), vi.fn()];
    const shown = show(Notice, { kind: 'bad', children, action: 'Again', onAction, onDismiss });
    expect(shown.says).toEqual(['bad: Something.', 'bad: button "Again"', 'bad: button "Dismiss"']);
    expect(shown.find('.notice').getAttribute('role')).toBe('alert');
    expect(shown.find('.words').getAttribute('tabindex')).toBe('0');
    shown.press('Again');
    expect(onAction).toHaveBeenCalledOnce();
    shown.tell(window, 'keydown', { key: 'x' });
    shown.tell(window, 'keydown', { key: 'Escape', defaultPrevented: true });
    const dialog = document.createElement('dialog');
    dialog.open = true;
    document.body.append(dialog);
    shown.tell(window, 'keydown', { key: 'Escape' });
    expect(onDismiss).not.toHaveBeenCalled();
    dialog.remove();
    shown.tell(window, 'keydown', { key: 'Escape' });
    shown.press('Dismiss');
    expect(onDismiss).toHaveBeenCalledTimes(2);
  });

  it('that is quiet stays, and may have a button that is disabled, or none', () => {
    const onDismiss = vi.fn();
    const shown = show(Notice, { kind: 'quiet', children, action: 'Resume', disabled: true, onDismiss });
    expect(shown.says).toEqual(['Something.', 'button "Resume", disabled', 'button "Dismiss"']);
    expect(shown.find('.notice').getAttribute('role')).toBe('note');
    expect(shown.find('.words').hasAttribute('tabindex')).toBe(false);
    shown.tell(window, 'keydown', { key: 'Escape' });
    expect(onDismiss).not.toHaveBeenCalled();
    expect(show(Notice, { kind: 'quiet', children }).says).toEqual(['Something.']);
    expect(show(Notice, { kind: 'quiet', children, action: 'Go' }).says).toEqual(['Something.', 'button "Go"']);
  });
});

it('a long text is cut until all of it is asked for, and another one is cut again', () => {
  const long = 'x'.repeat(9000);
  const shown = show(LongText, { content: long });
  expect(shown.find('.rest').textContent).toContain('8,192');
  shown.press('Show all');
  expect(shown.root.textContent).toBe(long);
  expect(show(LongText, { content: 'short' }).says).toEqual(['short']);
});

it('a table has words or what a snippet draws, with the first cell of a row as its head', () => {
  const columns = [
    { title: 'Name', words: ({ name }: { name: string }) => name },
    { title: 'Count', words: () => '3', isNumber: true },
    { title: 'Drawn', content: words('drawn') },
  ];
  const shown = show(Table, {
    label: 'Things',
    columns,
    rows: [{ name: 'one' }, { name: 'two' }],
    maxHeightPx: 220,
  } as never);
  expect(shown.says).toEqual(['region "Things"', 'Name | Count | Drawn', 'one | 3 | drawn', 'two | 3 | drawn']);
  expect(shown.all('tbody th').map((head) => head.getAttribute('scope'))).toEqual(['row', 'row']);
  expect(shown.all('.text-end').map((cell) => cell.textContent.trim())).toEqual(['Count', '3', '3']);
  expect(shown.find('.scroll').style.getPropertyValue('max-height')).toBe('220px');
});

describe('the files of a run', () => {
  const source = () => Promise.resolve({} as never);

  it('are behind a button, which closes by Escape, by leaving it, and by a press elsewhere', async () => {
    const shown = show(ExportButton, { source, weights: null });
    const menu = shown.find('details');
    const isOpen = () => menu.open;
    const open = () => {
      if (!isOpen()) shown.press('Export');
      expect(isOpen()).toBe(true);
    };
    expect(shown.find('summary').classList.contains('small')).toBe(false);
    expect(shown.key(menu, 'Escape')).toBe(false);
    open();
    shown.key(menu, 'x');
    expect(isOpen()).toBe(true);
    shown.key(menu, 'Escape');
    expect([isOpen(), document.activeElement]).toEqual([false, shown.find('summary')]);
    open();
    shown.tell(menu, 'focusout', { relatedTarget: shown.find('summary') });
    shown.tell(menu, 'focusout', { relatedTarget: null });
    expect(isOpen()).toBe(true);
    shown.tell(menu, 'focusout', { relatedTarget: document.body });
    expect(isOpen()).toBe(false);
    open();
    shown.tell(document.body as never, 'click');
    expect(isOpen()).toBe(false);
    await shown.settled();
  });

  it('have the name of the run', () => {
    const shown = show(ExportButton, { source, weights: null, accessibleName: 'Files of a', small: true });
    expect(shown.says).toEqual(['fold "Files of a"']);
    expect(shown.find('summary').classList.contains('small')).toBe(true);
  });

  it('are made one at a time, and a fault is said', async () => {
    let refuse = (_: Error): void => undefined;
    const asked = vi.fn(() => new Promise<never>((_, reject) => (refuse = reject)));
    const shown = show(ExportMenu, { source: asked, weights: null });
    const [first, second] = shown.all('button');
    const whole = show(ExportMenu, { source, weights: () => Promise.reject(new Error()) });
    const names = (menu: Shown) => menu.all('button b').map((name) => name.textContent);
    expect(names(whole).filter((name) => !names(shown).includes(name))).toEqual(['Weights']);
    shown.click(first);
    await shown.settled();
    expect(first.getAttribute('aria-disabled')).toBe('true');
    shown.click(second);
    await shown.settled();
    expect(asked).toHaveBeenCalledOnce();
    refuse(new Error('There is no space.'));
    await shown.settled();
    expect([shown.find('[role="status"]').textContent, first.getAttribute('aria-disabled')]).toEqual([
      'The file could not be made: There is no space.',
      'false',
    ]);
  });
});
