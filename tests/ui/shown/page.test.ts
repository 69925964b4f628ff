// @vitest-environment dom
/** The page as a whole: what the address opens, what is said above it, and the offer of a new version. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../../../src/ui/app/App.svelte';
import NewVersion from '../../../src/ui/app/NewVersion.svelte';
import * as versions from '../../../src/ui/app/new-version';
import * as contexts from '../../../src/ui/state/contexts';
import * as client from '../../../src/ui/trainer/trainer-client';
import { catalogOf } from '../../helpers/catalog';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, FakeTrainer, settle, stubPage } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();
beforeEach(() => {
  const catalog = JSON.stringify(catalogOf('calculator', 'bandit'));
  vi.stubGlobal('fetch', async (url: string) =>
    url === '/catalog.json' ? new Response(catalog) : new Response('', { status: 404 }),
  );
  document.title = 'Agentlet';
});

const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};
/** The page at an address, with a trainer that a test plays. */
async function open(hash: string) {
  const browser = new FakeBrowser();
  location.hash = hash;
  vi.spyOn(client, 'startTrainer').mockImplementation((onCrash) => {
    browser.trainers.push(new FakeTrainer(browser, onCrash));
    return browser.trainer;
  });
  const provided = vi.spyOn(contexts, 'provide');
  const shown = show(App, {});
  await come(shown);
  return { browser, shown, ...provided.mock.lastCall![0] };
}
const go = async (shown: Shown, hash: string) => {
  const oldURL = `http://here/${location.hash}`;
  location.hash = hash;
  shown.tell(window, 'hashchange', { oldURL });
  await come(shown);
};
const title = (shown: Shown) => shown.find('main h1').textContent;
const dialogs = (shown: Shown) => shown.all('dialog').filter((dialog) => dialog.open).length;

