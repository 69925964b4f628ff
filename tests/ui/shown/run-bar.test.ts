// @vitest-environment dom
/** The run as the Lab shows it: its buttons, its name and its phases. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events';
import PhaseList from '../../../src/ui/panels/run/PhaseList.svelte';
import RunBar from '../../../src/ui/panels/run/RunBar.svelte';
import ViewBar from '../../../src/ui/panels/run/ViewBar.svelte';
import WarmStart from '../../../src/ui/panels/run/WarmStart.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';

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
    expect(shown.find('#train-obstacle').textContent.trim()).toMatchInlineSnapshot(
      `"Training cannot begin. A seed is a number."`,
    );
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
    expect(shown.find('.origin').textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(
      `"Being sampled now What is 2+2? calc(2+2)"`,
    );
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
    return shown
      .all('li')
      .map((each) => `${each.textContent.replace(/\s+/g, ' ').trim()} ${each.getAttribute('aria-current') ?? ''}`);
  };
  expect(['prepare', 'copy', 'try'].map((part) => said(part, 'trained'))).toMatchInlineSnapshot(`
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
        "✓ Prepare ",
        "✓ Copy examples ",
        "3 Learn by trying step",
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
  expect(said('try', 'recorded')).toMatchInlineSnapshot(`
    [
      "✓ Prepare ",
      "✓ Copy examples · already done: recorded start ",
      "3 Learn by trying step",
    ]
  `);
  expect(said('try', 'none')).toMatchInlineSnapshot(`
    [
      "✓ Prepare ",
      "2 Copy examples · left out: from scratch ",
      "3 Learn by trying step",
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
  expect([shown.find('figcaption').textContent.trim(), shown.find('svg').getAttribute('viewBox')])
    .toMatchInlineSnapshot(`
    [
      "examples: loss 4.00 → 0.04",
      "0 0 100 30",
    ]
  `);
});
