// @vitest-environment dom
/** The run as the Lab shows it: its buttons, its name, its answers, its chat, and what to do when it is finished. */
import { createRawSnippet } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import Answers from '../../../src/ui/panels/run/Answers.svelte';
import ChatPanel from '../../../src/ui/panels/run/ChatPanel.svelte';
import FinishedPanel from '../../../src/ui/panels/run/FinishedPanel.svelte';
import Intro from '../../../src/ui/panels/run/Intro.svelte';
import PhaseList from '../../../src/ui/panels/run/PhaseList.svelte';
import Rollouts from '../../../src/ui/panels/run/Rollouts.svelte';
import RunBar from '../../../src/ui/panels/run/RunBar.svelte';
import ViewBar from '../../../src/ui/panels/run/ViewBar.svelte';
import WarmStart from '../../../src/ui/panels/run/WarmStart.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { Reading } from '../../../src/ui/view/rollouts/reading.svelte';
import { inRoot, reactive } from '../../helpers/dom/root.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
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

describe('the bar', () => {
  const lines = (shown: Shown) => shown.says.filter((line) => !/^section/.test(line));

  it('trains, pauses and resumes by one button, and steps and resets', async () => {
    const shown = show(RunBar, {}, page);
    expect(lines(shown)).toMatchInlineSnapshot(`
      [
        "button "Train", primary",
        "button "Iterate"",
        "button "Reset", disabled",
        "Ready · iteration 0/14",
        "progress "Progress of the run": 0/14",
        "button "Download checkpoint", disabled",
        "button "Share", disabled",
      ]
    `);
    shown.press('Train');
    await come(shown);
    trainer.play(2);
    await come(shown);
    expect(lines(shown)).toMatchInlineSnapshot(`
      [
        "button "Pause", primary",
        "button "Iterate", disabled",
        "button "Reset"",
        "RL iteration 2/14",
        "not saved yet",
        "progress "Progress of the run": 2/14",
        "RL iteration 2/14",
        "fold "Export"",
        "button "Download checkpoint"",
        "button "Share", disabled",
      ]
    `);
    // A press has its own moment; the second of a double-click is none.
    shown.press('Pause', { timeStamp: 5000 });
    await come(shown);
    expect(trainer.orders).toEqual(['train 1', 'pause']);
    expect(lines(shown)).toMatchInlineSnapshot(`
      [
        "button "Train", primary",
        "button "Iterate"",
        "button "Reset"",
        "Paused · iteration 2/14",
        "not saved yet",
        "progress "Progress of the run": 2/14",
        "Paused · iteration 2/14",
        "fold "Export"",
        "button "Download checkpoint"",
        "button "Share", disabled",
      ]
    `);
    shown.press('Train', { timeStamp: 5001, detail: 2 });
    await come(shown);
    expect(trainer.orders).toEqual(['train 1', 'pause']);
    shown.press('Train', { timeStamp: 9000 });
    await come(shown);
    shown.press('Pause', { timeStamp: 19000 });
    await come(shown);
    shown.press('Iterate');
    await come(shown);
    shown.press('Reset');
    await come(shown);
    expect(trainer.orders.slice(2)).toEqual(['resume', 'pause', 'step 1', 'reset']);
  });

  it('offers more iterations of a finished run, and its files', async () => {
    const shown = show(RunBar, {}, page);
    await train('finished');
    trainer.save();
    await come(shown);
    expect(lines(shown)).toMatchInlineSnapshot(`
      [
        "button "Train again", primary",
        "button "+20 iterations"",
        "button "Iterate", disabled",
        "button "Reset"",
        "Finished · iteration 14/14",
        "saved at iteration 14",
        "progress "Progress of the run": 14/14",
        "Finished · iteration 14/14",
        "link "All runs" → #/runs",
        "fold "Export"",
        "button "Download checkpoint"",
        "button "Share", disabled",
      ]
    `);
    const download = vi.spyOn(page.tabRun, 'download').mockResolvedValue();
    shown.press('Download');
    expect(download).toHaveBeenCalledOnce();
    shown.press('+');
    await come(shown);
    expect(trainer.orders.at(-1)).toMatch(/^extend/);
  });

  it('announces changes of the state and tenths of the run, not the state at the beginning', async () => {
    const shown = show(RunBar, {}, page);
    const said = () => shown.find('[aria-live="polite"]').textContent;
    expect(said()).toBe('');
    await train(1);
    await come(shown);
    const first = said();
    expect(first).toContain('iteration 1/14');
    trainer.play(2);
    await come(shown);
    const second = said();
    trainer.play(3);
    await come(shown);
    expect([first, second, said()].map((each) => /iteration (\d+)/.exec(each)![1])).toEqual(['1', '2', '3']);
    trainer.play(14);
    await come(shown);
    expect(said()).toContain('14/14');
  });

  it('says why a setup cannot be trained', async () => {
    const shown = show(RunBar, {}, page);
    page.workspace.setup.setError(['seed'], 'A seed is a number.');
    await come(shown);
    expect(shown.find('#train-obstacle').textContent.trim()).toMatchInlineSnapshot(`"Training cannot begin. A seed is a number."`);
    expect(shown.control('Train').getAttribute('aria-describedby')).toBe('train-obstacle');
    expect(shown.says).toContain('button "Train", disabled, primary');
  });
});