describe('the page', () => {
  it('shows the worlds, the Lab, the runs or the lessons, and begins at the top of each', async () => {
    const tops: unknown[] = [];
    vi.stubGlobal('scrollTo', (...to: unknown[]) => tops.push(to));
    const { shown } = await open('#/');
    const lab = () => shown.find('nav').querySelectorAll('a')[1].getAttribute('href');
    await soon(async () => {
      await come(shown);
      expect(title(shown)).toBe('Worlds');
    });
    expect([shown.says[0], lab()]).toEqual(['button "Skip to the page"', '#/lab']);
    for (const [hash, part] of [
      ['#/runs', '.runs, [aria-labelledby="runs-title"]'],
      ['#/learn', '#learn-title'],
      ['#/lab?preset=bandit', '.lab'],
      ['#/runs', '.runs, [aria-labelledby="runs-title"]'],
    ]) {
      await go(shown, hash);
      await soon(async () => {
        await come(shown);
        shown.find(part);
      });
      expect(document.activeElement).toBe(shown.find('main'));
    }
    expect([tops, lab()]).toEqual([Array(4).fill([0, 0]), '#/lab?preset=bandit']);
  });

  it('opens the Lab as it was left, or as another address asks', async () => {
    const { shown, workspace } = await open('#/lab?preset=bandit');
    const opened = () => [workspace.setup.preset?.name, workspace.setup.config?.seed];
    await soon(async () => {
      await come(shown);
      expect(opened()).toEqual(['bandit', 1]);
    });
    expect(shown.says[0]).toBe('button "Skip to the charts"');
    workspace.setup.choosePreset('calculator');
    await go(shown, '#/learn');
    await go(shown, '#/lab?preset=bandit');
    expect(opened()).toEqual(['calculator', 1]);
    await go(shown, '#/learn');
    await go(shown, '#/lab?preset=bandit&seed=7');
    await soon(async () => {
      await come(shown);
      expect(opened()).toEqual(['bandit', 7]);
    });
    shown.press('Skip to the charts');
    expect(document.activeElement).toBe(shown.find('#curves'));
    await go(shown, '#/learn');
    shown.press('Skip to the page');
    expect(document.activeElement).toBe(shown.find('main'));
  });

  it('has the state of the run as its title, and asks before it is closed with what is not saved', async () => {
    const { shown, browser, tabRun } = await open('#/lab');
    await come(shown, 1000);
    const asks = () => shown.tell(window, 'beforeunload');
    expect([document.title, asks()]).toEqual(['Agentlet', false]);
    tabRun.commands.train.run();
    await come(shown);
    browser.trainer.play(2);
    await come(shown);
    expect(document.title).toContain(`${tabRun.statusText} · `);
    expect(asks()).toBe(true);
    browser.trainer.save();
    await come(shown);
    expect(asks()).toBe(false);
  });

  it('says what failed, what there is to know, and what can go on', async () => {
    const { shown, workspace } = await open('#/learn');
    await come(shown, 1000);
    const act = vi.fn();
    workspace.failures.show('It broke.', { label: 'Mend it', act });
    workspace.notices.show({ kind: 'a', sentence: 'One thing.', action: { label: 'See it', act } });
    workspace.notices.show({ kind: 'b', sentence: 'Another thing.', action: null });
    await come(shown);
    const notices = () => shown.all('.notice').map((each) => each.textContent.replace(/\s+/g, ' ').trim());
    expect(notices()).toEqual(['It broke. Mend it', 'One thing. See it', 'Another thing.']);
    shown.press('Mend it');
    expect([act.mock.calls.length, notices()]).toEqual([1, ['One thing. See it', 'Another thing.']]);
    shown.press('See it');
    expect([act.mock.calls.length, notices()]).toEqual([2, ['Another thing.']]);
    shown.press('Dismiss');
    expect(notices()).toEqual([]);
    workspace.failures.show('It broke again.', null);
    await come(shown);
    shown.press('Dismiss');
    expect(workspace.failures.current).toBeNull();
    const { config } = workspace.setup;
    const run = { id: 'a', config: config!, title: '', savedAtMs: 0, iteration: 3, warmSteps: 1, finished: false };
    workspace.saved.offered = run;
    await come(shown);
    expect(shown.says).toContain('button "Resume"');
  });

  it('opens its palette by a key and its list of keys by a press', async () => {
    const { shown, workspace } = await open('#/learn');
    expect(shown.key(shown.root, 'k')).toBe(false);
    expect(shown.key(shown.root, 'k', { ctrlKey: true })).toBe(true);
    await soon(async () => {
      await come(shown);
      expect(dialogs(shown)).toBe(1);
    });
    for (const dialog of shown.all('dialog')) dialog.open = false;
    shown.press('Keyboard shortcuts');
    await soon(async () => {
      await come(shown);
      expect(dialogs(shown)).toBe(1);
    });
    expect([shown.all('dialog').length, workspace.failures.current]).toEqual([2, null]);
  });

  it('keeps the run when it may vanish', async () => {
    const { shown, browser } = await open('#/lab');
    await come(shown, 1000);
    const saves = vi.fn(async () => undefined);
    browser.trainer.answer({ save: saves });
    shown.tell(window, 'pagehide');
    expect(saves).toHaveBeenCalledOnce();
  });

  it('puts an edited setup into its address', async () => {
    const { shown, workspace } = await open('#/lab');
    const written: string[] = [];
    vi.stubGlobal('history', { replaceState: (_: unknown, __: string, to: string) => written.push(to) });
    await come(shown, 1000);
    workspace.setup.choosePreset('bandit');
    await soon(async () => {
      await come(shown, 1000);
      expect(written.at(-1)).toContain('preset=bandit');
    });
  });
});

describe('a new version', () => {
  it('is offered whenever a reload would lose nothing, and opened once no other tab needs the old one', async () => {
    const opens = [false, true];
    const open = vi.fn(async () => opens.shift()!);
    vi.spyOn(versions, 'keepOffline').mockImplementation(async (ready) => ready({ open }));
    const browser = new FakeBrowser();
    const page = await browser.open();
    const shown = show(NewVersion, {}, page);
    await come(shown);
    const offer = ['A new version is ready.', 'button "Reload"', 'button "Dismiss"'];
    expect(shown.says).toEqual(offer);
    page.tabRun.commands.train.run();
    await settle();
    browser.trainer.play(1);
    await come(shown);
    expect(shown.says).toEqual([]);
    page.tabRun.commands.pause.run();
    await come(shown);
    expect([page.tabRun.run.state, shown.says]).toEqual(['paused', []]);
    browser.trainer.save();
    await come(shown);
    expect(shown.says).toEqual(offer);
    shown.press('Reload');
    await come(shown);
    expect(shown.says[0]).toBe('A new version is ready. Close the other tabs of Agentlet first, then reload.');
    shown.press('Reload');
    await come(shown);
    expect([open.mock.calls.length, shown.says[0]]).toEqual([2, 'A new version is ready.']);
    shown.press('Dismiss');
    expect(shown.says).toEqual([]);
  });
});
