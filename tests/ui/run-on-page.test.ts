/** The state of the page around a run: what buttons order, and what the events of a trainer do. */
import { describe, expect, it, vi } from 'vitest';
import { forPretrained } from '../../src/config/for-pretrained';
import { recordedModel } from '../../src/lib/recorded-model';
import type { DeviceReport } from '../../src/worker/protocol';
import type { RunEvent } from '../../src/run/events';
import { moreIterations, text } from '../../src/ui/state/run/text';
import { Runs } from '../../src/ui/state/library/runs.svelte';
import { eventsOf, FakeBrowser, onCpu, settle, stubPage } from '../helpers/fake-trainer';

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

describe('a run', () => {
  it('goes from Train to its end as its events tell it', async () => {
    const browser = new FakeBrowser();
    const page = await browser.open();
    expect([page.tabRun.canTrain, page.tabRun.run.state, page.tabRun.statusText]).toEqual([
      true,
      'idle',
      'Ready · iteration 0/14',
    ]);
    page.tabRun.commands.train.run();
    expect(page.tabRun.run.state, 'before the trainer answers').toBe('preparing');
    await settle();
    expect(browser.trainer.orders).toEqual(['train 1']);
    browser.trainer.play('running');
    expect([page.tabRun.run.state, page.tabRun.shown.view, page.tabRun.run.hasAgent]).toEqual([
      'running',
      'live',
      true,
    ]);
    browser.trainer.play(2);
    expect([page.tabRun.run.iteration, page.tabRun.shown.metrics.length, page.tabRun.run.unsaved]).toEqual([2, 2, 2]);
    browser.trainer.save();
    expect([page.tabRun.run.savedAt, page.tabRun.run.unsaved]).toEqual([2, 0]);
    browser.trainer.play('finished');
    expect([page.tabRun.run.state, page.tabRun.run.iteration, page.tabRun.shown.isFinished]).toEqual([
      'finished',
      14,
      true,
    ]);
  });

  it('is shown as pausing and as running before the trainer says so', async () => {
    const { page, trainer } = await pageAt(1);
    page.tabRun.commands.pause.run();
    expect(page.tabRun.run.state).toBe('pausing');
    await settle();
    expect(page.tabRun.run.state).toBe('paused');
    page.tabRun.commands.train.run();
    expect(page.tabRun.run.state).toBe('running');
    await settle();
    page.tabRun.commands.pause.run();
    await settle();
    page.tabRun.commands.step.run();
    expect(page.tabRun.run.state).toBe('running');
    await settle();
    expect(trainer.orders.slice(1)).toEqual(['pause', 'resume', 'pause', 'step 1']);
  });

  it('may begin with a single step', async () => {
    const browser = new FakeBrowser();
    const page = await browser.open();
    page.tabRun.commands.step.run();
    expect(page.tabRun.run.state).toBe('preparing');
    await settle();
    expect(browser.trainer.orders).toEqual(['step 1']);
  });

  it('takes no order while it is busy', async () => {
    const { page, trainer } = await pageAt(1);
    page.tabRun.commands.train.run();
    page.tabRun.commands.step.run();
    page.tabRun.commands.extend.run();
    await settle();
    expect([trainer.orders, page.tabRun.run.state]).toEqual([['train 1'], 'running']);
  });

  it('goes on after its end only with more steps', async () => {
    const { page, trainer } = await pageAt('finished');
    page.tabRun.commands.step.run();
    await settle();
    expect(trainer.orders).toEqual(['train 1']);
    page.tabRun.commands.extend.run();
    await settle();
    expect(trainer.orders.at(-1)).toBe(`extend ${moreIterations}`);
    expect([page.tabRun.run.state, page.workspace.setup.config?.iterations]).toEqual([
      'preparing',
      14 + moreIterations,
    ]);
  });

  it('is put away by Reset; what it still tells is left out, and a press waits for its end', async () => {
    const { page, trainer } = await pageAt(3);
    page.tabRun.commands.reset.run();
    expect([page.tabRun.run.state, page.tabRun.run.iteration, page.tabRun.status.waitsFor]).toEqual([
      'idle',
      0,
      'stop',
    ]);
    trainer.play(4);
    expect(page.tabRun.run.iteration).toBe(0);
    page.tabRun.commands.train.run();
    expect(page.tabRun.status.queued).toBe(true);
    await settle();
    expect([trainer.orders.slice(1), page.tabRun.run.state]).toEqual([['reset', 'train 1'], 'preparing']);
  });

  it('that was reset may tell more after the answer, until it tells that it is idle', async () => {
    const { page, trainer } = await pageAt(3);
    const late = [...eventsOf('late', page.tabRun.run.started!.config)].filter(({ type }) => type === 'iteration');
    trainer.afterReset = () => undefined;
    page.tabRun.commands.reset.run();
    await settle();
    expect([trainer.orders.at(-1), page.tabRun.status.waitsFor]).toEqual(['reset', 'stop']);
    trainer.tell(late[3]);
    trainer.tell({ type: 'state', state: 'idle' });
    expect([page.tabRun.run.iteration, page.tabRun.status.waitsFor]).toEqual([0, null]);
  });

  it('that makes room comes back by Undo, paused if it was', async () => {
    const { page, trainer, browser } = await pageAt(3);
    page.tabRun.commands.pause.run();
    await settle();
    page.workspace.setup.newSeed();
    page.tabRun.commands.train.run(true);
    await settle();
    const notice = page.workspace.notices.list.find(({ kind }) => kind === 'cleared');
    expect([notice?.sentence, browser.saved.length]).toEqual(['Run cleared: Calculator, iteration 3. It is saved.', 1]);
    notice!.action!.act();
    await settle();
    expect(trainer.orders.slice(-2)).toEqual([`restore ${browser.saved[0].id}`, 'pause']);
  });

  it('that made room does not come back while there is no trainer', async () => {
    const { page, trainer, browser } = await pageAt(3);
    page.tabRun.commands.pause.run();
    await settle();
    page.tabRun.commands.train.run(true);
    await settle();
    browser.device = Promise.reject(new Error('no worker'));
    trainer.crash('Gone.');
    await settle();
    page.workspace.notices.list.find(({ kind }) => kind === 'cleared')!.action!.act();
    await settle();
    expect(page.workspace.failures.current?.sentence).toBe(text.failure.trainer('no worker'));
    expect(browser.trainer.orders).toEqual([]);
  });

  it.each([
    [true, []],
    [false, ['Run cleared: Calculator, iteration 3. It is saved.']],
  ])('gives way to a run of the queue, quietly (%s) if it is the queue’s own', async (quiet, notices) => {
    const { page, trainer } = await pageAt(3);
    page.tabRun.orders.trainQueued(page.workspace.setup.config!, null, quiet);
    await settle();
    expect(trainer.orders.slice(1)).toEqual(['train 1']);
    expect(page.workspace.notices.list.map(({ sentence }) => sentence)).toEqual(notices);
  });

  it('that was deleted is not offered any more, and can be brought back', async () => {
    const { browser, trainer } = await pageAt(3);
    trainer.save();
    const again = new FakeBrowser();
    again.saved.push(...browser.saved);
    const page = await again.open();
    const runs = new Runs(
      () => again.trainer.api,
      () => [],
    );
    await runs.refresh();
    expect([page.workspace.saved.offered?.id, runs.list?.length]).toEqual([browser.saved[0].id, 1]);
    await runs.delete(runs.list![0]);
    page.workspace.refreshSaved();
    await settle();
    expect([page.workspace.saved.offered, page.workspace.saved.list, runs.list]).toEqual([null, [], []]);
    await runs.bringBack();
    expect([runs.list?.length, runs.deleted]).toEqual([1, null]);
  });
});

