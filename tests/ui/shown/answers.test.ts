// @vitest-environment dom
/** What the agent must learn, and its answers before and after. */
import { createRawSnippet } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../../src/run/events';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import Answers from '../../../src/ui/panels/run/Answers.svelte';
import Intro from '../../../src/ui/panels/run/Intro.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
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
        "Notice: Success.",
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
        "Notice: Success.",
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
        "Where they part:",
        "#3 60.7 %",
        "others 39.3 %",
        "no ✗ wrong",
        "# After",
        "iteration 14",
        "What is 2+2?",
        "calc(6*7) → 42",
        "Where they part:",
        "#1 60.7 %",
        "others 39.3 %",
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

  const ofRecording = async (answers: readonly RolloutView[]) => {
    vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue({
      metrics: [metricsRow(9)],
      rollouts: [],
      answers: [answers],
      config: page.workspace.setup.config!,
      vocabulary: ['zero', 'calc'],
      specialTokens: [],
      groups: 1,
    } as never);
    page.workspace.setup.choosePreset('bandit');
    page.tabRun.shown.view = 'recording';
    page.tabRun.recordingCame();
    return open();
  };

  it('of a recording have titles of their own, three where there are three', async () => {
    const shown = await ofRecording([answersAt(0, false), answersAt(4, false), answersAt(9, true)]);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "iteration 0",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "Where they part:",
        "#3 60.7 %",
        "others 39.3 %",
        "no ✗ wrong",
        "# Halfway",
        "iteration 4",
        "What is 2+2?",
        "calc() → error: There is no expression.",
        "Where they part:",
        "#3 60.7 %",
        "others 39.3 %",
        "no ✗ wrong",
        "# After",
        "iteration 9",
        "What is 2+2?",
        "calc(6*7) → 42",
        "Where they part:",
        "calc 60.7 %",
        "others 39.3 %",
        "42 ✓ right",
        "from the recorded run",
        "button "Play it yourself"",
      ]
    `);
  });

  it('of a recording leave halfway out where the agent answered as it did at the end', async () => {
    const shown = await ofRecording([answersAt(0, false), answersAt(4, true), answersAt(9, true)]);
    const places = shown.says.filter((line) => line.startsWith('iteration'));
    expect(places).toEqual(['iteration 0', 'iteration 9']);
  });
});
