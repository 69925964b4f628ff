// @vitest-environment dom
/** One token: its numbers and its loss, and where the heads looked as it was predicted. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import LookInside from '../../../src/ui/view/rollouts/LookInside.svelte';
import TokenCard from '../../../src/ui/view/rollouts/TokenCard.svelte';
import { tokenCells } from '../../../src/share/rollout-tokens';
import { show } from '../../helpers/dom/shown';
import { solved, specialTokens, vocabulary } from '../../helpers/token-rollouts';

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
    likeliest: [
      { id: 2, probability: 0.5 },
      { id: 77, probability: 0.25 },
    ],
    logProb: Math.log(0.125),
  };
  const open = async (cell = cells[2], answer: () => Promise<unknown> = () => Promise.resolve(look)) => {
    const source = { moments: [4], look: vi.fn(answer) };
    const shown = show(LookInside, { rollout: solved, cells, cell, source: source as never, vocabulary, seen: null });
    const rest = async () => {
      await vi.advanceTimersByTimeAsync(150);
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
        "A number is the largest share in percent that the head gave to one token. The tokens above are t…",
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
