// @vitest-environment dom
/** The folder of a pretrained model that this browser keeps: it is read again, at once or after a press. */
import { beforeEach, expect, it, vi } from 'vitest';
import * as folders from '../../../src/ui/base/model-folders';
import ModelFolder from '../../../src/ui/panels/setup/ModelFolder.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage } from '../../helpers/fake-trainer';

stubPage();

const handle = { name: 'tiny' } as FileSystemDirectoryHandle;
const files = new Map([
  ['tiny/config.json', 'the config'],
  ['tiny/more/other.json', 'another'],
]) as never;
let page: PageState;
let give: ReturnType<typeof vi.spyOn>;
/** Whether the folder may be read without and after a question. */
let answers: [boolean, boolean];
beforeEach(async () => {
  page = await new FakeBrowser().open();
  give = vi.spyOn(page.workspace.models, 'give').mockResolvedValue();
  answers = [false, true];
  vi.spyOn(folders, 'keptFolder').mockImplementation(async (digest) => (digest === 'kept' ? handle : null));
  vi.spyOn(folders, 'mayRead').mockImplementation(async (_, asks) => answers[asks ? 1 : 0]);
  vi.spyOn(folders, 'filesOf').mockImplementation(async (of) => ({ files, handle: of }));
});
const open = async (digest?: string) => {
  const shown = show(ModelFolder, { label: 'Choose', digest }, page);
  await come(shown);
  return shown;
};
const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};
const given = [{ folder: 'tiny', files: new Map([['config.json', 'the config']]) }, handle];

it('is read at once where that is granted', async () => {
  answers = [true, true];
  await open('kept');
  expect(give.mock.calls).toEqual([given]);
});

it('is read after a press where the browser asks, and not where the visitor refuses', async () => {
  const shown = await open('kept');
  expect([give.mock.calls.length, shown.all('button').length]).toEqual([0, 2]);
  shown.click(shown.all('button')[0]);
  await come(shown);
  expect(give.mock.calls).toEqual([given]);
  answers = [false, false];
  shown.click(shown.all('button')[0]);
  await come(shown);
  expect(give).toHaveBeenCalledOnce();
});

it('is offered of that model only', async () => {
  expect((await open('another')).all('button')).toHaveLength(1);
  expect((await open()).all('button')).toHaveLength(1);
  expect(folders.keptFolder).toHaveBeenCalledOnce();
});

it('that cannot be read is a sentence', async () => {
  vi.mocked(folders.filesOf).mockRejectedValue(new Error('There are too many files.'));
  answers = [true, true];
  const shown = await open('kept');
  await come(shown);
  expect(shown.find('[aria-live]').textContent.trim()).toBe('There are too many files.');
});
