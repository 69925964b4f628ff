// @vitest-environment dom
/** Every token of a rollout: who wrote it, what it is worth, keys and pointer, and the reading of it now. */
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import Tokens from '../../../src/ui/view/rollouts/Tokens.svelte';
import { reactive } from '../../helpers/dom/root.svelte';
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

const began = {
  algorithm: 'GRPO',
  partial: false,
  tokens: [
    [numbers, numbers],
    [numbers, numbers],
  ],
};

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
        "As the update of its iteration began: the agent that learned was the agent that wrote, so every …",
        "checkbox "Ids beside the text"",
        "Ids beside the text",
        "A recording has no agent to ask: train a run here to see the likeliest other tokens and where it…",
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
    const places = [
      [0, 0],
      [20, 0],
      [40, 0],
      [0, 20],
      [45, 20],
      [0, 40],
      [30, 40],
    ];
    places.forEach(([left, top], i) => {
      option(shown, i).getBoundingClientRect = () => ({ left, top, width: 15, height: 16 }) as DOMRect;
    });
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
        "As the update of its iteration began: the agent that learned was the agent that wrote, so every …",
      ]
    `);
  });

  it('of another rollout are not mixed with an answer about the one before', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const later = () => new Promise((answer) => answers.push(answer));
    const props = reactive({ rollout: solved, group: pair, vocabulary, specialTokens });
    const source = { explain: later, read: later, inside: null };
    const shown = show(Tokens, Object.assign(props, { source: source as never }));
    shown.press('Compute with');
    props.rollout = failed;
    flushSync();
    answers[0](began);
    answers[1](now);
    await shown.settled();
    expect([shown.says.some((line) => /agent now|As the update/.test(line)), shown.all('.step').length]).toEqual([
      false,
      1,
    ]);
    answers[2](began);
    await shown.settled();
    expect(shown.says.some((line) => /As the update/.test(line))).toBe(true);
    expect(shown.control('Compute with').disabled).toBe(false);
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
