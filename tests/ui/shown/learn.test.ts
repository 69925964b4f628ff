// @vitest-environment dom
/** Lessons: their list, a guess, questions and the way on, and the figures that the engine or a recording fills. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lesson } from '../../../src/lessons/lesson';
import { lessons } from '../../../src/lessons/table';
import AdvantagesFigure from '../../../src/ui/pages/learn/figures/AdvantagesFigure.svelte';
import BeforeAfterFigure from '../../../src/ui/pages/learn/figures/BeforeAfterFigure.svelte';
import ClipFigure from '../../../src/ui/pages/learn/figures/ClipFigure.svelte';
import ContextFigure from '../../../src/ui/pages/learn/figures/ContextFigure.svelte';
import TokensFigure from '../../../src/ui/pages/learn/figures/TokensFigure.svelte';
import TrainFigure from '../../../src/ui/pages/learn/figures/TrainFigure.svelte';
import CheckCard from '../../../src/ui/pages/learn/CheckCard.svelte';
import LessonPage from '../../../src/ui/pages/learn/LessonPage.svelte';
import { Practice } from '../../../src/ui/pages/learn/practice.svelte';
import { progress } from '../../../src/ui/pages/learn/progress.svelte';
import { preferences } from '../../../src/ui/base/preferences.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { failed, pair, solved, specialTokens, vocabulary } from '../../helpers/token-rollouts';

stubPage();

let page: PageState;
let trainer: FakeTrainer;
let practice: Practice;
beforeEach(async () => {
  const browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
  practice = new Practice();
});
const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};
const record = (more: object = {}) =>
  vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue({
    rollouts: pair,
    answers: [
      [failed, { ...solved, iteration: 9 }],
      [solved, failed],
    ],
    metrics: Array.from({ length: 9 }, (_, i) => metricsRow(i + 1)),
    config: page.workspace.setup.config!,
    ...more,
  } as never);

describe('a lesson', () => {
  it('has sections, a guess, questions, and the lessons around it', () => {
    const shown = show(LessonPage, { practice, number: 1 }, page);
    const [first, second] = lessons;
    expect(shown.find('h1').textContent).toBe(first.title);
    expect(shown.all('nav a').map((link) => link.getAttribute('href'))).toEqual(['#/learn/2']);
    const middle = show(LessonPage, { practice, number: 2 }, page);
    expect(middle.find('h1').textContent).toBe(second.title);
    expect(middle.all('nav a').map((link) => link.getAttribute('href'))).toEqual(['#/learn/1', '#/learn/3']);
    const last = show(LessonPage, { practice, number: lessons.length }, page);
    expect(last.all('nav a')).toHaveLength(1);
  });

  it('is finished once each question was answered rightly', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void stored.set(key, value) });
    progress.clear();
    const shown = show(LessonPage, { practice, number: 1 }, page);
    const { checks }: Lesson = lessons[0];
    const cards = shown.all('fieldset').slice(-checks.length);
    const answer = (card: number, right: boolean) => {
      const at = checks[card].choices.findIndex((choice) => (choice.right ?? false) === right);
      shown.click(cards[card].querySelectorAll('input')[at] as never);
    };
    answer(0, false);
    answer(0, true);
    answer(0, true);
    expect([progress.has(1), shown.find('.done').textContent.trim()]).toEqual([checks.length === 1, '']);
    for (let card = 1; card < checks.length; card++) answer(card, true);
    expect(progress.has(1)).toBe(true);
    expect(shown.find('.done').textContent.trim()).not.toBe('');
    expect([...stored.values()]).toEqual(['1']);
    progress.clear();
    expect([...stored.values()]).toEqual(['']);
  });

  it('is walked by arrows from heading to heading in a room, not elsewhere', () => {
    const shown = show(LessonPage, { practice, number: 1 }, page);
    const headings = shown.all('h1, h2');
    const press = (key: string) => [
      shown.tell(window, 'keydown', { key }),
      headings.indexOf(document.activeElement as never),
    ];
    expect(press('ArrowRight')).toEqual([false, -1]);
    preferences.present = true;
    headings[0].focus();
    expect([press('ArrowRight'), press('ArrowRight'), press('ArrowLeft')]).toEqual([
      [true, 1],
      [true, 2],
      [true, 1],
    ]);
    expect(shown.key(shown.find('input'), 'ArrowRight'), 'a choice moves itself').toBe(false);
    for (let i = 0; i < headings.length + 2; i++) press('ArrowRight');
    expect(document.activeElement).toBe(headings.at(-1));
    for (let i = 0; i < headings.length + 2; i++) press('ArrowLeft');
    expect(document.activeElement).toBe(headings[0]);
    preferences.present = false;
  });

  it('explains the answer that was chosen', () => {
    const onright = vi.fn();
    const check = {
      question: 'Which?',
      choices: [
        { text: 'This', why: 'It is not.' },
        { text: 'That', why: 'It is.', right: true },
      ],
    } as const;
    const shown = show(CheckCard, { check, number: 3, onright });
    const answer = () => shown.find('[aria-live]');
    shown.click(shown.all('input')[0]);
    expect([answer().textContent.trim(), answer().matches('.bad')]).toEqual(['Not quite. It is not.', true]);
    expect(onright).not.toHaveBeenCalled();
    shown.click(shown.all('input')[1]);
    expect([answer().textContent.trim(), answer().matches('.good')]).toEqual(['Right. It is.', true]);
    expect(onright).toHaveBeenCalledOnce();
  });
});

describe('a figure', () => {
  it('trains one run after the other, and draws a curve of each', async () => {
    let end = (): void => undefined;
    let fail = (_: Error): void => undefined;
    const train = vi.spyOn(practice, 'train').mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          end = resolve;
          fail = reject;
        }),
    );
    const runs = [
      { label: 'A', link: 'steps=3' },
      { label: 'B', link: 'steps=5' },
    ];
    const figure = { kind: 'train', runs, curve: 'success', attempts: true } as const;
    const shown = show(TrainFigure, { practice, figure }, page);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "button "Train both here", primary",
        "img "Nothing is trained yet. A run takes some seconds on your processor and is kept nowhere."",
        "Nothing is trained yet. A run takes some seconds on your processor and is kept nowhere.",
      ]
    `);
    shown.click(shown.find('button'));
    expect([shown.says.slice(0, 2), train.mock.calls]).toMatchInlineSnapshot(`
      [
        [
          "button "Stop"",
          "The engine prepares a run…",
        ],
        [
          [
            "steps=3",
          ],
        ],
      ]
    `);
    practice.run.take(
      { type: 'iteration', metrics: metricsRow(1, { success: 0.5 }), rollouts: [], fingerprint: [] },
      0,
    );
    await come(shown);
    expect(shown.says.slice(1, 3)).toMatchInlineSnapshot(`
      [
        "A: iteration 1 of 5",
        "img "A: from 50 % at the first iteration to 50 % at iteration 1."",
      ]
    `);
    practice.run.take(
      {
        type: 'iteration',
        metrics: metricsRow(2, { success: 0.75 }),
        rollouts: [
          { ...solved, iteration: 2, group: 5, taskId: 'same' },
          { ...solved, iteration: 2, index: 9, group: 5, taskId: 'same' },
          ...pair.map((each) => ({ ...each, iteration: 2 })),
        ],
        fingerprint: [],
      },
      0,
    );
    await come(shown);
    expect(shown.says.slice(0, 2)).toMatchInlineSnapshot(`
      [
        "button "Stop"",
        "A: iteration 2 of 5",
      ]
    `);
    end();
    await come(shown);
    expect(train.mock.lastCall).toEqual(['steps=5']);
    end();
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "button "Train both here again", primary",
        "img "A: from 50 % at the first iteration to 75 % at iteration 2. B: from 50 % at the first itera…",
        "A",
        "B",
        "A: from 50 % at the first iteration to 75 % at iteration 2. B: from 50 % at the first iteration …",
        "2 attempts of the last iteration at What is 6*7?:",
        "“42” reward 1.00",
        "“no” reward 0.00",
      ]
    `);
    shown.click(shown.find('button'));
    fail(new Error('It was stopped.'));
    await come(shown);
    expect(shown.find('.caption').textContent.trim()).toBe('It was stopped.');
    const turns = show(TrainFigure, { practice, figure: { kind: 'train', runs, curve: 'turns' } }, page);
    expect(turns.all('text').map((each) => each.textContent)).toMatchInlineSnapshot(`
      [
        "0.00",
        "1.00",
        "2.00",
        "3.00",
        "1",
        "2",
        "3",
        "4",
        "5",
        "iteration",
      ]
    `);
  });

  it('waits while the Lab trains', async () => {
    page.tabRun.commands.train.run();
    await settle();
    const figure = { kind: 'train', runs: [{ label: 'A', link: 'steps=3' }], curve: 'success' } as const;
    const shown = show(TrainFigure, { practice, figure }, page);
    expect(shown.find('button').disabled).toBe(true);
    expect(shown.all('.warning')).toHaveLength(1);
    shown.click(shown.find('.warning button'));
    await settle();
    expect(trainer.orders).toEqual(['train 1', 'pause']);
  });

  it('shows the tokens of an attempt of a run that it trains', async () => {
    vi.spyOn(practice, 'train').mockResolvedValue();
    vi.spyOn(practice, 'explain').mockReturnValue(new Promise(() => undefined));
    const figure = { kind: 'tokens', runs: [{ label: 'A', link: 'steps=1' }] } as const;
    const shown = show(TokensFigure, { practice, figure }, page);
    const started = { title: '', parameters: 1, vocabulary, specialTokens, config: page.workspace.setup.config! };
    practice.run.take({ type: 'started', ...started }, 0);
    practice.run.take(
      { type: 'iteration', metrics: metricsRow(1, { trainedTokens: 30 }), rollouts: [failed, solved], fingerprint: [] },
      0,
    );
    shown.press('A');
    expect(shown.all('button').map((button) => button.disabled)).not.toContain(false);
    await come(shown);
    expect(shown.all('.step')).toHaveLength(2);
    expect(shown.find('[aria-live]').textContent.trim()).toMatchInlineSnapshot(
      `"A: the iteration trained on 30 tokens in all. One attempt of it:"`,
    );
    expect(shown.control('A').getAttribute('aria-pressed')).toBe('true');
    vi.mocked(practice.train).mockRejectedValue(new Error('It is gone.'));
    shown.press('A');
    await come(shown);
    expect([shown.find('[aria-live]').textContent.trim(), shown.control('A').disabled]).toEqual(['It is gone.', false]);
  });

  it('has no group before the recording has come, and compares nothing', async () => {
    vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue(undefined);
    const compareEstimators = vi.fn();
    trainer.answer({ compareEstimators });
    const shown = show(AdvantagesFigure, {}, page);
    await come(shown);
    expect([shown.all('tbody tr').length, shown.find('tfoot').textContent.trim()]).toEqual([
      0,
      'Mean of the group0.00',
    ]);
    expect(compareEstimators).not.toHaveBeenCalled();
  });

  it('shows the advantages of the last rewards, and more colour for larger ones', async () => {
    record();
    const answers: ((value: unknown) => void)[] = [];
    trainer.answer({ compareEstimators: () => new Promise((answer) => answers.push(answer as never)) as never });
    const shown = show(AdvantagesFigure, {}, page);
    await come(shown);
    const of = (...means: number[]) => ({
      columns: [{ short: 'GRPO', credits: means.map((mean) => ({ whole: { mean } })) }],
    });
    shown.click(shown.all('button')[1]);
    await come(shown);
    answers[0](of(9, 9));
    await come(shown);
    const cells = () => shown.all('td.number').map((cell) => [cell.textContent.trim(), cell.getAttribute('style')]);
    expect(cells()[0]).toEqual(['…', null]);
    answers[1](of(1, -0.5));
    await come(shown);
    const tints = cells()
      .filter(([words]) => words !== '0.00')
      .map(([words, style]) => [words, parseFloat(style!.split(':')[1])]);
    expect(tints.map(([words]) => words)).toEqual(['+1.00', '−0.50']);
    expect(Number(tints[0][1])).toBeCloseTo(2 * Number(tints[1][1]), 6);
  });

  it('moves rewards of a recorded group, and the advantages follow', async () => {
    record();
    const compareEstimators = vi.fn(async (group: readonly { reward: number }[]) => ({
      columns: ['GRPO', 'Dr.GRPO', 'RLOO'].map((short) => ({
        short,
        credits: group.map(({ reward }) => ({ whole: { mean: reward - 0.5 } })),
      })),
    }));
    trainer.answer({ compareEstimators: compareEstimators as never });
    const shown = show(AdvantagesFigure, {}, page);
    await come(shown);
    const rows = () => shown.all('tbody tr').map((row) => row.textContent.replace(/\s+/g, ' ').trim());
    expect([rows(), shown.find('tfoot').textContent.trim()]).toMatchInlineSnapshot(`
      [
        [
          "1 said 42 1.0+0.50+0.50+0.50",
          "2 said no 0.0−0.50−0.50−0.50",
        ],
        "Mean of the group0.50",
      ]
    `);
    expect(shown.all('.up').length + shown.all('.down').length).toBe(6);
    shown.tell(Object.assign(shown.all('input')[1], { value: '0.5' }), 'input');
    await come(shown);
    expect(rows()[1]).toMatchInlineSnapshot(`"2 said no 0.50.000.000.00"`);
    const press = async (at: number) => {
      shown.click(shown.all('button')[at]);
      await come(shown);
      return shown.all('input').map(({ value }) => Number(value));
    };
    expect([await press(1), await press(2), await press(3), await press(0)]).toEqual([
      [1, 1],
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
    trainer.answer({ compareEstimators: () => Promise.reject(new Error('It is gone.')) });
    await press(1);
    expect(shown.find('.caption').textContent).toContain('It is gone.');
    expect(show(AdvantagesFigure, { rewards: [0, 1] }, page).all('button')).toHaveLength(3);
  });

  it('answers a recorded task before training and after it, and another one', async () => {
    record();
    const shown = show(BeforeAfterFigure, { preset: 'bandit' }, page);
    const heads = () => shown.all('h3').map((head) => head.textContent.replace(/\s+/g, ' ').trim());
    expect(heads()).toMatchInlineSnapshot(`
      [
        "Before training ✗ wrong",
        "After 9 iterations ✓ right",
      ]
    `);
    shown.click(shown.all('button').at(-1)!);
    expect(heads()).toMatchInlineSnapshot(`
      [
        "Before training ✓ right",
        "After 9 iterations ✗ wrong",
      ]
    `);
    shown.click(shown.all('button').at(-1)!);
    expect(shown.all('button').at(-1)!.textContent).toContain('1');
  });

  it('shows how much an attempt has to read at each turn', () => {
    record();
    const shown = show(ContextFigure, { preset: 'bandit' }, page);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Turn 1: read 1 tokens, wrote 2",
        "Turn 2: read 5 tokens, wrote 2",
        "A recorded attempt at “What is 6*7?”. A whole bar is 128 tokens: more this model cannot see.",
      ]
    `);
    const { context } = page.workspace.setup.config!.model;
    const widths = shown.all('.read, .wrote').map((bar) => parseFloat(bar.style.getPropertyValue('width')));
    expect(widths.map((width) => Math.round((width * context) / 100))).toEqual([1, 2, 5, 2]);
  });

  it('draws the clipped loss of a token, with its numbers', () => {
    const shown = show(ClipFigure, {}, page);
    const says = () => shown.find('p').textContent.replace(/\s+/g, ' ').trim();
    expect(says()).toContain('= max(−1 · 1, −1 · 1) = −1.00Not clipped');
    const [ratio, advantage] = shown.all('input');
    shown.tell(Object.assign(ratio, { value: '1.9' }), 'input');
    expect(says()).toContain('= max(−1 · 1.9, −1 · 1.28) = −1.28Clipped');
    shown.tell(Object.assign(advantage, { value: '-1' }), 'input');
    expect(says()).toContain('= min(3, max(−(−1) · 1.9, −(−1) · 1.28)) = 1.90Not clipped');
  });
});
