// @vitest-environment dom
/** Rollouts as they are read: their list, their group, their words, and every token. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import { linesOf } from '../../../src/presentation/rollout-list';
import { keyOf } from '../../../src/share/rollout-groups';
import Conversation from '../../../src/ui/view/rollouts/Conversation.svelte';
import CopyBar from '../../../src/ui/view/rollouts/CopyBar.svelte';
import DivergenceView from '../../../src/ui/view/rollouts/DivergenceView.svelte';
import FailingTasks from '../../../src/ui/view/rollouts/FailingTasks.svelte';
import FilterInput from '../../../src/ui/view/rollouts/FilterInput.svelte';
import GroupView from '../../../src/ui/view/rollouts/GroupView.svelte';
import Inspector from '../../../src/ui/view/rollouts/Inspector.svelte';
import LookInside from '../../../src/ui/view/rollouts/LookInside.svelte';
import MiniRollout from '../../../src/ui/view/rollouts/MiniRollout.svelte';
import RolloutBar from '../../../src/ui/view/rollouts/RolloutBar.svelte';
import RolloutList from '../../../src/ui/view/rollouts/RolloutList.svelte';
import TokenCard from '../../../src/ui/view/rollouts/TokenCard.svelte';
import Tokens from '../../../src/ui/view/rollouts/Tokens.svelte';
import { parseFilter } from '../../../src/share/rollout-filter';
import { tokenCells } from '../../../src/share/rollout-tokens';
import { show, type Shown } from '../../helpers/dom/shown';
import { failed, pair, solved, specialTokens, vocabulary } from '../../helpers/token-rollouts';

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
const began = { algorithm: 'GRPO', partial: false, tokens: [[numbers, numbers], [numbers, numbers]] };
const now = { ...began, after: 7, updating: false };

describe('the tokens of a rollout', () => {
  const tokensOf = (more: Record<string, unknown> = {}, source: Record<string, unknown> = {}) =>
    show(Tokens, {
      rollout: solved,
      group: pair,
      vocabulary,
      specialTokens,
      source: { explain: () => Promise.resolve(began), read: null, inside: null, ...source } as never,
      ...more,
    });
  const option = (shown: Shown, at: number) => shown.find(`[data-at="${at}"]`);
  const focusedAt = () => (document.activeElement as HTMLElement).dataset.at;

  it('say who wrote each, whether it is trained on, and its advantage', async () => {
    const shown = tokensOf();
    await shown.settled();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "4 tokens in the loss of 7; only these are trained on.",
        "ul "Legend"",
        "abc environment wrote it",
        "abc agent wrote it, in the loss (underlined)",
        "abc agent, masked",
        "end special token",
        "abc bar above: made more likely",
        "abc bar below: made less likely",
        "listbox "Tokens"",
        "group "Turn 1"",
        "option "ask, environment, masked"",
        "option "calc, agent, in the loss, advantage +0.50", selected",
        "option "<end>, agent, in the loss, advantage +0.50"",
        "group "Turn 2"",
        "option "tool, environment, masked"",
        "option "42, environment, masked"",
        "option "42, agent, in the loss, advantage +0.50"",
        "option "<end>, agent, in the loss, advantage +0.50"",
        "section "Token"",
        "calc turn 1",
        "id",
        "1",
        "written by",
        "agent",
        "training",
        "in the loss",
        "advantage",
        "+0.50",
        "probability",
        "60.7 %",
        "log-prob, old",
        "−0.500",
        "ratio",
        "1.500 · clipped",
        "KL to start",
        "0.010",
        "critic’s value",
        "–",
        "entropy",
        "0.250 nats",
        "Loss of this token in GRPO",
        "formula",
        "numbers = −0.25",
        "As the update of its iteration began: the agent that learned was the agent that wrote, so every ratio is 1.",
        "A recording has no agent to ask: train a run here to see the likeliest other tokens and where its heads look.",
        "fold "What these numbers mean"",
      ]
    `);
    expect(shown.all('.cell').map((cell) => cell.className.replace(/ svelte-\w+/, ''))).toMatchInlineSnapshot(`
      [
        "cell environment",
        "cell agent loss",
        "cell agent",
        "cell special environment",
        "cell agent loss up",
        "cell agent loss down",
        "cell environment",
        "cell agent loss up",
        "cell agent loss special up",
        "cell environment",
        "cell environment",
        "cell agent loss up",
        "cell agent loss special up",
      ]
    `);
  });

  it('have the focus on the first that is trained on, and arrow keys move it', () => {
    const shown = tokensOf();
    const strip = shown.find('[role="listbox"]');
    const press = (key: string, more = {}) => [shown.key(strip, key, more), focusedAt()];
    expect(shown.all('[tabindex="0"]').map(({ dataset }) => dataset.at)).toEqual(['1']);
    expect(press('ArrowRight')).toEqual([true, '2']);
    expect(press('ArrowLeft')).toEqual([true, '1']);
    expect(press('End')).toEqual([true, '6']);
    expect(press('ArrowRight')).toEqual([true, '6']);
    expect(press('Home')).toEqual([true, '0']);
    expect(press('ArrowLeft')).toEqual([true, '0']);
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(press('End', more)).toEqual([false, '0']);
    expect(press('x')).toEqual([false, '0']);
    expect(option(shown, 0).getAttribute('aria-selected')).toBe('true');
  });

  it('up and down go to the nearest token of another line', () => {
    const shown = tokensOf();
    const strip = shown.find('[role="listbox"]');
    // Three lines: tokens 0 1 2, 3 4, and 5 6.
    const places = [[0, 0], [20, 0], [40, 0], [0, 20], [45, 20], [0, 40], [30, 40]];
    places.forEach(([left, top], i) => (option(shown, i).place = { left, top, width: 15, height: 16 }));
    const press = (key: string) => [shown.key(strip, key), focusedAt()][1];
    expect(['ArrowDown', 'ArrowDown', 'ArrowDown'].map(press)).toEqual(['3', '5', '5']);
    expect(['ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowUp'].map(press)).toEqual(['6', '4', '2', '2']);
  });

  it('are told apart by the pointer, which the card follows until it leaves or the focus moves', () => {
    const shown = tokensOf();
    const strip = shown.find('[role="listbox"]');
    const card = () => shown.find('.card code').textContent;
    expect(card()).toBe('calc');
    shown.tell(option(shown, 4), 'pointerover');
    expect(card()).toBe('42');
    shown.tell(strip, 'pointerleave');
    expect(card()).toBe('calc');
    shown.tell(option(shown, 3), 'pointerover');
    shown.key(strip, 'Home');
    expect(card()).toBe('ask');
    shown.click(option(shown, 5));
    expect(card()).toBe('42');
    shown.click(strip);
    expect(option(shown, 5).getAttribute('aria-selected')).toBe('true');
  });

  it('are read by the agent as it is now when that is asked for', async () => {
    const onuse = vi.fn();
    let answer = (_: unknown): void => undefined;
    const read = vi.fn(() => new Promise((resolve) => (answer = resolve)));
    const shown = tokensOf({ onuse }, { read });
    await shown.settled();
    const said = () => shown.says.filter((line) => /agent now|As its|Reading|As the update/.test(line));
    const name = 'Compute with the agent as it is now';
    shown.press(name);
    expect([onuse.mock.calls.length, shown.control(name).disabled, said()]).toMatchInlineSnapshot(`
      [
        1,
        true,
        [
          "Reading the rollout…",
        ],
      ]
    `);
    answer(now);
    await shown.settled();
    expect([shown.control('Compute again').disabled, said()]).toMatchInlineSnapshot(`
      [
        false,
        [
          "By the agent now, after iteration 7.",
          "button "As its update began"",
        ],
      ]
    `);
    shown.press('As its update began');
    expect(said()).toMatchInlineSnapshot(`
      [
        "As the update of its iteration began: the agent that learned was the agent that wrote, so every ratio is 1.",
      ]
    `);
  });

  it('say why they could not be read', async () => {
    const shown = tokensOf({}, { explain: () => Promise.reject(new Error('It is gone.')), read: vi.fn() });
    await shown.settled();
    expect(shown.says).toContain('It is gone.');
    const read = tokensOf({}, { read: () => Promise.reject(new Error('No agent.')) });
    await read.settled();
    read.press('Compute with');
    await read.settled();
    expect(read.says).toContain('No agent.');
    expect(read.control('Compute with').disabled).toBe(false);
  });

  it('may be looked into', async () => {
    const onuse = vi.fn();
    const inside = { moments: [4], look: () => Promise.reject(new Error('busy')) };
    const shown = tokensOf({ onuse }, { read: vi.fn(), inside });
    shown.press('Look inside');
    expect([onuse.mock.calls.length, shown.control('Close').getAttribute('aria-expanded')]).toEqual([1, 'true']);
    expect(shown.says).toContain('section "Where its heads looked"');
    shown.press('Close');
    expect(shown.says).not.toContain('section "Where its heads looked"');
  });

  it('of a long rollout are cut until all are asked for', () => {
    const tokens = Array.from({ length: 4100 }, () => 2);
    const long = { ...solved, steps: [{ ...solved.steps[0], tokens, lossMask: [0, ...tokens.map(() => 1)] }] };
    const shown = tokensOf({ rollout: long });
    const count = () => shown.all('[role="option"]').length;
    const drawn = count();
    expect(drawn).toBe(4096);
    expect(shown.says).toContain(`The first ${drawn} of 4101 tokens.`);
    shown.press('Show all');
    expect([count(), shown.says.includes('button "Show all"')]).toEqual([4101, false]);
  });
});

describe('the card of a token', () => {
  const [, own] = tokenCells(solved, vocabulary, specialTokens);
  const cardOf = (explanation: unknown, cell = own) =>
    show(TokenCard, { cell, explanation: explanation as never, vocabulary }).says;

  it('has the numbers of sampling, then of the update, then of the agent now with the likeliest others', () => {
    expect(cardOf(null)).toMatchInlineSnapshot(`
      [
        "section "Token"",
        "calc turn 1",
        "id",
        "1",
        "written by",
        "agent",
        "training",
        "in the loss",
        "advantage",
        "+0.50",
        "probability",
        "60.7 %",
        "log-prob, old",
        "−0.500",
        "ratio",
        "–",
        "KL to start",
        "–",
        "critic’s value",
        "–",
        "entropy",
        "0.250 nats",
      ]
    `);
    expect(cardOf(began)).toMatchInlineSnapshot(`
      [
        "section "Token"",
        "calc turn 1",
        "id",
        "1",
        "written by",
        "agent",
        "training",
        "in the loss",
        "advantage",
        "+0.50",
        "probability",
        "60.7 %",
        "log-prob, old",
        "−0.500",
        "ratio",
        "1.500 · clipped",
        "KL to start",
        "0.010",
        "critic’s value",
        "–",
        "entropy",
        "0.250 nats",
        "Loss of this token in GRPO",
        "formula",
        "numbers = −0.25",
      ]
    `);
    expect(cardOf(now)).toMatchInlineSnapshot(`
      [
        "section "Token"",
        "calc turn 1",
        "id",
        "1",
        "written by",
        "agent",
        "training",
        "in the loss",
        "advantage",
        "+0.50",
        "probability",
        "60.7 %",
        "log-prob, old",
        "−0.500",
        "log-prob, new",
        "−0.100",
        "ratio",
        "1.500 · clipped",
        "KL to start",
        "0.010",
        "critic’s value",
        "–",
        "entropy",
        "0.250 nats",
        "Loss of this token in GRPO",
        "formula",
        "numbers = −0.25",
        "The likeliest other tokens here",
        "42 50.0 %",
        "#9 25.0 %",
      ]
    `);
  });

  it('has no loss where the environment wrote', () => {
    expect(cardOf(now, tokenCells(solved, vocabulary, specialTokens)[0])).toMatchInlineSnapshot(`
      [
        "section "Token"",
        "ask turn 1",
        "id",
        "0",
        "written by",
        "environment",
        "training",
        "masked",
        "advantage",
        "–",
        "probability",
        "–",
        "log-prob, old",
        "–",
        "log-prob, new",
        "–",
        "ratio",
        "–",
        "KL to start",
        "–",
        "critic’s value",
        "–",
        "entropy",
        "–",
        "The environment wrote this token, so it has no loss.",
        "The likeliest other tokens here",
      ]
    `);
  });
});

describe('where its heads looked', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const cells = tokenCells(solved, vocabulary, specialTokens);
  const look = {
    after: 7,
    updating: false,
    firstStep: 0,
    weights: [
      [Float32Array.of(0.75, 0.25), Float32Array.of(0.1, 0.9)],
      [Float32Array.of(0.5, 0.5), Float32Array.of(0.2, 0.8)],
    ],
    likeliest: [{ id: 2, probability: 0.5 }, { id: 77, probability: 0.25 }],
    logProb: Math.log(0.125),
  };
  const open = async (cell = cells[2], answer: () => Promise<unknown> = () => Promise.resolve(look)) => {
    const source = { moments: [4], look: vi.fn(answer) };
    const shown = show(LookInside, { rollout: solved, cells, cell, source: source as never, vocabulary, seen: null });
    const rest = async () => {
      await vi.advanceTimersByTimeAsync(150);
      shown.calls.call;
      shown.tell(shown.root, 'nothing');
    };
    return { shown, source, rest };
  };

  it('is asked for the token on which one rests, and shown by head and in words', async () => {
    const { shown, source, rest } = await open();
    await vi.advanceTimersByTimeAsync(149);
    expect(source.look).not.toHaveBeenCalled();
    expect(shown.says).toContain('Looking …');
    await rest();
    expect(source.look).toHaveBeenCalledWith(solved, { step: 0, index: 1 }, null);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "section "Where its heads looked"",
        "Where its heads looked by the agent",
        "choice "by the agent": as it is now of as it is now | after iteration 4",
        "Layer and head",
        "radio "mean of all", checked",
        "mean of all",
        "radio "Layer 1, head 1: 75.0 % on ask"",
        "75",
        "radio "Layer 1, head 2: 90.0 % on calc"",
        "90",
        "radio "Layer 2, head 1: 50.0 % on ask"",
        "50",
        "radio "Layer 2, head 2: 80.0 % on calc"",
        "80",
        "A number is the largest share in percent that the head gave to one token. The tokens above are tinted by the shares of the chosen one.",
        "Seen most",
        "calc turn 1 61.3 %",
        "ask turn 1 38.7 %",
        "Likeliest here, after iteration 7",
        "42 50.0 %",
        "#77 25.0 %",
        "The token that was written: <end> 12.5 %",
      ]
    `);
    shown.press('Layer 1, head 2');
    expect(shown.says.filter((line) => / %/.test(line))).toMatchInlineSnapshot(`
      [
        "radio "Layer 1, head 1: 75.0 % on ask"",
        "radio "Layer 1, head 2: 90.0 % on calc", checked",
        "radio "Layer 2, head 1: 50.0 % on ask"",
        "radio "Layer 2, head 2: 80.0 % on calc"",
        "calc turn 1 90.0 %",
        "ask turn 1 10.0 %",
        "42 50.0 %",
        "#77 25.0 %",
        "The token that was written: <end> 12.5 %",
      ]
    `);
    shown.write('by the agent', '4');
    await rest();
    expect(source.look).toHaveBeenLastCalledWith(solved, { step: 0, index: 1 }, 4);
  });

  it('is not known of what the environment wrote, and a fault is said', async () => {
    const { shown, source, rest } = await open(cells[0]);
    await rest();
    expect(source.look).not.toHaveBeenCalled();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "section "Where its heads looked"",
        "Where its heads looked by the agent",
        "choice "by the agent": as it is now of as it is now | after iteration 4",
        "The environment wrote this token, so the agent did not predict it: choose one of the agent’s.",
      ]
    `);
    const broken = await open(cells[2], () => Promise.reject(new Error('There is no room.')));
    await broken.rest();
    expect(broken.shown.says).toContain('bad: This could not be read: There is no room.');
  });
});

describe('the list', () => {
  const others = Array.from({ length: 200 }, (_, i) => ({ ...failed, index: i + 2, taskId: `t${i}`, group: i + 1 }));
  const lines = linesOf([solved, failed], true);
  const listOf = (more: Record<string, unknown> = {}) => {
    const [onpick, onmove] = [vi.fn(), vi.fn()];
    const shown = show(RolloutList, { lines, everything: false, selected: keyOf(failed), onpick, onmove, ...more });
    return { shown, onpick, onmove };
  };

  it('has a row for each rollout under its task', () => {
    const { shown, onpick } = listOf();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "grid "List of rollouts"",
        "solved prompt answer reward advantage turns errors",
        "What is 6*7? 2 rollouts · mean reward 0.50",
        "✓solved What is 6*7? 42 1.00 +0.50 2 turns 0 errors",
        "✗failed What is 6*7? no 0.00 −0.50 1 turn 1 error",
      ]
    `);
    expect(shown.all('.rollout').map((row) => row.getAttribute('tabindex'))).toEqual(['-1', '0']);
    shown.click(shown.all('.rollout')[0]);
    expect(onpick.mock.calls).toEqual([[solved], [solved]]);
    onpick.mockClear();
    shown.tell(shown.all('.rollout')[1], 'focus');
    expect(onpick).not.toHaveBeenCalled();
    expect(listOf({ everything: true }).shown.says.join('\n')).toContain('3 · What is 6*7?');
    expect(listOf({ selected: null }).shown.all('.rollout')[0].getAttribute('tabindex')).toBe('0');
  });

  it('has bars from the middle: right for better, left for worse', () => {
    const bars = listOf().shown.all('rect');
    expect(bars.map((bar) => ['class', 'x', 'width'].map((name) => bar.getAttribute(name)?.split(' ')[0]))).toEqual([
      ['up', '0', '19'],
      ['down', '-19', '19'],
    ]);
  });

  it('moves by keys', () => {
    const { shown, onmove } = listOf();
    const grid = shown.find('[role="grid"]');
    for (const [key, by] of [
      ['ArrowDown', 1],
      ['ArrowUp', -1],
      ['PageDown', 10],
      ['PageUp', -10],
      ['Home', -lines.length],
      ['End', lines.length],
    ] as const) {
      expect(shown.key(grid, key)).toBe(true);
      expect(onmove).toHaveBeenLastCalledWith(by);
    }
    onmove.mockClear();
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(shown.key(grid, 'Home', more)).toBe(false);
    expect([shown.key(grid, 'x'), onmove.mock.calls.length]).toEqual([false, 0]);
  });

  it('draws the rows in sight, brings a row into sight, and keeps the focus in the list', async () => {
    const many = linesOf([solved, failed, ...others], false);
    const { shown } = listOf({ lines: many });
    const viewport = shown.find('.viewport');
    viewport.clientHeight = 400;
    expect(shown.all('.rollout').length).toBeLessThan(many.length);
    viewport.scrollTop = 0;
    const reveal = async (rollout: RolloutView) => {
      await shown.calls('reveal', rollout);
      shown.tell(viewport, 'scroll');
      return viewport.scrollTop;
    };
    // A row is 34 pixels high.
    expect(await reveal(others[30])).toBe(33 * 34 - 400);
    expect(await reveal(others[31])).toBe(34 * 34 - 400);
    expect(await reveal(others[25])).toBe(34 * 34 - 400);
    expect(await reveal(solved)).toBe(0);
    expect(await reveal({ ...solved, index: 999 })).toBe(0);
    viewport.scrollTop = 50;
    shown.calls('scrollToTop');
    expect(viewport.scrollTop).toBe(0);
    (document.activeElement as HTMLElement).blur();
    await reveal(others[3]);
    expect(document.activeElement).toBe(document.body);
    shown.all('.rollout')[0].focus();
    await reveal(others[4]);
    expect((document.activeElement as HTMLElement).getAttribute('tabindex')).toBe('0');
  });
});

describe('the filter by expression', () => {
  const names = ['reward', 'turns'];
  const filterOf = (expression: string) =>
    show(FilterInput, { expression, names, parsed: expression === '' ? null : parseFilter(expression, names) });
  const field = (shown: Shown) => shown.find('input');
  const type = (shown: Shown, value: string) => {
    field(shown).setSelectionRange(value.length, value.length);
    shown.write('Filter by expression', value);
  };

  it('suggests names while one is typed, and takes one by keys or by a press', async () => {
    const shown = filterOf('');
    type(shown, 're');
    expect(shown.says).toEqual(['field "Filter by expression": re, expanded', 'listbox "Fields"', 'option "reward"']);
    expect(field(shown).getAttribute('aria-activedescendant')).toBeNull();
    expect(shown.key(field(shown), 'ArrowDown')).toBe(true);
    expect(field(shown).getAttribute('aria-activedescendant')).toBe(shown.control('reward').id);
    expect(shown.key(field(shown), 'x')).toBe(false);
    expect(shown.key(field(shown), 'Enter')).toBe(true);
    await shown.settled();
    expect(shown.says[0]).toMatch(/^field "Filter by expression": reward/);
    expect(shown.says.join()).not.toContain('option');
    expect(field(shown).selectionStart).toBe(field(shown).value.length);
    type(shown, 'tu');
    expect(shown.tell(shown.control('turns'), 'pointerdown')).toBe(true);
    shown.click(shown.control('turns'));
    await shown.settled();
    expect(field(shown).value).toMatch(/^turns/);
  });

  it('closes by Escape and when it is left, and opens by an arrow', () => {
    const shown = filterOf('');
    const isOpen = () => field(shown).getAttribute('aria-expanded') === 'true';
    type(shown, 're');
    expect([shown.key(field(shown), 'Escape'), isOpen()]).toEqual([true, false]);
    expect([shown.key(field(shown), 'ArrowUp'), isOpen()]).toEqual([false, false]);
    expect([shown.key(field(shown), 'ArrowDown'), isOpen()]).toEqual([false, true]);
    shown.tell(field(shown), 'blur');
    expect(isOpen()).toBe(false);
  });

  it('says where an expression cannot be read', () => {
    const shown = filterOf('reward <');
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "field "Filter by expression": reward <, invalid",
        "bad: Here a number is missing, or true or false. At character 9.",
      ]
    `);
    expect(field(shown).getAttribute('aria-describedby')).toBe(shown.find('.problem').id);
    expect(filterOf('reward < 1').says).toEqual(['field "Filter by expression": reward < 1']);
  });
});

describe('the bar above the list', () => {
  const choice = {
    filter: 'all',
    expression: '',
    search: '',
    groupByTask: false,
    sortByReward: false,
    everything: false,
  } as const;
  const barOf = (more: Record<string, unknown> = {}) => {
    const onshow = vi.fn();
    const shown = show(RolloutBar, {
      choice: choice as never,
      names: [],
      parsed: null,
      iterations: [2, 4, 6],
      iteration: 4,
      followsLatest: false,
      onshow,
      ...more,
    });
    return { shown, onshow };
  };

  it('goes from iteration to iteration, not beyond the ends', () => {
    const { shown, onshow } = barOf();
    shown.press('Earlier iteration');
    shown.press('Later iteration');
    shown.press('Latest');
    shown.write('Iteration', '0');
    expect(onshow.mock.calls).toEqual([[2], [6], [null], [2]]);
    expect(shown.control('Iteration').value).toBe('0');
    const disabled = (more: Record<string, unknown>) =>
      ['Earlier iteration', 'Iteration', 'Later iteration', 'Latest'].map(
        (name) => barOf(more).shown.control(name).disabled,
      );
    expect(disabled({})).toEqual([false, false, false, false]);
    expect(disabled({ iteration: 2 })).toEqual([true, false, false, false]);
    expect(disabled({ iteration: 6, followsLatest: true })).toEqual([false, false, true, true]);
    expect(disabled({ iterations: [4] })).toEqual([true, true, true, false]);
    expect(disabled({ choice: { ...choice, everything: true } })).toEqual([true, true, true, false]);
  });
});

describe('a group', () => {
  it('shows each reward above the lowest, beside the mean', () => {
    const onpick = vi.fn();
    const shown = show(GroupView, { rollout: solved, group: pair, baseline: 'It is compared with the mean.', onpick });
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "section "Rollouts of the same task"",
        "2 rollouts of What is 6*7?, mean reward 0.50. The dashed line is the average. It is compared with the mean.",
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
      group: [{ ...failed, reward: -1 }, { ...failed, index: 2, reward: -3, advantage: 0 }],
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
  expect(show(Conversation, { rollout: failed, rewardWeights: { correct: 1 } }).says).toMatchInlineSnapshot(`
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
    expect(show(MiniRollout, { ...props, choice: null }).find('.choice').textContent.trim()).toBe('');
    expect(show(MiniRollout, { ...props, choice: { name: 'calc', share: 0.75 } }).says).toMatchInlineSnapshot(`
      [
        "# Now",
        "iteration 3",
        "What is 6*7?",
        "calc() → error: There is no expression.",
        "Where the answers part, it wrote",
        "calc 75.0 %",
        "anything else 25.0 %",
        "no ✗ wrong",
      ]
    `);
  });
});

describe('the reader', () => {
  const open = (more: Record<string, unknown> = {}) => {
    const [onpick, onDesk] = [vi.fn(), vi.fn()];
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
      onDesk,
      ...more,
    });
    return { shown, onpick, onDesk };
  };
  const tabsOf = (shown: Shown) => shown.all('[role="tab"]').map((tab) => tab.textContent.trim());

  it('shows the conversation first, and the tokens, the group and JSON behind tabs', async () => {
    const { shown, onDesk } = open();
    expect(shown.says.slice(0, 8)).toMatchInlineSnapshot(`
      [
        "iteration 3 · rollout 0",
        "✓ solved reward 1.00 advantage +0.50",
        "button "Reward desk"",
        "section "Rollouts of the same task"",
        "2 rollouts of What is 6*7?, mean reward 0.50. The dashed line is the average.",
        "button "Rollout 1: solved, reward 1.00, advantage +0.50", current",
        "button "Rollout 2: failed, reward 0.00, advantage −0.50"",
        "tablist "How to read it"",
      ]
    `);
    expect(tabsOf(shown)).toEqual(['Conversation', 'Tokens', 'Rollouts', 'JSON']);
    expect(shown.says.join('\n')).toContain('calc(6*7)');
    shown.press('Reward desk');
    expect(onDesk).toHaveBeenCalledOnce();
    for (const [tab, line] of [
      ['Tokens', 'listbox "Tokens"'],
      ['Rollouts', 'region "Rollouts of this task, best first"'],
      ['JSON', 'region "JSON"'],
    ]) {
      shown.press(tab);
      await shown.settled();
      await vi.waitFor(async () => {
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
        "iteration 3 · a new task, which it never practised",
        "✓ solved reward 1.00",
        "tablist "How to read it"",
        "tab "Conversation", selected",
      ]
    `);
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
    const shown = show(CopyBar, { rollout: solved, preset: 'bandit' });
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
    expect(show(CopyBar, { rollout: solved, preset: null }).says.join()).not.toContain('Copy link');
  });
});

it('tasks that still fail are five, with how many more', () => {
  const onpick = vi.fn();
  const tasks = Array.from({ length: 7 }, (_, i) => ({
    rollout: { ...failed, taskId: `t${i}`, group: i, prompt: `task ${i}` },
    failed: 3,
    count: 4,
  }));
  const shown = show(FailingTasks, { tasks, onpick });
  expect(shown.says).toMatchInlineSnapshot(`
    [
      "# Where it still fails",
      "button "task 0 3 of 4 rollouts failed"",
      "button "task 1 3 of 4 rollouts failed"",
      "button "task 2 3 of 4 rollouts failed"",
      "button "task 3 3 of 4 rollouts failed"",
      "button "task 4 3 of 4 rollouts failed"",
      "… and 2 more tasks.",
    ]
  `);
  shown.press('task 2');
  expect(onpick).toHaveBeenCalledWith(tasks[2].rollout);
  expect(show(FailingTasks, { tasks: tasks.slice(0, 5), onpick }).says.join()).not.toContain('more task');
});