describe('the line above the curves', () => {
  it('says whose run is shown and how far it is', async () => {
    const shown = show(ViewBar, {}, page);
    page.tabRun.shown.view = 'live';
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Your run",
      ]
    `);
    page.tabRun.commands.train.run();
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Your run",
      ]
    `);
    trainer.play('running');
    tell({ type: 'live', prompt: 'What is 2+2?', text: 'calc(2+2)' });
    await come(shown);
    expect(shown.find('.origin').textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(`"Being sampled now What is 2+2? calc(2+2)"`);
    trainer.play(1);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Your run",
        "ol "Phases of this run"",
        "Prepare",
        "Copy examples · already done: recorded start",
        "Learn by trying",
      ]
    `);
  });

  it('plays a recorded run, stops it and plays it again', async () => {
    const recording = {
      preset: 'calculator-mini',
      adapter: 'CPU of a laptop',
      date: '2026-01-02',
      seconds: 75,
      parameters: 12_000,
      command: 'npm run record',
      metrics: [metricsRow(1), metricsRow(2)],
      rollouts: [],
      answers: [],
      config: page.workspace.setup.config!,
      groups: 1,
      vocabulary: [],
      specialTokens: [],
    };
    vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue(recording as never);
    page.workspace.setup.choosePreset('bandit');
    page.tabRun.shown.view = 'recording';
    const shown = show(ViewBar, {}, page);
    page.tabRun.recordingCame();
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Recorded run",
        "CPU of a laptop · Jan 2, 2026 · 1m15s · 12K parameters",
        "button "Replay again"",
      ]
    `);
    expect(shown.find('.origin').getAttribute('title')).toBe('npm run record');
    const play = vi.spyOn(page.tabRun, 'playRecording');
    shown.press('Replay');
    expect(play).toHaveBeenCalledOnce();
    await train(1);
    page.tabRun.shown.view = 'recording';
    await come(shown);
    shown.press('Back to');
    expect(page.tabRun.shown.view).toBe('live');
  });

  it('counts the time on while nothing is told', async () => {
    const tick = vi.spyOn(page.tabRun.run, 'tick');
    const shown = show(ViewBar, {}, page);
    await vi.advanceTimersByTimeAsync(1000);
    expect(tick).not.toHaveBeenCalled();
    page.tabRun.commands.train.run();
    await come(shown);
    await vi.advanceTimersByTimeAsync(1000);
    expect(tick.mock.calls.length).toBe(2);
    trainer.play(1);
    await come(shown);
    tick.mockClear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(tick).not.toHaveBeenCalled();
  });
});

