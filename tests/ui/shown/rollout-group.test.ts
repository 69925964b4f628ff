// @vitest-environment dom
/** A rollout as it is read: its group, its conversation, its tabs, and how it is taken along. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import Conversation from '../../../src/ui/view/rollouts/Conversation.svelte';
import CopyBar from '../../../src/ui/view/rollouts/CopyBar.svelte';
import Distributions from '../../../src/ui/view/rollouts/Distributions.svelte';
import DivergenceView from '../../../src/ui/view/rollouts/DivergenceView.svelte';
import GroupView from '../../../src/ui/view/rollouts/GroupView.svelte';
import Inspector from '../../../src/ui/view/rollouts/Inspector.svelte';
import RolloutDiff from '../../../src/ui/view/rollouts/RolloutDiff.svelte';
import MiniRollout from '../../../src/ui/view/rollouts/MiniRollout.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { failed, pair, solved, specialTokens, vocabulary } from '../../helpers/token-rollouts';
import { soon } from '../../helpers/soon';

const numbers = {
  loss: -0.25,
  ratio: 1.5,
  clipped: true,
  dualClipped: false,
  formula: 'formula',
  numbers: 'numbers',
  logProb: -0.1,
  reference: -0.2,
  kl: 0.01,
  likeliest: [
    { id: 2, probability: 0.5 },
    { id: 9, probability: 0.25 },
  ],
};

const began = {
  algorithm: 'GRPO',
  partial: false,
  tokens: [
    [numbers, numbers],
    [numbers, numbers],
  ],
};

describe('a group', () => {
  it('shows each reward above the lowest, beside the mean', () => {
    const onpick = vi.fn();
    const shown = show(GroupView, { rollout: solved, group: pair, baseline: 'It is compared with the mean.', onpick });
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "section "Rollouts of the same task"",
        "2 rollouts of What is 6*7?, mean reward 0.50. The dashed line is the average. It is compared wit…",
        "button "Rollout 1: solved, reward 1.00, advantage +0.50", current",
        "button "Rollout 2: failed, reward 0.00, advantage −0.50"",
      ]
    `);
    expect(shown.find('.members').style.getPropertyValue('--mean')).toBe('0.5');
    const bars = shown.all('.bar');
    expect(bars.map((bar) => [bar.className.split(' ')[1], bar.style.getPropertyValue('--level')])).toEqual([
      ['up', '1'],
      ['down', '0'],
    ]);
    shown.press('Rollout 2');
    expect(onpick).toHaveBeenCalledWith(failed);
    const onlyLoss = show(GroupView, {
      rollout: failed,
      group: [
        { ...failed, reward: -1 },
        { ...failed, index: 2, reward: -3, advantage: 0 },
      ],
      baseline: undefined,
      onpick,
    });
    expect(onlyLoss.all('.bar').map((bar) => Number(bar.style.getPropertyValue('--level')))).toEqual([2 / 3, 0]);
    expect(onlyLoss.all('.bar')[1].classList.contains('up')).toBe(false);
    const none = show(GroupView, {
      rollout: failed,
      group: [failed, { ...failed, index: 2 }],
      baseline: undefined,
      onpick,
    });
    expect(none.find('.members').style.getPropertyValue('--mean')).toBe('0');
    expect(show(GroupView, { rollout: solved, group: [solved], baseline: undefined, onpick }).says).toEqual([]);
  });

  it('shows where the best and the worst part', () => {
    const onpick = vi.fn();
    const shown = show(DivergenceView, { rollout: failed, group: pair, vocabulary, specialTokens, onpick });
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Best and worst part in turn 1: the best wrote calc, the worst no.",
        "Dim: the same as in the best rollout. The frame marks the first token that differs.",
        "region "Rollouts of this task, best first"",
        "reward | advantage | what the agent wrote and saw",
        "button "Read the rollout with reward 1.00" | +0.50 | calc<end>tool4242<end>",
        "button "Read the rollout with reward 0.00" | −0.50 | no<end>",
      ]
    `);
    expect(shown.all('.mark').map((cell) => cell.textContent)).toMatchInlineSnapshot(`
      [
        "calc",
        "no",
      ]
    `);
    expect(shown.all('.shared').map((cell) => cell.textContent)).toMatchInlineSnapshot(`[]`);
    shown.press('Read the rollout with reward 0');
    expect(onpick).toHaveBeenCalledWith(failed);
  });

  it('marks in each row where that one leaves the best, and in the best where the worst leaves it', () => {
    const wrote = (index: number, reward: number, tokens: number[]): RolloutView => ({
      ...failed,
      index,
      reward,
      steps: [{ ...failed.steps[0], tokens, lossMask: [0, ...tokens.map(() => 1)] }],
    });
    const group = [wrote(0, 1, [0, 1, 2, 3]), wrote(1, 0.5, [0, 1, 2, 1]), wrote(2, 0, [0, 3, 2, 3])];
    const shown = show(DivergenceView, { rollout: group[0], group, vocabulary, specialTokens, onpick: vi.fn() });
    const marks = shown.all('tbody tr').map((row) => {
      const cells = [...row.querySelectorAll('.mark')].map((cell) => cell.textContent);
      return [cells, row.querySelectorAll('.shared').length];
    });
    expect(marks).toMatchInlineSnapshot(`
      [
        [
          [
            "calc",
          ],
          0,
        ],
        [
          [
            "calc",
          ],
          3,
        ],
        [
          [
            "no",
          ],
          1,
        ],
      ]
    `);
  });

  it('shows a part of long rollouts, until all is asked for', () => {
    const tokens = [...Array.from({ length: 4000 }, () => 2), 1];
    const longer = (rollout: RolloutView, last: number) => ({
      ...rollout,
      steps: [{ ...rollout.steps[0], tokens: [...tokens, last], lossMask: [0, ...tokens.map(() => 1), 1] }],
    });
    const group = [longer(solved, 3), longer(failed, 4)];
    const shown = show(DivergenceView, { rollout: group[0], group, vocabulary, specialTokens, onpick: vi.fn() });
    const counts = () => shown.all('td.mono').map((cell) => cell.querySelectorAll('span').length);
    expect(counts().every((count) => count < 4000)).toBe(true);
    expect(shown.all('td.mono').map((cell) => cell.textContent.startsWith('… '))).toEqual([true, true]);
    shown.press('Show all');
    expect(counts()).toEqual([4002, 4002]);
    expect(shown.says).not.toContain('button "Show all"');
  });
});

it('a conversation has messages, calls with results, faults and rewards', () => {
  expect(show(Conversation, { rollout: solved, rewardWeights: { correct: 1 }, at: 2 }).says).toMatchInlineSnapshot(`
    [
      "system",
      "You calculate.",
      "user",
      "What is 6*7?",
      "agent · turn 1",
      "calc <end>",
      "calc(6*7) gave 42 tool +0.10",
      "agent · turn 2",
      "42 <end>",
      "correct +1.00",
    ]
  `);
  expect(show(Conversation, { rollout: failed, rewardWeights: { correct: 1 }, at: 0 }).says).toMatchInlineSnapshot(`
    [
      "system",
      "You calculate.",
      "user",
      "What is 6*7?",
      "agent · turn 1",
      "no <end>",
      "calc() gave There is no expression. error: the arguments do not fit the tool",
      "correct 0.00",
    ]
  `);
});

describe('a rollout in a few lines', () => {
  const none = { draws: false, of: null };
  it('has its task, its calls and how it ended', () => {
    const shown = show(MiniRollout, { title: 'Before', rollout: solved, drawings: none });
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Before",
        "iteration 3",
        "What is 6*7?",
        "calc(6*7) → 42",
        "42 ✓ right",
      ]
    `);
    expect(shown.all('.choice')).toHaveLength(0);
  });
  it('keeps the place of the token that decided, or shows it', () => {
    const props = { title: 'Now', rollout: failed, drawings: none };
    expect(
      show(MiniRollout, { ...props, choice: null })
        .find('.choice')
        .textContent.trim(),
    ).toBe('');
    expect(show(MiniRollout, { ...props, choice: [{ name: 'calc', share: 0.75 }] }).says).toMatchInlineSnapshot(`
      [
        "# Now",
        "iteration 3",
        "What is 6*7?",
        "calc() → error: There is no expression.",
        "Where they part:",
        "calc 75.0 %",
        "no ✗ wrong",
      ]
    `);
  });
});

describe('the reader', () => {
  const open = (more: Record<string, unknown> = {}) => {
    const onpick = vi.fn();
    const shown = show(Inspector, {
      rollout: solved,
      isAnswer: false,
      group: pair,
      baseline: undefined,
      vocabulary,
      specialTokens,
      rewardWeights: null,
      tokens: { explain: () => Promise.resolve(began), read: null, inside: null } as never,
      drawings: { draws: false, of: null },
      preset: null,
      onpick,
      ...more,
    });
    return { shown, onpick };
  };
  const tabsOf = (shown: Shown) => shown.all('[role="tab"]').map((tab) => tab.textContent.trim());

  it('shows the conversation first, and the tokens, the group and JSON behind tabs', async () => {
    const { shown } = open();
    expect(shown.says.slice(0, 8)).toMatchInlineSnapshot(`
      [
        "iteration 3 · rollout 0",
        "✓ solved reward 1.00 advantage +0.50",
        "tablist "How to read it"",
        "tab "Conversation", selected",
        "tab "Tokens"",
        "tab "Rollouts"",
        "tab "JSON"",
        "system",
      ]
    `);
    expect(tabsOf(shown)).toEqual(['Conversation', 'Tokens', 'Rollouts', 'JSON']);
    expect(shown.says.join('\n')).toContain('calc(6*7)');
    for (const [tab, line] of [
      ['Tokens', 'listbox "Tokens"'],
      ['Rollouts', 'region "Rollouts of this task, best first"'],
      ['JSON', 'region "JSON"'],
    ]) {
      shown.press(tab);
      await shown.settled();
      await soon(async () => {
        await shown.settled();
        expect(shown.says).toContain(line);
      });
    }
  });

  it('has no others to compare with where a task was tried once, and no advantage of an answer', () => {
    const { shown } = open({ group: [solved], isAnswer: true });
    expect(tabsOf(shown)).toEqual(['Conversation', 'Tokens', 'JSON']);
    expect(shown.says.slice(0, 4)).toMatchInlineSnapshot(`
      [
        "iteration 3 · a new task",
        "✓ solved reward 1.00",
        "tablist "How to read it"",
        "tab "Conversation", selected",
      ]
    `);
  });

  it('compares with the next rollout that is read, in a tab of its own', async () => {
    const { shown } = open();
    shown.press('Compare with…');
    await soon(async () => {
      await shown.settled();
      expect(shown.says.join()).toContain('Pick another rollout');
    });
    expect(tabsOf(shown)).toEqual(['Conversation', 'Tokens', 'Rollouts', 'Difference', 'JSON']);
    shown.press('Stop comparing');
    expect(tabsOf(shown)).toEqual(['Conversation', 'Tokens', 'Rollouts', 'JSON']);
  });
});

describe('two rollouts', () => {
  it('are compared: what one holds and the other does not is marked, and it ends by a press', async () => {
    const other = { ...solved, index: 5, steps: [{ ...solved.steps[0], text: 'something else' }] };
    const onstop = vi.fn();
    const shown = show(RolloutDiff, { first: solved, second: solved, onstop });
    expect(shown.says[0]).toBe('Pick another rollout: here it is compared with iteration 3 · rollout 0.');
    const both = show(RolloutDiff, { first: solved, second: other, onstop });
    expect(both.says.join('\n')).toContain('Underlined: only in iteration 3 · rollout 5.');
    expect(
      both
        .all('ins')
        .map((each) => each.textContent)
        .join(' '),
    ).toContain('else');
    expect(both.all('del').length).toBeGreaterThan(0);
    both.press('Stop comparing');
    expect(onstop).toHaveBeenCalledOnce();
  });
});

describe('a rollout to take along', () => {
  const copied = vi.fn<(text: string) => Promise<void>>();
  beforeEach(() => {
    copied.mockReset().mockResolvedValue();
    vi.stubGlobal('navigator', { clipboard: { writeText: copied } });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('is copied as text, as JSON, and of a recorded run as a link', async () => {
    const shown = show(CopyBar, { rollout: solved, preset: 'bandit', oncompare: vi.fn() });
    for (const [name, part] of [
      ['Copy text', 'What is 6*7?'],
      ['Copy JSON', '"taskId"'],
      ['Copy link', 'http://here/#/lab?v=1&preset=bandit&rollout='],
    ]) {
      shown.press(name);
      await shown.settled();
      expect(copied.mock.lastCall![0]).toContain(part);
      expect(shown.says.at(-1)).toBe(`${name.slice(5, 6).toUpperCase()}${name.slice(6)} copied.`);
    }
    copied.mockRejectedValue(new Error());
    shown.press('Copy text');
    await shown.settled();
    expect(shown.says.at(-1)).toContain('did not allow');
  });

  it('has no link where it is of this tab', () => {
    expect(show(CopyBar, { rollout: solved, preset: null, oncompare: vi.fn() }).says.join()).not.toContain('Copy link');
  });
});

it('how numbers of an iteration are spread is a picture each, with its words', () => {
  const shown = show(Distributions, { rollouts: pair });
  expect(shown.all('svg').map((each) => each.getAttribute('aria-label'))[0]).toBe(
    'Reward: 2 rollouts from 0 to 1, mean 0.5; the highest bar has 1, at 0 to 0.05.',
  );
  const bars = shown.all('path')[0].getAttribute('d')!;
  expect(bars).toMatch(/^M0\.06 60v-60h0\.88v60zM1\.06 60v0h0\.88v0z/);
  expect(shown.says).toContain(
    '2 rollouts from 0 to 1, mean 0.5; the highest bar has 1, at 0 to 0.05. What each rollout scored.',
  );
});
