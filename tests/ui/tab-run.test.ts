/** The run of this tab: its status, who answers in the chat, which run is looked at, and what leaves the page. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openRunLink, runLink } from '../../src/config/run-link';
import { packRecording } from '../../src/share/recording-file';
import { text } from '../../src/ui/state/run/text';
import { recordingOf } from '../helpers/displayed-run';
import { FakeBrowser, settle, stubPage } from '../helpers/fake-trainer';
import { soon } from '../helpers/soon';

stubPage();

/** A page whose run has come so far; without a run if it is null. */
async function pageAt(until: Parameters<FakeBrowser['trainer']['play']>[0] | null, browser = new FakeBrowser()) {
  const page = await browser.open();
  const { tabRun, workspace } = page;
  if (until !== null) {
    tabRun.commands.train.run();
    await settle();
    browser.trainer.play(until);
  }
  return { browser, page, tabRun, workspace, trainer: browser.trainer, setup: workspace.setup };
}

describe('the status', () => {
  it('counts to the iterations of the setup, and of the run once there is one', async () => {
    const { tabRun, setup, trainer } = await pageAt(null);
    setup.set(['iterations'], 9);
    expect(tabRun.statusText).toBe('Ready · iteration 0/9');
    tabRun.commands.train.run();
    await settle();
    trainer.play(2);
    setup.set(['iterations'], 5);
    expect([tabRun.status.iteration, tabRun.status.total]).toEqual([2, 9]);
    expect(tabRun.statusText).toContain('iteration 2/9');
  });

  it('of a setup that waits is said of an edited setup beside a run, and only then', async () => {
    const { tabRun, setup, trainer } = await pageAt(null);
    setup.newSeed();
    expect(tabRun.setupWaits, 'no run').toBe(false);
    tabRun.commands.train.run();
    await settle();
    trainer.play(1);
    expect(tabRun.setupWaits, 'the run has it').toBe(false);
    setup.set(['seed'], setup.config!.seed + 1);
    expect(tabRun.setupWaits).toBe(true);
  });

  it('lets nobody train before devices and a setup are known', async () => {
    const browser = new FakeBrowser();
    browser.device = new Promise(() => undefined);
    const { tabRun, setup } = await pageAt(null, browser);
    expect([setup.config === null, tabRun.canTrain]).toEqual([false, false]);
    const other = (await pageAt(null)).page;
    expect(other.tabRun.canTrain).toBe(true);
    other.workspace.setup.config = null;
    expect(other.tabRun.canTrain).toBe(false);
  });
});

describe('a question', () => {
  it('goes to the recorded agent before a run, with the setup', async () => {
    const { tabRun, trainer, setup } = await pageAt(null);
    await vi.advanceTimersByTimeAsync(1000);
    const ask = vi.spyOn(trainer, 'chatWithStart').mockImplementation(() => new Promise(() => undefined));
    tabRun.ask('3+4');
    expect(ask.mock.calls.map(([config, question]) => [config, question])).toEqual([[setup.config, '3+4']]);
    expect(tabRun.chat.turns.map(({ question, agent }) => [question, agent])).toEqual([
      ['3+4', text.chat.beforePractice(setup.preset!.title)],
    ]);
    tabRun.ask('5+6');
    expect(ask, 'one question at a time').toHaveBeenCalledTimes(1);
  });

  it('goes to the agent of the run, which answers by its iteration', async () => {
    const { tabRun, trainer } = await pageAt(3);
    const ask = vi.spyOn(trainer, 'chat');
    const other = vi.spyOn(trainer, 'chatWithStart');
    tabRun.ask('3+4');
    expect(ask.mock.calls.map(([question]) => question)).toEqual(['3+4']);
    expect(other).not.toHaveBeenCalled();
    expect(tabRun.chat.turns[0].agent).toBe(text.chat.agent(3));
  });

  it('is not asked while nobody can answer', async () => {
    const { tabRun, trainer } = await pageAt('preparing');
    const asked = [vi.spyOn(trainer, 'chat'), vi.spyOn(trainer, 'chatWithStart')];
    tabRun.ask('3+4');
    for (const ask of asked) expect(ask).not.toHaveBeenCalled();
    expect([tabRun.chatAgent.kind, tabRun.chat.turns]).toEqual(['nobody', []]);
  });
});