it('phases are done, current, to come, or skipped', () => {
  const said = (part: string, warmStart: string) => {
    const shown = show(PhaseList, { part, warmStart } as never);
    return shown.all('li').map((each) => `${each.textContent.replace(/\s+/g, ' ').trim()} ${each.getAttribute('aria-current') ?? ''}`);
  };
  expect(['prepare', 'copy', 'learn'].map((part) => said(part, 'trained'))).toMatchInlineSnapshot(`
    [
      [
        "1 Prepare step",
        "2 Copy examples ",
        "3 Learn by trying ",
      ],
      [
        "✓ Prepare ",
        "2 Copy examples step",
        "3 Learn by trying ",
      ],
      [
        "1 Prepare ",
        "2 Copy examples ",
        "3 Learn by trying ",
      ],
    ]
  `);
  expect(said('copy', 'recorded')).toMatchInlineSnapshot(`
    [
      "✓ Prepare ",
      "2 Copy examples · already done: recorded start step",
      "3 Learn by trying ",
    ]
  `);
  expect(said('learn', 'recorded')).toMatchInlineSnapshot(`
    [
      "1 Prepare ",
      "2 Copy examples · already done: recorded start ",
      "3 Learn by trying ",
    ]
  `);
  expect(said('learn', 'none')).toMatchInlineSnapshot(`
    [
      "1 Prepare ",
      "2 Copy examples · left out: from scratch ",
      "3 Learn by trying ",
    ]
  `);
});

it('the loss of the warm start falls from the top of its picture', () => {
  const losses = [1, 50, 100].map((step) => ({ step, loss: 4 / step }));
  const shown = show(WarmStart, { losses, steps: 200 });
  expect([shown.says, shown.find('path').getAttribute('d')]).toMatchInlineSnapshot(`
    [
      [
        "figure "Copying examples: loss 4.00 at first, 0.04 after 100 batches."",
      ],
      "M0.50 0.00L25.00 29.40L50.00 29.70",
    ]
  `);
  expect([shown.find('figcaption').textContent.trim(), shown.find('svg').getAttribute('viewBox')]).toMatchInlineSnapshot(`
    [
      "examples: loss 4.00 → 0.04",
      "0 0 100 30",
    ]
  `);
});

describe('the introduction', () => {
  const finished = createRawSnippet(() => ({ render: () => '<p>It is finished.</p>' }));
  const says = async () => {
    const shown = show(Intro, { finished }, page);
    await come(shown);
    return shown.says;
  };

  it('says what the agent must learn, and at the end what it learned', async () => {
    expect(await says()).toMatchInlineSnapshot(`
      [
        "# Calculator, mini",
        "Compute.",
        "What to look at: Success.",
      ]
    `);
    await train(3);
    expect(await says()).not.toContain('It is finished.');
    trainer.play('finished');
    expect(await says()).toContain('It is finished.');
    page.tabRun.shown.view = 'recording';
    expect(await says()).not.toContain('It is finished.');
  });

  it('gives foreign code no headline of its own', async () => {
    const { setup } = page.workspace;
    setup.loadLinked('', { ...setup.config!, environment: { name: 'x', options: {}, source: 'export {}' } });
    expect(await says()).toMatchInlineSnapshot(`
      [
        "# An environment from a link",
        "Its tasks and tools are in code that somebody else wrote.",
      ]
    `);
    vi.spyOn(setup, 'isOwn').mockReturnValue(true);
    expect(await says()).toMatchInlineSnapshot(`
      [
        "# Your own environment",
        "The page knows its tasks and tools once its code has run.",
      ]
    `);
    setup.describe('export {}', { ...setup.catalog!.presets[0].environment, title: 'Corner shop' });
    expect(await says()).toMatchInlineSnapshot(`
      [
        "# Corner shop",
        "Compute.",
        "What to look at: Success.",
      ]
    `);
  });
});

