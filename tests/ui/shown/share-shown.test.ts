// @vitest-environment dom
/** The link to share, and the panel of a link that was opened. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import RunBar from '../../../src/ui/panels/run/RunBar.svelte';
import AuthorPanel from '../../../src/ui/panels/share/AuthorPanel.svelte';
import ShareDialog from '../../../src/ui/panels/share/ShareDialog.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, onCpu, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';

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

const train = async (until: Parameters<FakeTrainer['play']>[0]) => {
  page.tabRun.commands.train.run();
  await settle();
  trainer.play(until);
};

describe('the link to share', () => {
  const writeText = vi.fn<(text: string) => Promise<void>>();
  const open = async (address: Promise<string> = Promise.resolve('http://here/#/lab?v=1&preset=bandit')) => {
    writeText.mockReset().mockResolvedValue();
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    vi.spyOn(page.tabRun, 'shareAddress').mockReturnValue(address);
    const shown = show(ShareDialog, {}, page);
    shown.calls('open');
    expect(shown.control('Copy').disabled).toBe(true);
    await come(shown);
    return shown;
  };

  it('comes when the dialog opens, marked to be copied', async () => {
    const shown = await open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Share this run",
        "button "Close"",
        "field "Link": http://here/#/lab?v=1&preset=bandit",
        "button "Copy link", primary",
        "35 characters. It fits in a chat message.",
        "fold "For a class: hide parts of the Lab"",
        "# It carries",
        "the settings that differ from the preset, with rounds that teach, and the seed",
        "It carries no weights, no rollouts and nothing about you. No server keeps it: the link itself is…",
      ]
    `);
    const field = shown.find('input');
    expect([document.activeElement, field.selectionStart, field.selectionEnd]).toEqual([field, 0, field.value.length]);
    shown.press('Copy');
    await come(shown);
    expect([writeText.mock.lastCall, shown.find('.good').textContent]).toEqual([[field.value], 'Copied.']);
    writeText.mockRejectedValue(new Error());
    field.setSelectionRange(3, 3);
    shown.press('Copy');
    await come(shown);
    expect([field.selectionStart, shown.find('.good').textContent]).toMatchInlineSnapshot(`
      [
        0,
        "This browser did not allow copying; the link is selected, so press Ctrl+C or ⌘C.",
      ]
    `);
  });

  it('hides parts for a class', async () => {
    const shown = await open();
    shown.click(shown.find('summary'));
    const boxes = shown.all('[type="checkbox"]');
    shown.click(boxes[1]);
    expect(shown.find('input').value).toBe('http://here/#/lab?hide=setup&v=1&preset=bandit');
    shown.press('Copy');
    await come(shown);
    shown.click(boxes[2]);
    expect(shown.find('.good').textContent).toBe('');
    shown.calls('open');
    await come(shown);
    expect(boxes.map(({ checked }) => checked).includes(true)).toBe(false);
  });

  it('carries the curve of a run, but not of one whose setup changed', async () => {
    await train(3);
    const shown = await open();
    expect(shown.all('.bullets li').map((each) => each.textContent.slice(0, 60))).toMatchInlineSnapshot(`
      [
        "the settings that differ from the preset, with rounds that t",
        "the curve so far and a fingerprint of the first iterations, ",
        "the engine version and the name of the GPU, or that it was t",
      ]
    `);
    page.tabRun.run.begun = { ...page.tabRun.run.begun!, configChanges: [2] };
    const changed = await open();
    expect(changed.all('.bullets li').map((each) => each.textContent.slice(0, 60))).toMatchInlineSnapshot(`
      [
        "the settings that differ from the preset, with rounds that t",
        "no curve: the setup of this run changed after iteration 2, s",
      ]
    `);
  });

  it('is missing with a reason', async () => {
    const shown = await open(Promise.reject(new Error('It is too long.')));
    expect(shown.says.filter((line) => line.startsWith('bad'))).toMatchInlineSnapshot(`
      [
        "bad: The link could not be made: It is too long.. Close this and try again.",
      ]
    `);
  });
});

describe('the panel of a link', () => {
  const author = (more: object = {}, config: object = {}) =>
    ({
      preset: 'calculator-mini',
      config: { ...page.workspace.setup.config!, ...config },
      engineVersion: '0.8.0',
      shared: true,
      adapter: 'A laptop',
      validation: [{ iteration: 14, success: 0.75 }],
      notices: [],
      ...more,
    }) as never;
  const says = (link: never) => show(AuthorPanel, { author: link }, page).says;

  it('says what its author reached, and trains it again', async () => {
    const shown = show(AuthorPanel, { author: author() }, page);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Someone sent you this run",
        "The link says: the author’s agent solved 75 % of unseen tasks at iteration 14.",
        "Calculator, mini · The link says: trained on A laptop, with engine 0.8.0.",
      ]
    `);
    page.tabRun.shown.author = author();
    const bar = show(RunBar, {}, page);
    bar.press('Run it here');
    await come(bar);
    expect([trainer.orders, bar.all('.main')[0].textContent.trim()]).toEqual([['train 1'], 'Pause']);
  });

  it('draws a curve that rises as the author’s success does', () => {
    const validation = [
      { iteration: 1, success: 0.25 },
      { iteration: 14, success: 0.75 },
    ];
    const shown = show(AuthorPanel, { author: author({ validation }) }, page);
    expect(shown.find('path').getAttribute('d')).toBe('M17.1 53.0L240.0 19.0');
  });

  it('differs without a curve, without an author, and where the setup is another', () => {
    expect(says(author({ validation: [], curve: [0.25, 0.5] }))).toMatchInlineSnapshot(`
      [
        "# Someone sent you this run",
        "This link contains settings only, no results.",
        "Calculator, mini · The link says: trained on A laptop, with engine 0.8.0.",
      ]
    `);
    expect(says(author({ validation: [] }))).toMatchInlineSnapshot(`
      [
        "# Someone sent you this run",
        "This link contains settings only, no results.",
        "Calculator, mini · The link says: trained on A laptop, with engine 0.8.0.",
      ]
    `);
    expect(says(author({ shared: false, validation: [], notices: ['One thing is unknown.'] }))).toMatchInlineSnapshot(`
      [
        "# Part of this address was not used as it is written",
        "ul "About this link"",
        "One thing is unknown.",
      ]
    `);
    page.tabRun.shown.author = author({}, { seed: 99 });
    expect(show(RunBar, {}, page).says).toContain('button "Train", primary');
    const own = { environment: { name: 'own', options: {}, source: 'export {}' } };
    expect(says(author({ shared: false, validation: [] }, own))).toMatchInlineSnapshot(`
      [
        "# This address brings its own environment",
        "warning: This link brings its own environment code, written by whoever made it. It has not run. …",
        "fold "The code", expanded",
        "pre "Source of the environment"",
        "export {}",
      ]
    `);
  });

  it('says that the link chose the CPU where there is a GPU, and whether the run was the same here', async () => {
    page.workspace.setup.set(['device'], 'cpu');
    const here = author();
    page.workspace.setup.loadLinked('calculator-mini', (here as { config: never }).config);
    const onCpuWords = (shown: Shown) => shown.all('.small-text').length;
    const without = onCpuWords(show(AuthorPanel, { author: here }, page));
    trainer.answer({ device: async () => ({ ...onCpu, runsOn: { ...onCpu.runsOn, auto: 'gpu' } }) });
    page.trainer.findDevices();
    await settle();
    expect(onCpuWords(show(AuthorPanel, { author: here }, page))).toBe(without + 1);
    vi.spyOn(page.tabRun, 'reproduction', 'get').mockReturnValue({
      kind: 'different',
      sentence: 'It differs.',
    } as never);
    const shown = show(AuthorPanel, { author: here }, page);
    const verdict = shown.find('[data-verdict]');
    expect([verdict.textContent, verdict.matches('.warn')]).toEqual(['It differs.', true]);
  });
});
