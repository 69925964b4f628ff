// @vitest-environment dom
/** All settings, and how a model or rows of data come to the setup. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import AllSettings from '../../../src/ui/panels/setup/AllSettings.svelte';
import HubModel from '../../../src/ui/panels/setup/HubModel.svelte';
import MissingModel from '../../../src/ui/panels/setup/MissingModel.svelte';
import MissingRows from '../../../src/ui/panels/setup/MissingRows.svelte';
import ModelFolder from '../../../src/ui/panels/setup/ModelFolder.svelte';
import ModelKind from '../../../src/ui/panels/setup/ModelKind.svelte';
import ModelSize from '../../../src/ui/panels/setup/ModelSize.svelte';
import RowsInput from '../../../src/ui/panels/setup/RowsInput.svelte';
import { maxRowsBytes } from '../../../src/lib/text-caps';
import type { OpenedLink } from '../../../src/config/run-link';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();

let browser: FakeBrowser;

let page: PageState;

beforeEach(async () => {
  browser = new FakeBrowser();
  page = await browser.open();
  // What a hub offers is asked in a worker, which these tests have not.
  vi.spyOn(page.workspace.hub, 'refresh').mockResolvedValue();
});

const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};

const given = {
  name: 'tiny',
  digest: 'a'.repeat(64),
  context: 2048,
  architecture: 'Qwen3',
  parameters: 17,
  bytes: 34,
  licence: null,
};

const modelFile = () => Object.assign(new File(['{}'], 'config.json'), { webkitRelativePath: 'tiny/config.json' });

describe('all settings', () => {
  it('are in groups, with what a start costs, and without one that starts from nothing', async () => {
    const { setup } = page.workspace;
    const { environment } = setup.preset!;
    const shown = show(AllSettings, { config: setup.config!, environment }, page);
    await come(shown);
    expect(shown.says.filter((line) => /^(choice|field|radio|checkbox|fold|ul) /.test(line))).toMatchInlineSnapshot(`
      [
        "choice "Level": 1 of 1 | 2",
        "ul "Tools"",
        "field "exact": 1",
        "field "tool": 0.1",
        "field "steps": 0",
        "radio "Small transformer, from nothing", checked",
        "radio "Pretrained model: of this page, a hub or your disk"",
        "fold "Advanced"",
        "field "KL coefficient": 0",
        "checkbox "Loss mask", checked",
        "checkbox "Advantage mask", checked",
        "fold "Advanced"",
        "fold "KL to the reference policy"",
        "fold "Critic"",
        "fold "Process rewards and penalties"",
        "fold "Rollout filter"",
        "fold "Mistakes, for teaching"",
        "field "Tasks": 16",
        "field "Group size": 8",
        "field "Temperature": 1",
        "field "Turns": 3",
        "fold "Advanced"",
        "field "Iterations": 14",
        "fold "Advanced"",
        "checkbox "From scratch"",
        "checkbox "Train the warm start here"",
        "field "Demonstrations": 1000",
        "field "Warm-start steps": 240",
        "fold "Advanced"",
        "fold "Source of the environment"",
      ]
    `);
    const [scratch, start] = shown.all('[role="switch"]').filter((each) => each.id === '');
    shown.click(start);
    expect(setup.config!.warmStart.recorded).toBe(false);
    shown.click(scratch);
    expect(setup.fromScratch).toBe(true);
    expect(shown.all('.warning')).toHaveLength(1);
    expect(shown.all('#start-note')).toHaveLength(0);
  });
});

describe('the size of a model', () => {
  it('is one of a list, each with its memory, or a custom one', () => {
    const { setup } = page.workspace;
    const { model } = setup.config!;
    setup.catalog = {
      ...setup.catalog!,
      modelPresets: [
        { name: 'small', model },
        { name: 'large', model: { ...model, layers: 9 } },
      ],
    } as never;
    setup.presetPlans = { small: { ...setup.plan!, parameters: 1200, totalBytes: 3e6 } };
    const shown = show(ModelSize, { setup });
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Size",
        "radio "small 1.2K, 3 MB", checked",
        "small 1.2K, 3 MB",
        "radio "large …"",
        "large …",
      ]
    `);
    const chosen = () => shown.all('label').map((each) => each.classList.contains('chosen'));
    expect(chosen()).toEqual([true, false]);
    shown.click(shown.all('input')[1]);
    expect([setup.config!.model.layers, chosen()]).toEqual([9, [false, true]]);
    setup.set(['model', 'layers'], 5);
    shown.tell(shown.root, 'nothing');
    expect(shown.says.at(-1)).toMatchInlineSnapshot(`"large …"`);
  });
});

describe('a pretrained model', () => {
  it('is a kind of model, with what is known of it', async () => {
    browser.trainer.giveModel = async () => given;
    const { setup, models } = page.workspace;
    const shown = show(ModelKind, {}, page);
    const kinds = () => shown.all('[name="model-kind"]').map(({ checked }) => checked);
    expect(kinds()).toEqual([true, false]);
    shown.click(shown.all('[name="model-kind"]')[1]);
    expect([kinds(), models.isAsked]).toEqual([[false, true], true]);
    expect(shown.says.filter((line) => line.startsWith('button'))).toMatchInlineSnapshot(`
      [
        "button "Use agentlet-1.3m of this page (2.66 MB)"",
        "button "Ask huggingface.co what it costs"",
        "button "Choose the folder"",
      ]
    `);
    await models.give({ folder: 'tiny', files: new Map() });
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Kind of model",
        "radio "Small transformer, from nothing"",
        "Small transformer, from nothing",
        "radio "Pretrained model: of this page, a hub or your disk", checked",
        "Pretrained model: of this page, a hub or your disk",
        "Model",
        "tiny",
        "Architecture",
        "Qwen3",
        "Parameters",
        "17",
        "Weights",
        "0.034 kB",
        "Context",
        "2,048 tokens",
        "Licence",
        "not named in its README.md",
        "SHA-256",
        "aaaaaaaaaaaa…",
        "A model of a hub",
        "field "A model of a hub": (owner/name)",
        "button "Ask huggingface.co what it costs"",
        "button "Choose another folder"",
        "or drop it on the page",
      ]
    `);
    shown.click(shown.all('[name="model-kind"]')[0]);
    expect([kinds(), setup.config!.model.pretrained]).toEqual([[true, false], undefined]);
    shown.click(shown.all('[name="model-kind"]')[1]);
    expect(setup.config!.model.pretrained?.name).toBe('tiny');
  });

  it('is read from a folder that is chosen or dropped, and refused with a sentence', async () => {
    const giveModel = vi.fn(async (_: unknown, __: unknown, tell: (share: number) => void) => {
      tell(0.5);
      return given;
    });
    browser.trainer.giveModel = giveModel as never;
    const shown = show(ModelFolder, { label: 'Choose a folder' }, page);
    const input = shown.find('input');
    input.files = [];
    shown.tell(input, 'change');
    await come(shown);
    expect(giveModel).not.toHaveBeenCalled();
    const click = vi.spyOn(input, 'click');
    shown.press('Choose a folder');
    expect(click).toHaveBeenCalledOnce();
    const beside = Object.assign(new File([''], 'a.txt'), { webkitRelativePath: 'a.txt' });
    input.files = [beside, modelFile()];
    shown.tell(input, 'change');
    await come(shown);
    await soon(() => expect(giveModel).toHaveBeenCalledOnce());
    expect([giveModel.mock.calls[0][0], input.value]).toMatchObject([{ folder: 'tiny' }, '']);
    giveModel.mockRejectedValue(new Error('It has no config.json.'));
    shown.tell(input, 'change');
    await soon(async () => {
      await come(shown);
      expect(shown.find('[aria-live]').textContent).toContain('It has no config.json.');
    });
    expect(shown.find('[aria-live]').className).toContain('bad');
    expect(shown.tell(document as never, 'drop', { dataTransfer: { types: ['text/plain'] } })).toBe(false);
    expect(shown.tell(document as never, 'drop', {})).toBe(false);
    expect(shown.tell(document as never, 'drop', { dataTransfer: { types: ['Files'], items: [] } })).toBe(true);
    expect(shown.tell(document as never, 'dragover')).toBe(true);
  });

  it('says how far it was read, and takes no other meanwhile', async () => {
    browser.trainer.giveModel = ((_: unknown, __: unknown, tell: (share: number) => void) => {
      tell(0.25);
      return new Promise(() => undefined);
    }) as never;
    const shown = show(ModelFolder, { label: 'Choose a folder' }, page);
    void page.workspace.models.give({ folder: 'tiny', files: new Map() });
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "button "Choose a folder", disabled",
        "or drop it on the page",
        "progress "Files read": 0.25/1",
        "Reading its files: 25 %",
      ]
    `);
  });

  it('that the setup names and that is not here is asked for', async () => {
    browser.trainer.giveModel = async () => given;
    await page.workspace.models.give({ folder: 'tiny', files: new Map() });
    const shown = show(MissingModel, {}, page);
    expect(shown.says[0]).toMatch(/^# /);
    expect(shown.find('.warning').textContent).toContain('tiny');
    page.workspace.setup.useOwnModel();
    await come(shown);
    expect(shown.all('.warning')).toHaveLength(0);
  });

  it('of a hub is asked for by name, with its cost, and can be stopped, used and deleted', async () => {
    const { hub } = page.workspace;
    const persist = vi.fn(() => Promise.resolve(true));
    vi.stubGlobal('navigator', { storage: { persist } });
    const [ask, download, stop, use, remove] = (['ask', 'download', 'stop', 'use', 'remove'] as const).map((name) =>
      vi.spyOn(hub, name as 'ask').mockResolvedValue(undefined as never),
    );
    const shown = show(HubModel, {}, page);
    hub.offer = { name: 'a/b', revision: '0123456789abcdef', licence: null, fetchBytes: 5e6, bill: ['A line.'] };
    const kept = { name: 'a/b', folder: 'f', digest: 'd', keptBytes: 5e6 };
    hub.kept = [kept, { ...kept, name: 'c/d', folder: 'g', digest: null }] as never;
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "A model of a hub",
        "field "A model of a hub": (owner/name)",
        "button "Ask huggingface.co what it costs"",
        "section "What it costs"",
        "a/b 0123456789ab",
        "To fetch: 5 MB. Licence: unknown.",
        "A line.",
        "button "Download", primary",
        "ul "Models that this browser keeps"",
        "a/b, 5 MB",
        "button "Use"",
        "button "Delete"",
        "c/d, 5 MB, not whole: download it again to go on",
        "button "Delete"",
      ]
    `);
    expect(persist).not.toHaveBeenCalled();
    shown.press('Download');
    expect(persist).toHaveBeenCalledOnce();
    shown.press('Use');
    shown.press('Delete');
    hub.progress = { doneBytes: 2e6, totalBytes: 5e6, file: 'm' };
    await come(shown);
    expect(shown.says.filter((line) => /progress|MB of|Stop/.test(line))).toMatchInlineSnapshot(`
      [
        "progress "Bytes fetched": 2000000/5000000",
        "2 MB of 5 MB",
        "button "Stop the download"",
      ]
    `);
    shown.press('Stop');
    expect([download, use, remove, stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1]);
    if (shown.all('form').length > 0) {
      shown.write('A model of a hub', 'a/b');
      shown.tell(shown.find('form'), 'submit');
      expect(ask).toHaveBeenCalledWith('a/b', page.workspace.setup.config, expect.any(Function));
      const machine = (ask.mock.calls[0] as unknown as [string, object, () => Promise<unknown>])[2];
      browser.trainer.answer({ speed: async () => 3 });
      expect(await machine()).toMatchObject({ kind: 'cpu', name: 'CPU', gflops: 3 });
      page.trainer.device = {
        gpu: { ok: true, adapter: 'A GPU', software: false },
        cpu: 'CPU',
        runsOn: { auto: 'gpu', gpu: 'gpu', cpu: 'cpu' },
      };
      expect(await machine()).toMatchObject({ kind: 'gpu', name: 'A GPU' });
      page.trainer.device = null;
      await expect(machine()).rejects.toThrow('not ready');
    }
  });
});

describe('rows of data', () => {
  const open = () => {
    const [onrows, onrefused] = [vi.fn(), vi.fn()];
    return { shown: show(RowsInput, { label: 'Rows', onrows, onrefused }), onrows, onrefused };
  };

  it('are read as text, a table as JSON lines, and refused with a sentence', async () => {
    const { shown, onrows, onrefused } = open();
    const give = async (file: unknown) => {
      await shown.calls('open', file);
      return [onrows.mock.lastCall?.[0], onrefused.mock.lastCall?.[0]];
    };
    expect(await give(undefined)).toEqual([undefined, undefined]);
    expect(await give(new File(['{"a":1}'], 'rows.jsonl'))).toEqual([
      { name: 'rows.jsonl', text: '{"a":1}' },
      undefined,
    ]);
    await give(new File(['a,b\n1,2'], 'rows.csv'));
    expect(onrows.mock.lastCall![0].text).toContain('{"a":');
    expect(onrows).toHaveBeenCalledTimes(2);
    await give({ name: 'big.jsonl', size: maxRowsBytes + 1 });
    await give(new File([Uint8Array.of(0xff, 0xfe, 0xff)], 'pixels.png'));
    await give(new File(['a,b\n"1,2'], 'broken.csv'));
    expect(onrefused.mock.calls.map(([sentence]) => sentence)).toMatchInlineSnapshot(`
      [
        "big.jsonl has 1953.1 KiB and was not opened: 1953.1 KiB is the limit.",
        "pixels.png is not a text file. Choose a file of JSON lines or CSV.",
        "Line 2 of broken.csv has a quote that is not closed or stands in a value.",
      ]
    `);
    await give({
      name: 'just.jsonl',
      size: maxRowsBytes,
      arrayBuffer: async () => new ArrayBuffer(0),
      text: async () => '',
    });
    expect(onrows).toHaveBeenCalledTimes(3);
  });

  it('that a setup names are asked for, and the author of a link keeps them', async () => {
    const { setup, own } = page.workspace;
    const config = { ...setup.config!, environment: { name: 'own', options: {}, source: 'x', rowsDigest: 'd' } };
    setup.loadLinked('', config as never);
    page.tabRun.shown.author = { config, shared: true } as unknown as OpenedLink;
    const supplied = { ...config, environment: { ...config.environment, rows: 'r' } };
    const supplyRows = vi.spyOn(own, 'supplyRows').mockResolvedValue(supplied as never);
    const shown = show(MissingRows, {}, page);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# This run needs a file",
        "Open the file of rows",
        "file "Open the file of rows"",
        "You can also drop it anywhere on the page.",
      ]
    `);
    expect(shown.tell(document as never, 'drop', { dataTransfer: { files: [] } })).toBe(false);
    const file = new File(['{}'], 'rows.jsonl');
    expect(shown.tell(document as never, 'drop', { dataTransfer: { files: [file] } })).toBe(true);
    await soon(() => expect(supplyRows).toHaveBeenCalledWith({ name: 'rows.jsonl', text: '{}' }));
    await come(shown);
    expect((page.tabRun.shown.author as OpenedLink).config.environment).toEqual(supplied.environment);
    setup.set(['seed'], 99);
    supplyRows.mockResolvedValue({ ...supplied, environment: config.environment } as never);
    shown.tell(document as never, 'drop', { dataTransfer: { files: [file] } });
    await soon(() => expect(supplyRows).toHaveBeenCalledTimes(2));
    await come(shown);
    expect((page.tabRun.shown.author as OpenedLink).config.environment, 'of another setup').toEqual(
      supplied.environment,
    );
    supplyRows.mockRejectedValue(new Error('These are others.'));
    shown.find('input').files = [file];
    shown.tell(shown.find('input'), 'change');
    await soon(async () => {
      await come(shown);
      expect(shown.says.at(-1)).toBe('These are others.');
    });
  });
});
