// @vitest-environment dom
/** The editor of a visitor's own environment: what it starts from, its files, its check, and the training with it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import CheckReport from '../../../src/ui/panels/editor/CheckReport.svelte';
import EditorDialog from '../../../src/ui/panels/editor/EditorDialog.svelte';
import SourceChoice from '../../../src/ui/panels/editor/SourceChoice.svelte';
import { CodeEditor } from '../../../src/ui/panels/editor/code-editor';
import { maxCodeBytes } from '../../../src/lib/text-caps';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { draft } from '../../../src/ui/state/setup/draft.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();

/** What the code area was told: the editor itself needs a browser that lays text out. */
const told: string[] = [];
vi.mock('../../../src/ui/panels/editor/code-editor', () => ({
  CodeEditor: vi.fn(),
}));

let page: PageState;
let trainer: FakeTrainer;
beforeEach(async () => {
  told.length = 0;
  draft.text = '';
  vi.mocked(CodeEditor).mockImplementation(function (
    this: object,
    _: unknown,
    options: { onchange(code: string): void },
  ) {
    return {
      focus: () => told.push('focus'),
      replace: (code: string, undoable = true) => {
        told.push(`replace ${undoable}`);
        options.onchange(code);
      },
      goTo: (line: number, column: number) => told.push(`go to ${line}:${column}`),
      mark: (findings: readonly { text: string }[]) => told.push(`mark ${findings.map(({ text }) => text).join()}`),
      destroy: () => told.push('destroy'),
    };
  } as never);
  const browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
  page.workspace.setup.sources = {
    builtIn: { calculator: 'code of the calculator', bandit: 'code of the bandit' },
    templates: [
      { title: 'A guess', source: 'first template' },
      { title: 'A shop', source: 'second template' },
    ],
  } as never;
});
const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};
const checked = (more: object = {}) =>
  ({
    lines: [
      { kind: 'good', text: 'It plays.' },
      { kind: 'problem', text: 'It throws at environment.js:3:5.' },
      { kind: 'note', text: 'It is slow.', lifts: [{ title: 'Fuel', value: 5 }] },
    ],
    ready: null,
    ...more,
  }) as never;

