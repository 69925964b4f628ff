/** What the page does beside its run: notices, its address, the queue, and what it says after an absence. */
import { describe, expect, it, vi } from 'vitest';
import { queueKey } from '../../src/ui/base/stored';
import { text } from '../../src/ui/state/run/text';
import { FakeBrowser, settle, stubPage } from '../helpers/fake-trainer';
import { soon } from '../helpers/soon';

stubPage();

/** A page whose run has come so far. */
async function pageAt(until: Parameters<FakeBrowser['trainer']['play']>[0]) {
  const browser = new FakeBrowser();
  const page = await browser.open();
  page.tabRun.commands.train.run();
  await settle();
  browser.trainer.play(until);
  return { browser, page, trainer: browser.trainer };
}

/** Presses the button beside the fault that the page shows. */
async function pressRemedy({ page }: FakeBrowser): Promise<void> {
  page.workspace.failures.current!.action!.act();
  await settle();
}

describe('the page around a run', () => {
  const failure = (page: Awaited<ReturnType<FakeBrowser['open']>>, label: string) =>
    page.workspace.failures.show('It does not fit.', { label, act: () => undefined });

  it('takes back that a setup could not be trained once that is edited, and no other fault', async () => {
    const page = await new FakeBrowser().open();
    failure(page, text.action.restorePreset);
    page.setupChanged();
    expect(page.workspace.failures.current).toBeNull();
    failure(page, 'Another');
    page.setupChanged();
    expect(page.workspace.failures.current?.sentence).toBe('It does not fit.');
  });

  it('writes the setup of the visitor into the address, a moment after the last edit', async () => {
    const replaceState = vi.fn();
    vi.stubGlobal('history', { replaceState });
    const page = await new FakeBrowser().open();
    page.setupChanged();
    await vi.advanceTimersByTimeAsync(5000);
    expect(replaceState, 'a setup that was given needs no address').not.toHaveBeenCalled();
    page.workspace.setup.set(['seed'], 7);
    page.setupChanged();
    page.setupChanged();
    await vi.advanceTimersByTimeAsync(5000);
    // The part that writes links is loaded when it is first needed, and packing takes turns of the event loop.
    vi.useRealTimers();
    await vi.waitFor(() => expect(replaceState).toHaveBeenCalledTimes(1), { timeout: 30_000 });
    expect(replaceState.mock.lastCall!.at(-1)).toContain('seed=7');
  });

  it('asks the browser once, after the first save of a run, to keep what is stored', async () => {
    const persist = vi.fn(async () => true);
    vi.stubGlobal('navigator', { storage: { persist } });
    const { trainer } = await pageAt(1);
    expect(persist).not.toHaveBeenCalled();
    trainer.save();
    trainer.play(2);
    trainer.save();
    expect(persist).toHaveBeenCalledTimes(1);
  });

  it('says what the trainer has to say, with the button that belongs to it', async () => {
    const { page, trainer } = await pageAt(1);
    const notice = { kind: 'not-saved', sentence: 'It is not saved.', remedy: 'none' } as const;
    trainer.tell({ type: 'notice', notice });
    expect(page.workspace.notices.list.at(-1)).toEqual({
      kind: 'not-saved',
      sentence: 'It is not saved.',
      remedy: 'none',
      action: null,
    });
    trainer.tell({ type: 'notice', notice: { ...notice, remedy: 'download' } });
    const download = vi.spyOn(page.tabRun, 'download').mockResolvedValue(undefined as never);
    const { action } = page.workspace.notices.list.at(-1)!;
    expect(action?.label).toBe(text.remedy.download);
    action!.act();
    expect(download).toHaveBeenCalledOnce();
  });

  it('can be loaded again where the list of presets could not be fetched', async () => {
    const browser = new FakeBrowser();
    const { readCatalog } = browser.surroundings;
    browser.surroundings.readCatalog = () => Promise.reject(new Error('There is no connection.'));
    const page = await browser.open();
    expect([page.workspace.failures.current?.sentence, page.trainer.api, page.workspace.models.isAwaited]).toEqual([
      'There is no connection.',
      null,
      false,
    ]);
    browser.surroundings.readCatalog = readCatalog;
    await pressRemedy(browser);
    expect([page.workspace.failures.current, page.trainer.api === null]).toEqual([null, false]);
    expect(page.workspace.setup.preset?.name).toBe('calculator-mini');
  });

  it('opens the editor, or a round, where its address asks for one', async () => {
    const at = async (hash: string) => {
      vi.stubGlobal('location', { hash, href: `http://here/${hash}` });
      vi.useRealTimers();
      const browser = new FakeBrowser();
      void browser.page.start();
      await soon(() => expect(browser.page.workspace.asksFor).not.toBeNull());
      return browser.page;
    };
    expect((await at('#/lab?own')).workspace.asksFor).toBe('edit');
    const round = await at('#/lab?v=1&preset=bandit&play');
    expect([round.workspace.asksFor, round.workspace.setup.preset?.name]).toEqual(['play', 'bandit']);
  });

  it('says why a link could not be opened, and tries it again', async () => {
    vi.stubGlobal('location', { hash: '#/lab?v=1&preset=bandit', href: 'http://here/' });
    vi.useRealTimers();
    const browser = new FakeBrowser();
    const { page } = browser;
    const madeLink = vi.spyOn(page.workspace.saved, 'madeLink').mockImplementationOnce(() => {
      throw new Error('A part is missing.');
    });
    void page.start();
    await soon(() => expect(page.workspace.failures.current).not.toBeNull());
    expect(page.workspace.failures.current!.sentence).toBe(text.failure.link('A part is missing.'));
    page.workspace.failures.current!.action!.act();
    await soon(() => expect(page.workspace.setup.preset?.name).toBe('bandit'));
    expect([page.workspace.failures.current, madeLink.mock.calls.length]).toEqual([null, 2]);
  });

  it('opens the queue at once where this browser has stored one', async () => {
    const opens = async (stored: string | null) => {
      vi.stubGlobal('localStorage', { getItem: (key: string) => (key === queueKey ? stored : null) });
      const browser = new FakeBrowser();
      const open = vi.spyOn(browser.page.workspace, 'openQueue').mockRejectedValue(new Error('no connection'));
      await browser.open();
      return open.mock.calls.length > 0;
    };
    expect(await opens(null)).toBe(false);
    expect(await opens('{}')).toBe(true);
  });

  it('says what a run did while its tab was hidden for long', async () => {
    const hiddenNotice = ({ workspace }: Awaited<ReturnType<FakeBrowser['open']>>) =>
      workspace.notices.list.find(({ kind }) => kind === 'hidden')?.sentence;
    const { page, trainer } = await pageAt(2);
    page.leaving();
    expect(page.tabRun.run.savedAt, 'it is saved').toBe(2);
    trainer.play(5);
    page.leaving();
    page.returned(1000);
    expect(hiddenNotice(page), 'not after a second').toBeUndefined();
    page.leaving();
    trainer.play(7);
    page.returned(3_600_000);
    expect(hiddenNotice(page)).toBe(text.notice.hidden(3_600_000, 2, page.tabRun.run.savedAt));
    page.workspace.notices.dismiss('hidden');
    page.returned(3_600_000);
    expect(hiddenNotice(page), 'once').toBeUndefined();
    trainer.play('finished');
    page.leaving();
    page.returned(3_600_000);
    expect(hiddenNotice(page), 'a run that has ended did nothing').toBeUndefined();
  });
});
