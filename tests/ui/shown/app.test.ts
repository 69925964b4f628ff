// @vitest-environment dom
/** What is around the pages: the header, the choice of a device, the palette, the keys, and the offer to go on. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import DeviceChoice from '../../../src/ui/app/DeviceChoice.svelte';
import Header from '../../../src/ui/app/Header.svelte';
import NoWebGpu from '../../../src/ui/app/NoWebGpu.svelte';
import ResumeBanner from '../../../src/ui/app/ResumeBanner.svelte';
import ShortcutsDialog from '../../../src/ui/app/ShortcutsDialog.svelte';
import Palette from '../../../src/ui/pages/palette/Palette.svelte';
import { preferences } from '../../../src/ui/base/preferences.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import type { DeviceReport } from '../../../src/worker/protocol';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, onCpu, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();

let browser: FakeBrowser;
let page: PageState;
let trainer: FakeTrainer;
beforeEach(async () => {
  browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});
const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

describe('the header', () => {
  const open = (name: string) => {
    const [onPalette, onHelp] = [vi.fn(), vi.fn()];
    const props = { page: name, labHash: '#/lab?preset=bandit', onPalette, onHelp };
    return { shown: show(Header, props as never, page), onPalette, onHelp };
  };

  it('leads to the pages, and to the Lab as it was left', () => {
    const { shown, onPalette, onHelp } = open('runs');
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "link "Agentlet, start page" → #/",
        "nav "Pages"",
        "link "Worlds" → #/",
        "link "Lab" → #/lab?preset=bandit",
        "link "Runs" → #/runs, current",
        "link "Learn" → #/learn",
        "runs on your CPU · nothing leaves this tab",
        "button "Commands"",
        "button "Device, theme and help"",
        "group "Device, theme and help"",
        "Runs on your CPU",
        "choice "Train on": Automatic of Automatic | GPU (no WebGPU here) (disabled) | CPU",
        "The agent is trained on the processor (CPU) of this device, which gives the same numbers on ever…",
        "button "No GPU?"",
        "Theme",
        "radio "System theme", checked",
        "System theme",
        "radio "Light theme"",
        "Light theme",
        "radio "Dark theme"",
        "Dark theme",
        "button "Present: larger type, only the curve and the reader"",
        "button "Keyboard shortcuts"",
      ]
    `);
    const present = preferences.present;
    shown.click(shown.find('.present'));
    expect(preferences.present).toBe(!present);
    shown.click(shown.find('.present'));
    shown.press('Keyboard');
    expect(onHelp).toHaveBeenCalledOnce();
    shown.press('Commands');
    expect(onPalette).toHaveBeenCalledOnce();
    expect(
      open('lab')
        .shown.all('[aria-current="page"]')
        .map((each) => each.textContent),
    ).toEqual(['Lab']);
    expect(
      open('gallery')
        .shown.all('[aria-current="page"]')
        .map((each) => each.textContent),
    ).toEqual(['Worlds']);
  });

  it('names the key of the palette as the computer has it', () => {
    const keyOf = (platform: string) => {
      vi.stubGlobal('navigator', { platform });
      const button = open('runs').shown.control('Commands');
      return [button.title.includes('⌘K'), button.title.includes('Ctrl+K'), button.getAttribute('aria-keyshortcuts')];
    };
    expect([keyOf('MacIntel'), keyOf('Win32')]).toEqual([
      [true, false, 'Meta+K'],
      [false, true, 'Control+K'],
    ]);
  });

  it('says on the other pages that a run is going', async () => {
    page.tabRun.commands.train.run();
    await settle();
    expect(open('runs').shown.all('.pulse')).toHaveLength(1);
    expect(open('lab').shown.all('.pulse')).toHaveLength(0);
  });
});

describe('the device', () => {
  const withGpu = (software: boolean): DeviceReport =>
    ({
      gpu: { ok: true, adapter: 'A GPU', software },
      cpu: 'CPU',
      runsOn: { auto: 'gpu', gpu: 'gpu', cpu: 'cpu' },
    }) as never;
  const open = async (report: DeviceReport, speed = 0) => {
    trainer.answer({ device: async () => report, speed: async () => speed });
    page.trainer.findDevices();
    await settle();
    const shown = show(DeviceChoice, {}, page);
    await come(shown, 5000);
    return shown;
  };

  it('is looked for, and without a GPU the CPU', async () => {
    const shown = await open(onCpu, 12);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Runs on your CPU",
        "choice "Train on": Automatic of Automatic | GPU (no WebGPU here) (disabled) | CPU",
        "The agent is trained on the processor (CPU) of this device, which gives the same numbers on ever…",
        "button "No GPU?"",
      ]
    `);
    const title = shown.find('.what').getAttribute('title');
    expect(title).toMatch(/^Runs on your CPU\n.* 12 billion multiplications and additions a second/);
    shown.write('Train on', 'cpu');
    expect(page.workspace.setup.config!.device).toBe('cpu');
    shown.press('No GPU?');
    await soon(async () => {
      await come(shown);
      expect(shown.says.join()).toContain('There is none.');
    });
  });

  it('is a GPU, or one in software, which is slow', async () => {
    const real = await open(withGpu(false));
    expect(real.says).toMatchInlineSnapshot(`
      [
        "Runs on your GPU · A GPU",
        "choice "Train on": Automatic of Automatic | GPU | CPU",
        "The agent is trained on the graphics processor (GPU) of this device, through WebGPU.",
      ]
    `);
    expect(real.find('.lamp').className).not.toContain('slow');
    const soft = await open(withGpu(true));
    expect(soft.says).toMatchInlineSnapshot(`
      [
        "Runs on your GPU · A GPU",
        "choice "Train on": Automatic of Automatic | GPU (software, slow) | CPU",
        "This WebGPU only imitates a graphics processor (GPU) on the processor (CPU): choose CPU instead.",
      ]
    `);
    expect(soft.find('.lamp').className).toContain('slow');
  });

  it('is not changed during a run', async () => {
    const shown = await open(onCpu);
    page.tabRun.commands.train.run();
    await come(shown);
    expect(shown.says.slice(-3)).toMatchInlineSnapshot(`
      [
        "choice "Train on": Automatic of Automatic | GPU (no WebGPU here) (disabled) | CPU, disabled",
        "The agent is trained on the processor (CPU) of this device, which gives the same numbers on ever…",
        "button "No GPU?"",
      ]
    `);
    expect(shown.find('select').disabled).toBe(true);
  });

  it('is advised on where there is no WebGPU', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 Firefox/120.0', maxTouchPoints: 0 });
    expect(show(NoWebGpu, { reason: 'It is off.' }).says).toMatchInlineSnapshot(`
      [
        "Training runs on the CPU here. Firefox 120 on this system gives this page no GPU. Open this page…",
        "The browser said: It is off.",
      ]
    `);
  });
});

describe('a kept run', () => {
  const saved = (more: object = {}) => ({
    id: 'a',
    config: page.workspace.setup.config!,
    title: 'Calculator',
    savedAtMs: Date.now() - 600_000,
    iteration: 5,
    warmSteps: 1,
    finished: false,
    ...more,
  });
  const locks = (held: object[]) =>
    vi.stubGlobal('navigator', { locks: { query: async () => ({ held }), request: async () => undefined } });

  it('is offered, to go on or to be opened, unless another tab trains', async () => {
    locks([]);
    const resume = vi.spyOn(page.tabRun.commands.resume, 'run').mockReturnValue();
    const shown = show(ResumeBanner, { run: saved() }, page);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Your run of Calculator with seed 1 can go on: iteration 5 of 14, saved 10 minutes ago.",
        "button "Resume"",
        "button "Dismiss"",
      ]
    `);
    shown.click(shown.all('button')[0]);
    expect(resume).toHaveBeenCalledWith(expect.objectContaining({ id: 'a' }));
    page.workspace.saved.offered = saved();
    shown.press('Dismiss');
    expect(page.workspace.saved.offered).toBeNull();
    expect(show(ResumeBanner, { run: saved({ finished: true }) }, page).says).toMatchInlineSnapshot(`
      [
        "Your run of Calculator with seed 1 is kept: finished after 14 iterations, saved 10 minutes ago.",
        "button "Open"",
        "button "Dismiss"",
      ]
    `);
    locks([{ name: 'agentlet trainer' }]);
    const waits = show(ResumeBanner, { run: saved() }, page);
    await come(waits);
    expect(waits.says.slice(0, 2)).toEqual([expect.stringContaining('Another tab'), 'button "Resume", disabled']);
    locks([{ name: 'another' }]);
    await come(waits, 1000);
    expect(waits.says[1]).toBe('button "Resume"');
  });
});

describe('the palette', () => {
  const open = () => {
    const onHelp = vi.fn();
    const shown = show(Palette, { labHash: '#/lab', onHelp }, page);
    shown.calls('open');
    return { shown, onHelp };
  };
  const options = (shown: Shown) =>
    shown.all('[role="option"]').map((each) => each.textContent.replace(/\s+/g, ' ').trim());
  const chosen = (shown: Shown) =>
    shown.all('[role="option"]').findIndex((each) => each.getAttribute('aria-selected') === 'true');

  it('has the commands with the typed words, and begins at the first that can be run', () => {
    const { shown } = open();
    expect(options(shown).slice(0, 8)).toMatchInlineSnapshot(`
      [
        "Train Space run",
        "Iterate . run",
        "Reset R There is no run.",
        "+20 iterations No run has ended.",
        "Worlds page",
        "Lab page",
        "Runs page",
        "Learn page",
      ]
    `);
    const all = options(shown).length;
    const field = shown.find('input');
    field.value = 'shortcuts';
    shown.tell(field, 'input');
    expect(options(shown).length).toBeLessThan(all);
    expect(chosen(shown)).toBe(0);
    const { scrollIntoView } = window.HTMLElement.prototype;
    const seen: string[] = [];
    window.HTMLElement.prototype.scrollIntoView = function (this: HTMLElement) {
      seen.push(this.id);
    };
    for (const typed of ['', 're', 'iterat', 'export', 'share']) {
      field.value = typed;
      shown.tell(field, 'input');
      const can = shown.all('[role="option"]').map((each) => each.getAttribute('aria-disabled') === null);
      expect([typed, chosen(shown)]).toEqual([typed, Math.max(0, can.indexOf(true))]);
    }
    field.value = '';
    shown.tell(field, 'input');
    shown.key(field, 'ArrowDown');
    expect(seen.at(-1)).toBe(shown.all('[role="option"]')[chosen(shown)].id);
    window.HTMLElement.prototype.scrollIntoView = scrollIntoView;
    const count = shown.find('[aria-live]');
    const isSeen = () => !count.classList.contains('visually-hidden');
    expect([count.textContent.trim(), isSeen()], 'its list is seen').toEqual([`${all} commands`, false]);
    field.value = 'zebra crossing';
    shown.tell(field, 'input');
    expect(options(shown)).toEqual([]);
    expect([count.textContent.trim(), isSeen()]).toEqual(['No command has these words.', true]);
    expect([shown.key(field, 'ArrowDown'), shown.key(field, 'Enter'), shown.find('dialog').open]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('is walked by arrows, around its ends, and runs by Enter or a press', () => {
    const { shown, onHelp } = open();
    const field = shown.find('input');
    const first = chosen(shown);
    const count = options(shown).length;
    expect(shown.key(field, 'ArrowDown')).toBe(true);
    expect(chosen(shown)).toBe((first + 1) % count);
    for (let i = 0; i < first + 2; i++) shown.key(field, 'ArrowUp');
    expect(chosen(shown)).toBe(count - 1);
    shown.key(field, 'ArrowDown');
    expect(chosen(shown)).toBe(0);
    expect(shown.key(field, 'x')).toBe(false);
    field.value = 'keyboard shortcuts';
    shown.tell(field, 'input');
    expect(shown.key(field, 'Enter')).toBe(true);
    expect([onHelp.mock.calls.length, shown.find('dialog').open]).toEqual([1, false]);
    shown.calls('open');
    expect(field.value).toBe('');
  });

  it('does not run what cannot be run now', () => {
    const { shown } = open();
    const field = shown.find('input');
    field.value = 'reset';
    shown.tell(field, 'input');
    expect(options(shown)).toMatchInlineSnapshot(`
      [
        "Reset R There is no run.",
      ]
    `);
    shown.click(shown.all('[role="option"]')[0]);
    expect([shown.find('dialog').open, trainer.orders]).toEqual([true, []]);
  });
});

it('the keys are listed, and single keys can be switched off', () => {
  const shown = show(ShortcutsDialog, {});
  shown.calls('open');
  expect(shown.says).toMatchInlineSnapshot(`
    [
      "# Keyboard",
      "button "Close"",
      "Ctrl+K",
      "every command, page, lesson and world",
      "Space",
      "train or pause",
      ".",
      "one iteration",
      "R",
      "back to before iteration 1",
      "JK",
      "next and previous rollout",
      "[]",
      "agent of an earlier and a later iteration",
      "0",
      "fit the charts",
      "C",
      "talk to the agent",
      "E",
      "edit an environment",
      "?",
      "this list",
      "checkbox "Single-key shortcuts", checked",
      "Single-key shortcuts",
      "Shortcuts are off while you type. Switch them off if a screen reader uses the same keys.",
    ]
  `);
  const before = preferences.shortcuts;
  shown.click(shown.find('input'));
  expect(preferences.shortcuts).toBe(!before);
  shown.click(shown.find('input'));
});