describe('what it starts from', () => {
  const open = () => {
    const onuse = vi.fn();
    const onfile = vi.fn((_: File | undefined) => Promise.resolve());
    return { shown: show(SourceChoice, { onuse, onfile }, page), onuse, onfile };
  };

  it('is a template, the environment in the setup, or a world with its settings', () => {
    const { shown, onuse } = open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Start from",
        "choice "Start from": A guess of A guess | A shop | Calculator, mini | Two-armed bandit",
        "button "Insert"",
        "Open a file",
        "file "Open a file"",
        "button "Save file"",
        "Settings",
        "choice "Settings": as now set in the Lab of as now set in the Lab | those of Calculator, mini | …",
      ]
    `);
    const use = (from: string) => {
      shown.write('Start from', from);
      shown.press('Insert');
      return [onuse.mock.lastCall![0], page.workspace.own.settingsOf?.name ?? null];
    };
    expect([use('0'), use('1'), use('bandit')]).toEqual([
      ['first template', null],
      ['second template', null],
      ['code of the bandit', 'bandit'],
    ]);
    shown.write('Settings', 'calculator-mini');
    expect(page.workspace.own.settingsOf?.name).toBe('calculator-mini');
    shown.write('Settings', '');
    expect(page.workspace.own.settingsOf).toBeNull();
    const { setup } = page.workspace;
    setup.config = { ...setup.config!, environment: { name: 'own', options: {}, source: 'mine' } };
    shown.tell(shown.root, 'nothing');
    expect(use('setup')).toEqual(['mine', null]);
  });

  it('is a file', async () => {
    const { shown, onfile } = open();
    const input = shown.find('[type="file"]');
    const file = new File(['x'], 'a.js');
    input.files = [file];
    Object.defineProperty(input, 'value', { value: 'a.js', writable: true });
    shown.tell(input, 'change');
    await come(shown);
    expect([onfile.mock.lastCall, input.value]).toEqual([[file], '']);
  });
});

describe('the report', () => {
  const open = (note = '') => {
    const [onuse, goTo] = [vi.fn(), vi.fn()];
    return { shown: show(CheckReport, { note, onuse, goTo }, page), onuse, goTo };
  };

  it('offers a template where there is no code', () => {
    const { shown, onuse } = open('It is too long.');
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "status "What the check found"",
        "warning: It is too long.",
        "There is no code yet.",
        "button "Insert a template"",
        "Check plays it in the sandbox, without training: it shows rewards, lengths and fuel, and whether…",
      ]
    `);
    shown.press('Insert a template');
    expect(onuse).toHaveBeenCalledWith('first template');
    draft.text = 'code';
    expect(open().shown.says).toHaveLength(2);
  });

  it('has faults first, each with its line, and the link of an environment that can be trained', async () => {
    draft.text = 'code';
    const { own } = page.workspace;
    vi.spyOn(own, 'checked', 'get').mockReturnValue(checked({ ready: { config: page.workspace.setup.config } }));
    vi.spyOn(own, 'isCurrent', 'get').mockReturnValue(true);
    vi.spyOn(own, 'mayInsist', 'get').mockReturnValue(true);
    vi.spyOn(page.tabRun, 'addressOf').mockResolvedValue(`http://here/#/lab?${'x'.repeat(3000)}`);
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const { shown, goTo } = open();
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "status "What the check found"",
        "Problem It throws at environment.js:3:5.",
        "button "Go to line 3"",
        "Note It is slow. Set Fuel to 5 in the setup, under All settings.",
        "Good It plays.",
        "With these problems the run may fail or learn nothing. Mend them, or press “Train anyway”.",
        "Its link has 3,018 characters. That is too long for a Discord message; mail and most chats take …",
        "button "Copy link"",
      ]
    `);
    expect(shown.all('.bad, .warn, .good').map((each) => each.textContent)).toMatchInlineSnapshot(`
      [
        "Problem",
        "Note",
        "Good",
        "Its link has 3,018 characters.",
      ]
    `);
    shown.press('Go to line 3');
    expect(goTo).toHaveBeenCalledWith(3, 5);
    shown.press('Copy link');
    await come(shown);
    expect(shown.says.join()).toContain('Copied.');
    writeText.mockRejectedValue(new Error());
    shown.press('Copy link');
    await come(shown);
    expect(shown.says.join()).toContain('did not allow');
  });

  it.each([
    [500, 'good'],
    [5000, 'warn'],
    [40_000, 'bad'],
  ])('colours the length of a link of %i characters %s', async (length, tone) => {
    draft.text = 'code';
    const { own } = page.workspace;
    vi.spyOn(own, 'checked', 'get').mockReturnValue(checked({ ready: { config: page.workspace.setup.config } }));
    vi.spyOn(own, 'isCurrent', 'get').mockReturnValue(true);
    vi.spyOn(page.tabRun, 'addressOf').mockResolvedValue('x'.repeat(length));
    const { shown } = open();
    await come(shown);
    const lengths = shown.all(`.${tone}`).filter((each) => each.textContent.startsWith('Its link has'));
    expect(lengths).toHaveLength(1);
  });

  it('says that it is old once the code has changed', () => {
    draft.text = 'code';
    vi.spyOn(page.workspace.own, 'checked', 'get').mockReturnValue(checked());
    vi.spyOn(page.workspace.own, 'isCurrent', 'get').mockReturnValue(false);
    expect(open().shown.says[1]).toMatchInlineSnapshot(`"The code or the settings have changed since this check."`);
  });
});

describe('the editor', () => {
  const open = async () => {
    const shown = show(EditorDialog, {}, page);
    shown.calls('open');
    await come(shown);
    return shown;
  };

  it('begins with the code of the setup or a template, once, and keeps what was written', async () => {
    const shown = await open();
    expect([told, draft.text]).toEqual([['focus', 'replace false'], 'first template']);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Your own environment",
        "button "Close"",
        "One JavaScript module: tasks, tools and a reward. It runs in a sandbox, and only when you press …",
        "Start from",
        "choice "Start from": A guess of A guess | A shop | Calculator, mini | Two-armed bandit",
        "button "Insert"",
        "Open a file",
        "file "Open a file"",
        "button "Save file"",
        "Settings",
        "choice "Settings": as now set in the Lab of as now set in the Lab | those of Calculator, mini | …",
        "Press Esc, then Tab, to leave the code. 0.0 of 64.0 KiB",
        "button "Check"",
        "button "Train with it", primary",
        "status "What the check found"",
        "Check plays it in the sandbox, without training: it shows rewards, lengths and fuel, and whether…",
        "Rows of data (JSON lines or CSV)",
        "file "Rows of data (JSON lines or CSV)"",
      ]
    `);
    shown.press('Close');
    draft.text = 'mine';
    shown.calls('open');
    await come(shown);
    expect([told.filter((each) => each.startsWith('replace')).length, draft.text]).toEqual([1, 'mine']);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('opens files, and refuses what is long or no text', async () => {
    const shown = await open();
    const input = shown.all('[type="file"]')[0];
    const give = async (file: unknown) => {
      input.files = [file];
      shown.tell(input, 'change');
      await soon(async () => {
        await come(shown);
        expect(input.value).toBe('');
      });
      for (let i = 0; i < 5; i++) await come(shown);
    };
    await give(new File(['\uFEFFlet a;\r\nlet b;'], 'a.js'));
    await soon(async () => {
      await come(shown);
      expect(draft.text).toBe('let a;\nlet b;');
    });
    await give({
      name: 'just.js',
      size: maxCodeBytes,
      arrayBuffer: async () => new TextEncoder().encode('just').buffer,
    });
    await soon(async () => {
      await come(shown);
      expect(draft.text).toBe('just');
    });
    await give({ name: 'big.js', size: maxCodeBytes + 1 });
    expect(shown.find('.report .warning').textContent).toMatchInlineSnapshot(
      `"big.js has 64.0 KiB and was not opened: 64.0 KiB is the limit."`,
    );
    await give(new File([Uint8Array.of(0xff, 0xfe)], 'pixels.png'));
    await soon(async () => {
      await come(shown);
      expect(shown.find('.report .warning').textContent).toContain('pixels.png');
    });
  });

  it('takes files that are dropped: code, and rows of data', async () => {
    const shown = await open();
    const dialog = shown.find('dialog');
    expect(shown.tell(dialog, 'drop', { dataTransfer: { files: [] } })).toBe(false);
    const files = [new File(['{"a":1}'], 'rows.jsonl'), new File(['dropped'], 'a.js')];
    expect(shown.tell(dialog, 'drop', { dataTransfer: { files } })).toBe(true);
    expect(shown.tell(dialog, 'dragover')).toBe(true);
    await soon(async () => {
      await come(shown);
      expect([draft.text, page.workspace.own.rows?.name]).toEqual(['dropped', 'rows.jsonl']);
    });
    expect(shown.says.filter((line) => /rows|Remove/.test(line))).toMatchInlineSnapshot(`
      [
        "rows.jsonl, 0.0 KiB",
        "button "Remove the rows"",
      ]
    `);
    shown.press('Remove');
    expect(page.workspace.own.rows).toBeNull();
  });

  it('checks, marks what was found at its line, and trains', async () => {
    const shown = await open();
    const { own } = page.workspace;
    const check = vi.spyOn(own, 'check').mockImplementation(async () => {
      vi.spyOn(own, 'checked', 'get').mockReturnValue(checked());
      vi.spyOn(own, 'isCurrent', 'get').mockReturnValue(true);
    });
    shown.press('Check');
    await come(shown);
    expect([check.mock.calls.length, told.at(-1)]).toEqual([1, 'mark It throws at environment.js:3:5.']);
    const adopt = vi.spyOn(own, 'adopt').mockResolvedValue(false as never);
    shown.press('Train with it');
    await come(shown);
    expect([adopt.mock.calls.length, shown.find('dialog').open, trainer.orders]).toEqual([1, true, []]);
    adopt.mockResolvedValue(true as never);
    shown.press('Train with it');
    await come(shown);
    expect([shown.find('dialog').open, trainer.orders]).toEqual([false, ['train 1']]);
    shown.calls('open');
    await come(shown);
    expect(shown.control('Train with it').disabled).toBe(true);
    expect(shown.says.join()).toContain('A run is training.');
    draft.text = 'x'.repeat(maxCodeBytes + 1);
    shown.tell(shown.root, 'nothing');
    expect(shown.control('Check').disabled).toBe(true);
  });

  it('gives the focus back to the button that opened it', async () => {
    const shown = await open();
    const opener = document.createElement('button');
    opener.id = 'own-environment';
    document.body.append(opener);
    (document.activeElement as HTMLElement).blur();
    shown.press('Close');
    expect(document.activeElement).toBe(opener);
    const other = document.createElement('button');
    document.body.append(other);
    shown.calls('open');
    other.focus();
    shown.tell(shown.find('dialog'), 'close');
    expect(document.activeElement).toBe(other);
    opener.remove();
    other.remove();
  });
});
