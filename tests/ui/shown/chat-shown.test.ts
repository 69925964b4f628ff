// @vitest-environment dom
/** The chat, what to do with a finished run, and its rollouts. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import ChatPanel from '../../../src/ui/panels/run/ChatPanel.svelte';
import FinishedPanel from '../../../src/ui/panels/run/FinishedPanel.svelte';
import Rollouts from '../../../src/ui/panels/run/Rollouts.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { Reading } from '../../../src/ui/view/rollouts/reading.svelte';
import { inRoot, reactive } from '../../helpers/dom/root.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { soon } from '../../helpers/soon';
import { failed, solved } from '../../helpers/token-rollouts';

stubPage();

let browser: FakeBrowser;

let page: PageState;

let trainer: FakeTrainer;

beforeEach(async () => {
  browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});

const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};

/** A run begins, and is played up to there. */
const train = async (until: Parameters<FakeTrainer['play']>[0]) => {
  page.tabRun.commands.train.run();
  await settle();
  trainer.play(until);
};

const tell = (event: RunEvent) => trainer.tell(event);

const answersAt = (iteration: number, success: boolean): RolloutView =>
  ({ ...(success ? solved : failed), iteration, prompt: 'What is 2+2?' }) as RolloutView;

describe('the chat', () => {
  it('asks the agent there is, one question at a time, and says what came of it', async () => {
    await train('finished');
    tell({ type: 'first-point', metrics: metricsRow(14), rollouts: [answersAt(14, true)] });
    const shown = show(ChatPanel, {}, page);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Chat",
        "You talk to the agent as it is now, after iteration 14. It has only practised tasks like What is…",
        "ul "Examples"",
        "button "What is 2+2?"",
        "field "Message the agent": (What is 2+2?)",
        "button "Send", disabled, primary",
        "Enter sends, Esc clears.",
      ]
    `);
    let answer = (_: unknown): void => undefined;
    let end = (): void => undefined;
    vi.spyOn(trainer, 'chat').mockImplementation((_, listener) => {
      answer = listener as never;
      return new Promise((resolve) => (end = resolve));
    });
    shown.write('Message', '  What is 3+4?  ');
    const form = shown.find('form');
    expect(shown.tell(form, 'submit')).toBe(true);
    await come(shown);
    expect(shown.says.filter((line) => /3\+4|Send|think|button/i.test(line))).toMatchInlineSnapshot(`
      [
        "You: What is 3+4?",
        "button "What is 2+2?", disabled",
        "button "Send", disabled, primary",
        "Enter sends, Esc clears.",
      ]
    `);
    shown.write('Message', 'Another one');
    shown.tell(form, 'submit');
    expect(page.tabRun.chat.turns).toHaveLength(1);
    answer({ type: 'seen', text: 'A board.', images: [] });
    answer({ type: 'text', text: 'calc(3+4)' });
    answer({ type: 'tool', call: { name: 'calc', arguments: { e: '3+4' }, result: '7' } });
    answer({ type: 'done', answer: '7', solved: true, end: 'answer' });
    end();
    await come(shown);
    expect(shown.find('.reply').textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(
      `"Agent, iteration 14 It sees: A board. calc(3+4) → 7 7 Solved, says the environment."`,
    );
    shown.tell(form, 'submit');
    await come(shown);
    answer({ type: 'done', answer: null, solved: null, end: 'max-turns' });
    end();
    await come(shown);
    expect(shown.all('.reply')[1].textContent.replace(/\s+/g, ' ').trim()).toBe(
      'Agent, iteration 14 The agent used up its turns without answering. ' +
        'It has only practised tasks like What is 2+2?',
    );
    shown.write('Message', 'A third one');
    shown.tell(form, 'submit');
    await come(shown);
    answer({ type: 'done', answer: null, solved: null, end: 'done' });
    end();
    await come(shown);
    expect(shown.all('.reply')[2].textContent).toContain('Its last call ended the episode.');
    vi.spyOn(trainer, 'chat').mockRejectedValue(new Error('It is gone.'));
    shown.press('What is 2+2?');
    await come(shown);
    expect(shown.says.filter((line) => line.startsWith('bad'))).toEqual(['bad: It is gone.']);
  });

  it('clears its field by Escape, and leaves it by another', async () => {
    await train('finished');
    const shown = show(ChatPanel, {}, page);
    await come(shown);
    const field = shown.find('input');
    field.focus();
    shown.write('Message', 'Hm');
    shown.key(field, 'x');
    expect(field.value).toBe('Hm');
    shown.key(field, 'Escape');
    expect([field.value, document.activeElement]).toEqual(['', field]);
    shown.key(field, 'Escape');
    expect(document.activeElement).toBe(document.body);
    shown.write('Message', '   ');
    shown.tell(shown.find('form'), 'submit');
    expect(page.tabRun.chat.turns).toHaveLength(0);
  });

  it('asks about rows of a file, in worlds that take them', async () => {
    await train('finished');
    const { setup } = page.workspace;
    const world = { ...setup.environmentOf(setup.config!)!, rowsInChat: true };
    const known = vi.spyOn(setup, 'environmentOf').mockImplementation(() => world);
    const asked = vi.spyOn(trainer, 'chat').mockImplementation(async (_, listener) => {
      listener({ type: 'done', answer: '20', solved: null, end: 'answer' });
    });
    const shown = show(ChatPanel, {}, page);
    await come(shown);
    const give = async (file: File, until: RegExp) => {
      const input = shown.find('[type="file"]');
      input.files = [file];
      shown.tell(input, 'change');
      await soon(async () => {
        await come(shown);
        expect(shown.says.join('\n')).toMatch(until);
      });
    };
    const ask = async (question: string) => {
      shown.write('Message', question);
      shown.tell(shown.find('form'), 'submit');
      await come(shown);
      return asked.mock.lastCall![0];
    };
    await give(
      new File(['city,city\nyork,20\n'], 'twice.csv'),
      /Two columns of twice\.csv are called "city": rename one/,
    );
    expect(await ask('total price ?')).toBe('total price ?');
    await give(new File(['city,price\nyork,20\n'], 'prices.csv'), /Questions are about prices\.csv/);
    expect(shown.says.join('\n')).not.toContain('twice.csv');
    expect(await ask('total price ?')).toBe('total price ?\n{"city":"york","price":20}');
    expect(page.tabRun.chat.turns.map(({ question }) => question)).toEqual(['total price ?', 'total price ?']);
    shown.press('Ask about the world’s tables');
    await come(shown);
    expect(await ask('total price ?')).toBe('total price ?');

    const chat = vi.fn();
    page.workspace.actions = { chat } as never;
    const drop = (...files: File[]) => shown.tell(document as never, 'drop', { dataTransfer: { files } });
    expect(shown.tell(document as never, 'dragover')).toBe(true);
    expect(drop()).toBe(false);
    expect(drop(new File(['export const meta = {};'], 'world.js'))).toBe(false);
    for (const name of ['one.csv', 'two.csv']) {
      expect(drop(new File(['city,price\nyork,30\n'], name))).toBe(true);
      await soon(async () => {
        await come(shown);
        expect(shown.says.join('\n')).toContain(`Questions are about ${name}.`);
      });
    }
    expect(chat).toHaveBeenCalledTimes(2);
    expect(await ask('total price ?')).toBe('total price ?\n{"city":"york","price":30}');
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    document.body.append(dialog);
    expect(drop(new File(['city,price\nyork,30\n'], 'three.csv'))).toBe(false);
    dialog.remove();
    known.mockRestore();
  });

  it('leaves a file that is dropped to others, in worlds that take no rows', async () => {
    await train('finished');
    const shown = show(ChatPanel, {}, page);
    await come(shown);
    const files = [new File(['city,price\nyork,30\n'], 'prices.csv')];
    expect(shown.tell(document as never, 'dragover')).toBe(false);
    expect(shown.tell(document as never, 'drop', { dataTransfer: { files } })).toBe(false);
  });

  it('has nobody to ask while a run is prepared', async () => {
    const shown = show(ChatPanel, {}, page);
    page.tabRun.commands.train.run();
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Chat",
        "The agent is being prepared. You can talk to it once the curve moves.",
        "field "Message the agent": ",
        "button "Send", disabled, primary",
        "Enter sends, Esc clears.",
      ]
    `);
    shown.write('Message', 'Hello');
    shown.tell(shown.find('form'), 'submit');
    expect(page.tabRun.chat.turns).toHaveLength(0);
  });
});