describe('what is looked at', () => {
  async function withRecording(browser = new FakeBrowser()) {
    const opened = await pageAt(null, browser);
    vi.stubGlobal('fetch', async () => Response.json(packRecording(recordingOf('calculator-mini'))));
    await opened.tabRun.recordings.ask('calculator-mini');
    return opened;
  }

  it('is the recorded run, from its beginning, unless less motion was asked for', async () => {
    const moving = new FakeBrowser();
    moving.still = false;
    const { tabRun } = await withRecording(moving);
    tabRun.replay.shown = 2;
    tabRun.recordingCame();
    expect([tabRun.shown.view, tabRun.replay.playing, tabRun.replay.shown]).toEqual(['recording', true, 0]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([tabRun.replay.playing, tabRun.replay.shown]).toEqual([false, 3]);
    const { tabRun: atRest } = await withRecording();
    atRest.recordingCame();
    expect([atRest.replay.playing, atRest.replay.shown]).toEqual([false, 3]);
  });

  it('is at first the recorded run of the first preset, unless the address is a link', () => {
    const first = () => new FakeBrowser().page.tabRun.shown.chosenPreset;
    expect(first()).toBe('calculator-mini');
    vi.stubGlobal('location', { hash: '#/lab?v=1&preset=bandit' });
    expect(first()).toBeNull();
  });

  it('is the end of the recorded run where the address names one of its rollouts', async () => {
    const moving = new FakeBrowser();
    moving.still = false;
    const { tabRun } = await withRecording(moving);
    tabRun.shown.wantedRollout = '3/0';
    tabRun.playRecording();
    expect([tabRun.replay.playing, tabRun.replay.shown]).toEqual([false, 3]);
  });

  it('stays the run of this tab when a recording comes', async () => {
    const { tabRun } = await withRecording();
    tabRun.shown.view = 'live';
    tabRun.recordingCame();
    expect([tabRun.shown.view, tabRun.replay.shown]).toEqual(['live', 0]);
  });

  it('is the author’s run after a link with a curve, else the recorded one, and this tab’s beside a run', async () => {
    const { page, tabRun, trainer } = await withRecording();
    const { config } = page.workspace.setup;
    vi.useRealTimers();
    const soFar = { validation: [{ iteration: 1, success: 0.5 }], fingerprint: ['a'.repeat(16)] };
    const withCurve = await openRunLink(await runLink(config!, { ...soFar, adapter: 'CPU', device: 'cpu' }));
    const without = await openRunLink(await runLink(config!, null));
    tabRun.shown.author = withCurve;
    tabRun.showLinkOrRecording();
    expect(tabRun.shown.view).toBe('author');
    tabRun.shown.author = without;
    tabRun.showLinkOrRecording();
    expect(tabRun.shown.view).toBe('recording');
    tabRun.commands.train.run();
    await soon(() => expect(trainer.orders).toHaveLength(1));
    trainer.play(1);
    tabRun.shown.author = withCurve;
    tabRun.shown.view = 'author';
    tabRun.showLinkOrRecording();
    expect(tabRun.shown.view).toBe('live');
    tabRun.shown.view = 'recording';
    tabRun.showLinkOrRecording();
    expect(tabRun.shown.view, 'a run beside a recording stays where it is').toBe('recording');
  });
});

describe('the address to share', () => {
  it('is of the run, of the setup without one, and of nothing before a setup', async () => {
    const { tabRun, setup, trainer } = await pageAt(null);
    vi.useRealTimers();
    setup.set(['seed'], 7);
    expect(await tabRun.shareAddress()).toMatch(/^http:\/\/here\/#\/lab\?.*seed=7/);
    tabRun.commands.train.run();
    await soon(() => expect(trainer.orders).toHaveLength(1));
    trainer.play(2);
    setup.set(['seed'], 8);
    expect(await tabRun.shareAddress()).toContain('seed=7');
    await expect(tabRun.addressOf(null)).rejects.toThrow(text.notReady);
  });

  it('carries what the run of that config has reached', async () => {
    const { tabRun, trainer, setup } = await pageAt(null);
    vi.useRealTimers();
    const validation = [{ iteration: 1, success: 0.75 }];
    trainer.answer({
      soFar: async () => ({ validation, fingerprint: ['b'.repeat(16)], adapter: 'CPU', device: 'cpu' }),
    });
    const opened = await openRunLink((await tabRun.addressOf(setup.config)).split('?')[1]);
    expect([opened.shared, opened.validation]).toEqual([true, validation]);
  });
});

describe('the checkpoint', () => {
  const files: string[] = [];
  beforeEach(() => {
    files.length = 0;
    vi.stubGlobal('document', {
      createElement: () => ({
        download: '',
        click() {
          files.push(this.download);
        },
      }),
    });
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined });
  });

  it('is saved as a file of the run and its iteration, and the run counts as saved', async () => {
    const { tabRun, trainer } = await pageAt(2);
    trainer.answer({ checkpoint: async () => Uint8Array.of(1, 2) });
    await tabRun.download();
    expect(files).toEqual([`${tabRun.shown.nameOf(tabRun.run.started!.config)}-2.safetensors`]);
    expect([tabRun.run.savedAt, tabRun.run.unsaved]).toEqual([2, 0]);
  });

  it('is not made without a trainer', async () => {
    const { page } = new FakeBrowser();
    await page.tabRun.download();
    expect([files, page.workspace.failures.current]).toEqual([[], null]);
  });

  it('of a run that has made room does not count for the next', async () => {
    const { tabRun, trainer } = await pageAt(2);
    trainer.answer({
      checkpoint: async () => {
        tabRun.run.clear('preparing');
        return Uint8Array.of(1);
      },
    });
    await tabRun.download();
    expect([files.length, tabRun.run.savedAt]).toEqual([1, null]);
  });

  it('that cannot be made is told, and the run is not saved', async () => {
    const { tabRun, trainer, workspace } = await pageAt(2);
    trainer.answer({ checkpoint: () => Promise.reject(new Error('lost')) });
    await tabRun.download();
    expect([files, tabRun.run.savedAt]).toEqual([[], null]);
    expect(workspace.failures.current).toEqual({ sentence: text.failure.checkpoint('lost'), action: null });
  });
});