const recorded = { name: recordedModel.name, digest: 'a'.repeat(64), context: 2048 };

/** A page whose setup names the model that comes with it, and a trainer that finds it. */
async function openedWithModel() {
  const browser = new FakeBrowser();
  const page = await browser.open();
  const { trainer } = browser;
  const found = { ...recorded, architecture: 'Llama', parameters: 1, bytes: 2, licence: null };
  let isHere = false;
  const problems = () => (isHere ? [] : ['The files are missing.']);
  trainer.answer({
    plan: async () => ({ parameters: 1, totalBytes: 1, warmStart: 'none', problems: problems(), notices: [] }),
  });
  trainer.giveModel = async () => {
    isHere = true;
    return found;
  };
  const { setup } = page.workspace;
  const config = { ...forPretrained(setup.config!, found), iterations: 14 };
  setup.loadLinked('calculator-mini', config);
  await setup.askPlans((asked) => trainer.api.plan(asked));
  return { page, trainer, seek: () => page.tabRun.seekModel(config.model.pretrained!) };
}

describe('a press', () => {
  it('that comes before the device is known waits for it', async () => {
    let know = (_: DeviceReport): void => undefined;
    const browser = new FakeBrowser();
    browser.device = new Promise((resolve) => (know = resolve));
    const page = await browser.open();
    expect([page.tabRun.canTrain, page.tabRun.status.waitsFor]).toEqual([false, 'gpu']);
    page.tabRun.commands.step.run();
    page.tabRun.commands.train.run();
    await settle();
    expect([browser.trainer.orders, page.tabRun.run.state, page.tabRun.status.queued]).toEqual([[], 'idle', true]);
    know(onCpu);
    await settle();
    expect(browser.trainer.orders, 'the last one counts').toEqual(['train 1']);
  });

  it.each(['train', 'step'] as const)('%s waits for the model that the page opens for a link', async (press) => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    vi.stubGlobal('fetch', () => answered.then(() => new Response('{}')));
    const { page, trainer, seek } = await openedWithModel();
    const sought = seek();
    await settle();
    expect(page.tabRun.statusText).toBe('Opening the model… · iteration 0/14');
    expect(page.tabRun.commands[press].why, 'the plan lacks the model').toBeNull();
    page.tabRun.commands[press].run();
    await settle();
    expect([trainer.orders, page.workspace.failures.current, page.tabRun.statusText]).toEqual([
      [],
      null,
      'Opening the model… Training begins then · iteration 0/14',
    ]);
    answer();
    await sought;
    await settle();
    expect(trainer.orders).toEqual([`${press} 1`]);
  });

  it('that waits for a model says why it cannot train where the model does not come', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no connection')));
    const { page, trainer, seek } = await openedWithModel();
    const sought = seek();
    page.tabRun.commands.step.run();
    await sought;
    await settle();
    expect(trainer.orders).toEqual([]);
    expect(page.workspace.failures.current?.sentence).toContain('The files are missing.');
  });

  it('does nothing while there is no trainer, which can be started again', async () => {
    const browser = new FakeBrowser();
    browser.device = Promise.reject(new Error('no worker'));
    const page = await browser.open();
    page.tabRun.commands.train.run();
    page.tabRun.commands.step.run();
    await settle();
    expect([browser.trainer.orders, page.tabRun.run.state, page.workspace.failures.current?.sentence]).toEqual([
      [],
      'idle',
      text.failure.trainer('no worker'),
    ]);
    browser.device = Promise.resolve(onCpu);
    await pressRemedy(browser);
    page.tabRun.commands.train.run();
    await settle();
    expect([browser.trainers.length, browser.trainer.orders]).toEqual([2, ['train 1']]);
  });

  it('on Train says why the setup cannot be trained, and the button gives the preset back', async () => {
    const browser = new FakeBrowser();
    const page = await browser.open();
    const seed = page.workspace.setup.config?.seed;
    page.workspace.setup.newSeed();
    page.workspace.setup.setError(['seed'], 'The seed is too large.');
    page.tabRun.commands.train.run();
    await settle();
    expect(browser.trainer.orders).toEqual([]);
    expect(page.workspace.failures.current?.sentence).toBe(text.failure.setup('The seed is too large.'));
    await pressRemedy(browser);
    expect([page.workspace.setup.problem, page.workspace.setup.config?.seed]).toEqual([null, seed]);
  });
});