describe('a finished run', () => {
  const open = async () => {
    await train('finished');
    tell({
      type: 'iteration',
      metrics: metricsRow(14, { validationSuccess: 0.75 }),
      rollouts: [answersAt(14, true)],
      fingerprint: [],
    });
    const [onShare, onTalk] = [vi.fn(), vi.fn()];
    const shown = show(FinishedPanel, { onShare, onTalk }, page);
    await come(shown);
    return { shown, onShare, onTalk };
  };

  it('says what it came to, asks its agent, and goes on', async () => {
    const { shown, onShare, onTalk } = await open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "The agent solves 75 % of new tasks.",
        "button "Ask it: What is 2+2?", primary",
        "button "Now you"",
        "button "20 more iterations"",
        "fold "Change one thing"",
        "button "Share this run"",
        "New tasks are those that it never practised.",
      ]
    `);
    const ask = vi.spyOn(page.tabRun, 'ask').mockReturnValue();
    shown.click(shown.all('button')[0]);
    expect([ask.mock.calls, onTalk.mock.calls.length]).toEqual([[['What is 2+2?']], 1]);
    shown.press('Share');
    expect(onShare).toHaveBeenCalledOnce();
    shown.click(shown.all('.twice')[0]);
    await come(shown);
    expect(trainer.orders.at(-1)).toMatch(/^extend/);
  });

  it('changes one thing of its own setup for the next run', async () => {
    const { shown } = await open();
    page.workspace.setup.set(['rollout', 'tasks'], 3);
    const menu = shown.find('details');
    shown.click(shown.find('summary'));
    expect(menu.open).toBe(true);
    shown.key(menu, 'x');
    expect(menu.open).toBe(true);
    shown.key(menu, 'Escape');
    expect([menu.open, document.activeElement]).toEqual([false, shown.find('summary')]);
    shown.key(menu, 'Escape');
    shown.click(shown.find('summary'));
    shown.click(shown.all('li button')[1]);
    const { config } = page.workspace.setup;
    const own = page.tabRun.run.started!.config;
    expect(config!.rollout.tasks).toBe(own.rollout.tasks);
    expect(config!.optimizer.learningRate).toBe(own.optimizer.learningRate / 2);
    expect([menu.open, document.activeElement]).toEqual([false, shown.find('summary')]);
    expect(shown.says.at(-1)).toMatchInlineSnapshot(
      `"Changed for the next run: half the learning rate. Press Train again to compare."`,
    );
  });
});

describe('the rollouts', () => {
  const of = (iteration: number, index: number) => ({ ...(index === 0 ? solved : failed), iteration, index });
  const all = [of(1, 0), of(1, 1), of(2, 0), of(2, 1)] as RolloutView[];
  const source = (rollouts = all) =>
    reactive({
      rollouts,
      cursor: null as number | null,
      recordedPreset: null,
      isFinished: false,
      solvedAnswer: null,
      wantedRollout: null,
    });
  const open = (rollouts = all, more: Record<string, unknown> = {}) => {
    const reading = inRoot(() => new Reading(source(rollouts), vi.fn()));
    const compare = vi.fn(() => Promise.reject(new Error('busy')));
    const onDesk = vi.fn();
    return { reading, onDesk, shown: show(Rollouts, { reading, compare, onDesk, busy: false, groups: 3, ...more }) };
  };

  it('come after the first iteration', () => {
    expect(open([]).shown.says).toMatchInlineSnapshot(`
      [
        "section "Rollouts"",
        "# Rollouts",
        "No rollouts yet. Press Train: every rollout appears here, token by token.",
      ]
    `);
    expect(open([], { busy: true }).shown.says.at(-1)).toMatchInlineSnapshot(
      `"No rollouts yet. After the first iteration every rollout appears here, token by token."`,
    );
  });

  it('say of which iteration they are, how many solved theirs, and how many tasks are kept', () => {
    const head = ({ shown }: ReturnType<typeof open>) => shown.find('.tabular').textContent;
    const opened = open();
    expect(head(opened)).toMatchInlineSnapshot(`"iteration 2 · 1 of 2 solved · 1 of 3 tasks kept"`);
    expect(head(open(all, { groups: 1 }))).toBe('iteration 2 · 1 of 2 solved');
    expect(head(open(all, { groups: null }))).toBe('iteration 2 · 1 of 2 solved');
    opened.shown.click(opened.shown.control('all iterations'));
    expect(head(opened)).toMatchInlineSnapshot(`"all iterations · 2 of 4 solved"`);
    opened.shown.write('Search in rollouts', 'zebra');
    expect(opened.shown.says.filter((line) => /No rollout|Show all/.test(line))).toMatchInlineSnapshot(`
      [
        "No rollout here contains “zebra”.",
        "button "Show all"",
      ]
    `);
    opened.shown.press('Show all');
    expect(opened.shown.says.join()).not.toContain('No rollout');
  });

  it('are read one after the other, and the list follows', () => {
    const { shown, reading, onDesk } = open();
    shown.press('Reward desk');
    expect(onDesk).toHaveBeenCalledOnce();
    const ticks = ['by task', 'best first', 'all iterations'].map((name) => shown.control(name).checked);
    expect(ticks).toEqual([false, false, false]);
    const viewport = shown.find('.viewport');
    shown.calls('move', 1);
    const first = reading.picked;
    shown.calls('move', 1);
    expect([first, reading.picked].map((each) => each?.index)).toEqual([1, 1]);
    viewport.scrollTop = 60;
    shown.write('Show', 'failed');
    expect(viewport.scrollTop).toBe(0);
    shown.key(shown.find('[role="grid"]'), 'Home');
    expect(reading.picked?.success).toBe(false);
  });
});
