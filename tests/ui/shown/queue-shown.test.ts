// @vitest-environment dom
/** The queue: its list, its buttons, and the form for an order. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeptRun } from '../../../src/run/store/saved-run';
import QueueDialog from '../../../src/ui/panels/queue/QueueDialog.svelte';
import QueuePanel from '../../../src/ui/panels/queue/QueuePanel.svelte';
import type { RunQueue } from '../../../src/ui/state/queue/run-queue.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();

let browser: FakeBrowser;

let page: PageState;

let trainer: FakeTrainer;

beforeEach(async () => {
  vi.setSystemTime(10_000_000);
  browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});

const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

const config = () => page.workspace.setup.config!;

const kept = (id: string, more: Partial<KeptRun> = {}): KeptRun => ({
  id,
  title: 'Calculator',
  savedAtMs: 9_000_000,
  iteration: 14,
  warmSteps: 0,
  finished: true,
  name: id,
  note: '',
  config: config(),
  deleted: false,
  curve: [0.25, 0.5],
  validation: 0.5,
  resumable: true,
  here: false,
  ...more,
});

const queued = (...seeds: number[]) => seeds.map((seed) => ({ name: `seed ${seed}`, config: { ...config(), seed } }));

describe('the queue', () => {
  let queue: RunQueue;
  beforeEach(async () => {
    await page.workspace.openQueue();
    queue = page.workspace.queue!;
  });
  const open = () => {
    const onAdd = vi.fn();
    return { shown: show(QueuePanel, { queue, onAdd }, page), onAdd };
  };

  it('says what it is for, takes runs, orders them and gives them back', async () => {
    const { shown, onAdd } = open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Queue",
        "Trains several runs one after another: more seeds, values of one number, or ways of one switch.",
        "button "Queue runs…"",
        "ol "Queued runs"",
      ]
    `);
    shown.press('Queue runs…');
    expect(onAdd).toHaveBeenCalledOnce();
    queue.add(queued(1, 2, 3));
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Queue",
        "0 of 3 done",
        "button "Start", primary",
        "button "Queue runs…"",
        "warning: This browser does not keep the queue: it is gone when the page is closed.",
        "ol "Queued runs"",
        "seed 1",
        "waits",
        "button "First: seed 1", disabled",
        "button "Remove: seed 1"",
        "seed 2",
        "waits",
        "button "First: seed 2"",
        "button "Remove: seed 2"",
        "seed 3",
        "waits",
        "button "First: seed 3"",
        "button "Remove: seed 3"",
        "3 runs queued.",
      ]
    `);
    const names = () => shown.all('li p.semibold').map((name) => name.textContent);
    shown.press('First: seed 3');
    await come(shown);
    expect([names(), document.activeElement]).toEqual([['seed 3', 'seed 1', 'seed 2'], shown.control('First: seed 3')]);
    shown.press('Remove: seed 2');
    await come(shown);
    expect([names(), document.activeElement]).toEqual([['seed 3', 'seed 1'], shown.control('Remove: seed 1')]);
    for (const name of ['seed 3', 'seed 1']) {
      shown.press(`Remove: ${name}`);
      await come(shown);
    }
    expect(names()).toEqual([]);
  });

  it('trains its runs in the Lab, one after another, and can be paused', async () => {
    const { shown } = open();
    queue.add(queued(1, 2));
    await come(shown);
    shown.press('Start');
    await come(shown);
    trainer.play(3);
    await come(shown);
    const lines = () => shown.says.filter((line) => !line.startsWith('#'));
    expect(lines()).toMatchInlineSnapshot(`
      [
        "0 of 2 done",
        "button "Pause", primary",
        "button "Queue runs…"",
        "warning: This browser does not keep the queue: it is gone when the page is closed.",
        "ol "Queued runs"",
        "seed 1",
        "in the Lab: RL iteration 3/14",
        "seed 2",
        "waits",
        "button "First: seed 2", disabled",
        "button "Remove: seed 2"",
        "Training: seed 1.",
      ]
    `);
    // Eleven iterations of the first and fourteen of the second.
    vi.spyOn(page.trainer.pace, 'msHere').mockReturnValue(null);
    page.tabRun.run.iterationMs = 60_000;
    queue.items = [...queue.items, { ...queue.items[1], id: 'ended', end: 'done', ms: 14 * 60_000 }];
    await come(shown);
    expect(lines().find((line) => line.includes('left'))).toMatchInlineSnapshot(`"1 of 3 done, about 25 min left"`);
    queue.items = queue.items.filter(({ id }) => id !== 'ended');
    await come(shown);
    shown.calls('focus');
    expect(document.activeElement).toBe(shown.control('Pause'));
    shown.press('Pause');
    await come(shown);
    expect(lines().filter((line) => /stops|paused|button/.test(line))).toMatchInlineSnapshot(`
      [
        "button "Continue", primary",
        "button "Queue runs…"",
        "button "First: seed 2", disabled",
        "button "Remove: seed 2"",
        "The queue is paused.",
      ]
    `);
    shown.press('Continue');
    await come(shown);
    trainer.play('finished');
    await soon(async () => {
      await come(shown, 10);
      expect(trainer.orders.at(-1)).toBe('train 2');
    });
    trainer.play('finished');
    await soon(async () => {
      await come(shown, 10);
      expect(queue.done).toHaveLength(2);
    });
    expect(lines()).toMatchInlineSnapshot(`
      [
        "2 of 2 done",
        "button "Start", disabled",
        "button "Compare these 2", primary",
        "button "Queue runs…"",
        "warning: This browser does not keep the queue: it is gone when the page is closed.",
        "ol "Queued runs"",
        "seed 1",
        "done",
        "button "Remove: seed 1"",
        "seed 2",
        "done",
        "button "Remove: seed 2"",
        "button "Clear what has ended"",
        "seed 2 is done. None waits.",
      ]
    `);
    const compare = vi.spyOn(queue, 'compare').mockReturnValue();
    shown.press('Compare these 2');
    expect(compare).toHaveBeenCalledOnce();
    shown.press('Clear what has ended');
    await come(shown);
    expect(queue.items).toHaveLength(0);
  });

  it('says why it does not begin, and which run failed', async () => {
    const { shown } = open();
    queue.items = [
      { id: 'a', ...queued(1)[0], end: 'failed', reason: 'It is too large' },
      { id: 'b', ...queued(2)[0], end: 'failed' },
      { id: 'c', ...queued(3)[0], runId: 'x' },
    ];
    queue.reason = 'The queue is paused.';
    queue.isStored = false;
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Queue",
        "0 of 3 done",
        "button "Continue", primary",
        "button "Queue runs…"",
        "warning: The queue is paused.",
        "warning: This browser does not keep the queue: it is gone when the page is closed.",
        "ol "Queued runs"",
        "seed 1",
        "bad: failed: It is too large.",
        "button "Try again: seed 1"",
        "button "Remove: seed 1"",
        "seed 2",
        "bad: failed: The trainer gave no reason.",
        "button "Try again: seed 2"",
        "button "Remove: seed 2"",
        "seed 3",
        "waits; goes on where it was saved",
        "button "First: seed 3", disabled",
        "button "Remove: seed 3"",
        "button "Clear what has ended"",
      ]
    `);
    shown.press('Try again: seed 1');
    await come(shown);
    expect(shown.says.filter((line) => line.startsWith('button "Try'))).toHaveLength(1);
    page.tabRun.commands.train.run();
    queue.going = true;
    await come(shown);
    expect(shown.says.filter((line) => line.startsWith('The next'))).toMatchInlineSnapshot(`
      [
        "The next run begins when the run in the Lab has ended.",
      ]
    `);
  });

  describe('takes an order', () => {
    const form = async (more: Record<string, unknown> = {}) => {
      const onQueued = vi.fn();
      const shown = show(QueueDialog, { queue, runs: [], like: null, onQueued, ...more } as never, page);
      shown.calls('open');
      await come(shown);
      return { shown, onQueued };
    };
    const names = (shown: Shown) => shown.all('ol li').map((name) => name.textContent);
    const problem = (shown: Shown) => shown.find('#order-problem').textContent;

    it('for more seeds', async () => {
      const { shown, onQueued } = await form();
      expect(shown.says).toMatchInlineSnapshot(`
        [
          "# Queue runs",
          "button "Close"",
          "All are like calculator-mini with GRPO and seed 1, the setup of the Lab.",
          "They differ in",
          "radio "the seed only", checked",
          "the seed only",
          "radio "one number"",
          "one number",
          "radio "one switch or choice"",
          "one switch or choice",
          "More seeds",
          "field "More seeds": 2",
          "ol "Names of the runs"",
          "calculator-mini, seed 2",
          "calculator-mini, seed 3",
          "button "Queue 2 runs", primary",
          "How long they take here is not known yet.",
        ]
      `);
      shown.write('More seeds', '3');
      expect(names(shown)).toHaveLength(3);
      shown.write('More seeds', 'x');
      expect([names(shown), problem(shown)]).toMatchInlineSnapshot(`
        [
          [],
          "More seeds must be a whole number from 1 to 24.",
        ]
      `);
      expect(shown.tell(shown.find('form'), 'submit')).toBe(true);
      await come(shown);
      expect(queue.items).toHaveLength(0);
      shown.write('More seeds', '500');
      expect(problem(shown)).toMatchInlineSnapshot(`"More seeds must be a whole number from 1 to 24."`);
      shown.write('More seeds', '1');
      shown.tell(shown.find('form'), 'submit');
      shown.tell(shown.find('form'), 'submit');
      await come(shown);
      expect([queue.items.length, shown.find('dialog').open, onQueued.mock.calls.length]).toEqual([1, false, 1]);
    });

    it('for values of a number or ways of a choice', async () => {
      const { shown } = await form();
      shown.click(shown.control('one number'));
      expect(shown.says.slice(2)).toMatchInlineSnapshot(`
        [
          "All are like calculator-mini with GRPO and seed 1, the setup of the Lab.",
          "They differ in",
          "radio "the seed only"",
          "the seed only",
          "radio "one number", checked",
          "one number",
          "radio "one switch or choice"",
          "one switch or choice",
          "Setting",
          "choice "Setting": Learning rate of 63",
          "Values, with commas between",
          "field "Values, with commas between": 6e-4",
          "Peak AdamW rate of reinforcement. It should fall as the width grows, by 64 / width.",
          "Seeds of each",
          "field "Seeds of each": 1",
          "ol "Names of the runs"",
          "calculator-mini, learning rate 6e-4",
          "button "Queue 1 run", primary",
          "How long they take here is not known yet.",
        ]
      `);
      shown.write('Values', '1e-3, 2e-3');
      expect(names(shown)).toMatchInlineSnapshot(`
        [
          "calculator-mini, learning rate 0.001",
          "calculator-mini, learning rate 0.002",
        ]
      `);
      shown.click(shown.control('one switch or choice'));
      shown.write('Setting', 'algorithm.name');
      shown.click(shown.control('PPO'));
      expect(names(shown)).toMatchInlineSnapshot(`
        [
          "calculator-mini, algorithm grpo",
          "calculator-mini, algorithm dr-grpo",
          "calculator-mini, algorithm ppo",
        ]
      `);
      shown.click(shown.control('the seed only'));
      expect(shown.control('More seeds').value).toBe('2');
    });

    it('like a kept run, and none that the trainer refuses', async () => {
      const like = kept('first', { config: { ...config(), seed: 9 } });
      const { shown } = await form({ like, runs: [like] });
      expect(shown.says[2]).toMatchInlineSnapshot(`"All are like first with GRPO and seed 9, the run first."`);
      trainer.answer({ plan: async () => ({ problems: ['It is too large.'] }) as never });
      shown.tell(shown.find('form'), 'submit');
      await come(shown);
      expect(problem(shown)).toMatchInlineSnapshot(`"first, seed 10 cannot be trained: It is too large."`);
      trainer.answer({ plan: () => Promise.reject(new Error('It is gone.')) });
      shown.tell(shown.find('form'), 'submit');
      await come(shown);
      expect([problem(shown), queue.items.length]).toEqual(['It is gone.', 0]);
    });
  });
});