describe('a run that fails', () => {
  const failed = (remedy: 'halve-batch' | 'halve-rate' | 'try-again' | 'start-over') =>
    ({ type: 'state', state: 'failed', message: 'It broke.', remedy }) satisfies RunEvent;

  it.each([
    ['halve-batch', { tasks: 2, rate: 1 }],
    ['halve-rate', { tasks: 1, rate: 2 }],
    ['start-over', { tasks: 1, rate: 1 }],
  ] as const)('says so once; %s mends the setup and starts over', async (remedy, divided) => {
    const browser = new FakeBrowser();
    browser.refusal = failed(remedy);
    const page = await browser.open();
    const { rollout, optimizer } = page.workspace.setup.config!;
    page.tabRun.commands.train.run();
    await settle();
    expect([page.tabRun.run.state, page.workspace.failures.current?.sentence]).toEqual(['failed', 'It broke.']);
    expect(page.workspace.failures.current?.action?.label).toBe(text.remedy[remedy]);
    browser.refusal = null;
    await pressRemedy(browser);
    expect([browser.trainer.orders, page.tabRun.run.state, page.workspace.failures.current]).toEqual([
      ['train 1', 'train 1'],
      'preparing',
      null,
    ]);
    const { config } = page.workspace.setup;
    expect(config?.rollout.tasks).toBe(rollout.tasks / divided.tasks);
    expect(config?.optimizer.learningRate).toBe(optimizer.learningRate / divided.rate);
  });

  it('begins anew with the next step', async () => {
    const { page, trainer } = await pageAt(3);
    trainer.tell(failed('start-over'));
    page.tabRun.commands.step.run();
    expect([page.tabRun.run.state, page.tabRun.run.iteration]).toEqual(['preparing', 0]);
    await settle();
    expect(trainer.orders.at(-1)).toBe('step 1');
  });

  it('because no device was free gives the same order again', async () => {
    const browser = new FakeBrowser();
    browser.refusal = failed('try-again');
    const page = await browser.open();
    page.tabRun.commands.step.run();
    await settle();
    page.workspace.setup.newSeed();
    browser.trainer.tell(failed('try-again'));
    await pressRemedy(browser);
    expect(browser.trainer.orders).toEqual(['step 1', 'step 1']);
  });

  it('by a call that was rejected without an event stops, too', async () => {
    const { page, trainer, browser } = await pageAt(1);
    trainer.answerPause = () => Promise.reject(new Error('lost'));
    page.workspace.failures.show('Another fault.', null);
    page.tabRun.commands.pause.run();
    await settle();
    expect([page.tabRun.run.state, page.workspace.failures.current?.sentence]).toEqual([
      'failed',
      text.failure.trainer('lost'),
    ]);
    expect(browser.trainers.length).toBe(1);
  });
});
