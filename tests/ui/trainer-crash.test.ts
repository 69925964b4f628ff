/** What the page does when its trainer dies: another one takes the run, or the page says why not. */
import { describe, expect, it, vi } from 'vitest';
import { text } from '../../src/ui/state/run/text';
import { FakeBrowser, onCpu, settle, stubPage } from '../helpers/fake-trainer';

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

describe('a crash of the trainer', () => {
  it('restores the run from its last save, and says so', async () => {
    const { browser, page, trainer } = await pageAt(3);
    trainer.save();
    trainer.play(4);
    trainer.crash('Out of memory.');
    expect([page.tabRun.run.state, page.trainer.device, trainer.isTerminated]).toEqual(['preparing', null, true]);
    await settle();
    expect(browser.trainer.orders).toEqual([`restore ${browser.saved[0].id}`]);
    expect(page.workspace.notices.list.at(-1)?.sentence).toBe(
      'The trainer stopped (Out of memory) and was started again; the run goes on from iteration 3.',
    );
    trainer.play('finished');
    expect(page.tabRun.run.iteration, 'the dead one is not heard').toBe(4);
    browser.trainer.play(5);
    expect([page.tabRun.run.state, page.tabRun.run.iteration]).toEqual(['running', 5]);
  });

  it('leaves a paused run paused', async () => {
    const { browser, page, trainer } = await pageAt(3);
    page.tabRun.commands.pause.run();
    await settle();
    trainer.save();
    trainer.crash('Gone.');
    await settle();
    expect(browser.trainer.orders).toEqual([`restore ${browser.saved[0].id}`, 'pause']);
  });

  it('loses a run that was never saved, which can start over', async () => {
    const { browser, page, trainer } = await pageAt(1);
    trainer.crash('Gone.');
    await settle();
    expect([page.tabRun.run.state, page.workspace.failures.current?.sentence]).toEqual([
      'failed',
      text.failure.crashUnsaved('Gone.'),
    ]);
    await pressRemedy(browser);
    expect([browser.trainer.orders, page.tabRun.run.state]).toEqual([['train 1'], 'preparing']);
  });

  it.each([
    ['paused', ['pause']],
    ['running', []],
  ])('after which no trainer starts stops its %s run, until one takes it', async (was, then) => {
    const { browser, page, trainer } = await pageAt(3);
    if (was === 'paused') page.tabRun.commands.pause.run();
    await settle();
    trainer.save();
    browser.device = Promise.reject(new Error('no worker'));
    trainer.crash('Gone.');
    await settle();
    expect([page.tabRun.run.state, page.workspace.failures.current?.sentence]).toEqual([
      'failed',
      text.failure.trainer('no worker'),
    ]);
    await pressRemedy(browser);
    expect(page.tabRun.run.state, 'still none').toBe('failed');
    browser.device = Promise.resolve(onCpu);
    await pressRemedy(browser);
    expect([browser.trainer.orders, page.workspace.failures.current]).toEqual([
      [`restore ${browser.saved[0].id}`, ...then],
      null,
    ]);
  });

  it('without a run is only said', async () => {
    const browser = new FakeBrowser();
    const page = await browser.open();
    browser.trainer.crash('Gone.');
    await settle();
    expect([page.tabRun.run.state, page.tabRun.run.started, browser.trainers.length]).toEqual(['idle', null, 2]);
    expect(page.workspace.notices.list.at(-1)?.sentence).toBe(text.notice.crashIdle('Gone.'));
  });

  it('again and again at one place asks before the next start', async () => {
    const { browser, page } = await pageAt(3);
    browser.trainer.save();
    for (let crashes = 1; crashes <= 4; crashes++) {
      browser.trainer.crash('Gone.');
      await settle();
    }
    expect([browser.trainers.length, page.tabRun.run.state]).toEqual([4, 'failed']);
    expect(page.workspace.failures.current?.sentence).toBe(text.failure.crash('Gone.'));
    page.tabRun.commands.reset.run();
    expect([page.tabRun.status.waitsFor, page.tabRun.run.state], 'nobody could reset it').toEqual([null, 'failed']);
    await pressRemedy(browser);
    expect(browser.trainer.orders).toEqual([`restore ${browser.saved[0].id}`]);
    expect([browser.trainers.length, page.tabRun.run.state]).toEqual([5, 'preparing']);
  });

  it('again and again without a run asks, too', async () => {
    const browser = new FakeBrowser();
    const page = await browser.open();
    for (let crashes = 1; crashes <= 4; crashes++) {
      browser.trainer.crash('Gone.');
      await settle();
    }
    const { length } = browser.trainers;
    expect([page.workspace.failures.current?.sentence, page.trainer.api]).toEqual([text.failure.crash('Gone.'), null]);
    await pressRemedy(browser);
    expect([browser.trainers.length, page.trainer.api === null, page.tabRun.run.state]).toEqual([
      length + 1,
      false,
      'idle',
    ]);
  });

  it('at one place, of a run that no longer has a save, says that nothing is left', async () => {
    const { browser, page } = await pageAt(3);
    browser.trainer.save();
    for (let crashes = 1; crashes <= 4; crashes++) {
      browser.trainer.crash('Gone.');
      await settle();
    }
    browser.saved.splice(0);
    await pressRemedy(browser);
    expect([page.workspace.failures.current?.sentence, page.tabRun.run.state]).toEqual([
      text.failure.nothingSaved,
      'failed',
    ]);
    await pressRemedy(browser);
    expect(browser.trainer.orders).toEqual(['train 1']);
  });

  it('is told by a longer silence where a step of a large model takes minutes', async () => {
    const { page, trainer } = await pageAt(1);
    expect(page.trainer.maxSilenceMs).toBe(20_000);
    const { config } = page.tabRun.run.begun!;
    const large = { ...config, model: { ...config.model, pretrained: { name: 'tiny', digest: 'aa' } } };
    trainer.tell({ type: 'begun', id: 'large', config: large as never, warmStart: 'none', configChanges: [] });
    expect(page.trainer.maxSilenceMs).toBe(600_000);
    page.trainer.device = { ...onCpu, runsOn: { auto: 'gpu', gpu: 'gpu', cpu: 'cpu' } };
    expect(page.trainer.maxSilenceMs).toBe(20_000);
  });

  it('that only its silence tells is found by the heartbeat', async () => {
    const { browser, trainer } = await pageAt(3);
    trainer.save();
    trainer.answerAlive = () => new Promise(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([trainer.isTerminated, browser.trainers.length]).toEqual([true, 2]);
  });
});