describe('answers before and after', () => {
  const open = async () => {
    const shown = show(Answers, {}, page);
    await come(shown);
    return shown;
  };
  const sameTasks = (...tasks: RolloutView[][]) => tell({ type: 'same-tasks', sameTasks: tasks });

  it('come at the beginning of a run and at its validations; another task may be asked for', async () => {
    page.tabRun.shown.view = 'live';
    page.tabRun.commands.train.run();
    await settle();
    const shown = await open();
    trainer.play('running');
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "Its answer comes before the first iteration.",
        "# Now",
        "Its answer comes after the first iteration, and anew at each validation.",
        "the same new task, asked before your run and at each validation",
      ]
    `);
    sameTasks([answersAt(0, false)], [{ ...answersAt(0, true), prompt: 'What is 3+3?' }]);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "iteration 0",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "no ✗ wrong",
        "# Now",
        "Its answer comes after the first iteration, and anew at each validation.",
        "the same new task, asked before your run and at each validation",
        "button "Play it yourself"",
        "button "Task 1 of 2 · next"",
      ]
    `);
    expect(shown.all('.choice')).toHaveLength(1);
    shown.press('Task ');
    expect(shown.says).toContain('What is 3+3?');
    expect(shown.all('.choice')).toHaveLength(0);
    shown.press('Task ');
    expect(shown.says).toContain('What is 2+2?');
    trainer.play('finished');
    sameTasks([answersAt(0, false), answersAt(14, true)]);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "iteration 0",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "Where the answers part, it wrote",
        "#3 60.7 %",
        "anything else 39.3 %",
        "no ✗ wrong",
        "# After",
        "iteration 14",
        "What is 2+2?",
        "calc(6*7) → 42",
        "Where the answers part, it wrote",
        "#1 60.7 %",
        "anything else 39.3 %",
        "42 ✓ right",
        "the same new task, asked before your run and at each validation",
        "button "Play it yourself"",
      ]
    `);
    expect(shown.find('.answers').style.getPropertyValue('--least')).toBe('0px');
    expect(shown.says.join()).not.toContain('Task ');
  });

  it('never get lower while a run trains', async () => {
    await train(1);
    sameTasks([answersAt(0, false)]);
    const shown = await open();
    const least = () => shown.find('.answers').style.getPropertyValue('--least');
    expect(least()).toBe('0px');
  });

  it('of a recording have titles of their own, three where there are three', async () => {
    const answers = [[answersAt(0, false), answersAt(4, false), answersAt(9, true)]];
    vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue({
      metrics: [metricsRow(9)],
      rollouts: [],
      answers,
      config: page.workspace.setup.config!,
      vocabulary: ['zero', 'calc'],
      specialTokens: [],
      groups: 1,
    } as never);
    page.workspace.setup.choosePreset('bandit');
    page.tabRun.shown.view = 'recording';
    page.tabRun.recordingCame();
    const shown = await open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "iteration 0",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "Where the answers part, it wrote",
        "#3 60.7 %",
        "anything else 39.3 %",
        "no ✗ wrong",
        "# Halfway",
        "iteration 4",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "Where the answers part, it wrote",
        "#3 60.7 %",
        "anything else 39.3 %",
        "no ✗ wrong",
        "# After",
        "iteration 9",
        "What is 2+2?",
        "calc(6*7) → 42",
        "Where the answers part, it wrote",
        "calc 60.7 %",
        "anything else 39.3 %",
        "42 ✓ right",
        "from the recorded run",
        "button "Play it yourself"",
      ]
    `);
  });
});

describe('the chat', () => {
  it('asks the agent there is, one question at a time, and says what came of it', async () => {
    await train('finished');
    tell({ type: 'first-point', metrics: metricsRow(14), rollouts: [answersAt(14, true)] });
    const shown = show(ChatPanel, {}, page);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Chat",
        "You talk to the agent as it is now, after iteration 14. It has only practised tasks like What is 2+2?",
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
    answer({ type: 'done', answer: '7', solved: true });
    end();
    await come(shown);
    expect(shown.find('.reply').textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(`"Agent, iteration 14 It sees: A board. calc(3+4) → 7 7 Solved, says the environment."`);
    shown.tell(form, 'submit');
    await come(shown);
    answer({ type: 'done', answer: null, solved: null });
    end();
    await come(shown);
    expect(shown.all('.reply')[1].textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(`"Agent, iteration 14 The agent used up its turns without answering. It has only practised tasks like What is 2+2?"`);
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
    expect(shown.says.at(-1)).toMatchInlineSnapshot(`"Changed for the next run: half the learning rate. Press Train again to compare."`);
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
    return { reading, shown: show(Rollouts, { reading, compare, busy: false, groups: 3, ...more }) };
  };

  it('come after the first iteration', () => {
    expect(open([]).shown.says).toMatchInlineSnapshot(`
      [
        "section "Rollouts"",
        "# Rollouts",
        "No rollouts yet. Press Train: every rollout appears here, token by token.",
      ]
    `);
    expect(open([], { busy: true }).shown.says.at(-1)).toMatchInlineSnapshot(`"No rollouts yet. After the first iteration every rollout appears here, token by token."`);
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
    const { shown, reading } = open();
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
