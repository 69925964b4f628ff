/** Histograms of an iteration's rollouts: where their bins lie, and what they say. */
import { describe, expect, it } from 'vitest';
import { binsOf, histograms } from '../../src/presentation/distributions';
import { recordedRun } from '../helpers/recorded-run';

const rounded = (value: number) => Number(value.toFixed(9));

describe('bins', () => {
  it('have round edges, hold every value once, and are few', () => {
    const values = Array.from({ length: 500 }, (_, i) => Math.sin(i) * 3.3);
    const bins = binsOf(values, false);
    expect(bins.length).toBeLessThanOrEqual(24);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    const [{ from, to }] = bins;
    expect(rounded(to - from)).toBe(0.5);
    for (const { from, to, count } of bins)
      expect(
        values.filter((value) => value >= from && value < to),
        `${from} to ${to}`,
      ).toHaveLength(count);
  });

  it('begin at a value on an edge, however its quotient is rounded', () => {
    const bins = binsOf([0, 0.1, 0.2, 0.3, 0.6, 0.7, 1], false);
    const at = (value: number) => bins.filter(({ from, count }) => rounded(from) === value && count === 1).length;
    expect([0.3, 0.6, 0.7, 1].map(at)).toEqual([1, 1, 1, 1]);
  });

  it('of whole numbers have their numbers in the middle', () => {
    expect(binsOf([2, 2, 4], true)).toEqual([
      { from: 1.5, to: 2.5, count: 2 },
      { from: 2.5, to: 3.5, count: 0 },
      { from: 3.5, to: 4.5, count: 1 },
    ]);
    const wide = binsOf([0, 1, 99], true);
    expect([wide.length, wide[0]]).toEqual([20, { from: -0.5, to: 4.5, count: 2 }]);
  });

  it('of one value are one', () => {
    expect(binsOf([0, 0], false)).toEqual([{ from: 0, to: 0.1, count: 2 }]);
    expect(binsOf([-7, -7], true)).toEqual([{ from: -7.5, to: -6.5, count: 2 }]);
  });
});

describe('the histograms of an iteration', () => {
  const { rollouts } = recordedRun('calculator-mini');
  const first = rollouts.filter(({ iteration }) => iteration === rollouts[0].iteration);

  it('count rollouts and the tokens that the agent wrote', () => {
    const found = histograms(first);
    const names = found.map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual(['Reward', 'Advantage', 'Length', 'Turns', 'Probability', 'Entropy']);
    const counted = (name: string) =>
      found.find((each) => each.name === name)!.bins.reduce((sum, { count }) => sum + count, 0);
    const tokens = first.flatMap(({ steps }) => steps.flatMap(({ tokens }) => tokens)).length;
    expect([counted('Reward'), counted('Advantage'), counted('Entropy')]).toEqual([first.length, tokens, tokens]);
  });

  it('say where most are, in the middle of whole numbers', () => {
    const [turns] = histograms(
      first.map((rollout, i) => ({ ...rollout, steps: rollout.steps.slice(0, i < 2 ? 1 : 9) })),
    )
      .filter(({ name }) => name === 'Turns')
      .map(({ summary }) => summary);
    expect(turns).toMatch(/^\d+ rollouts from 1 to \d+, mean [\d.]+; the highest bar has \d+, at \d+\.$/);
    const same = histograms(first.map((rollout) => ({ ...rollout, reward: -1 })));
    expect(same[0].summary).toBe(`${first.length} rollouts, all at −1.`);
    const spread = histograms(first.slice(0, 3).map((rollout, i) => ({ ...rollout, reward: i === 0 ? 0 : 1 })));
    expect(spread[0].summary).toBe('3 rollouts from 0 to 1, mean 0.67; the highest bar has 2, at 1 to 1.05.');
  });

  it('have none of what the rollouts do not hold, and see moves from the reference', () => {
    const [rollout] = first;
    const step = rollout.steps[0];
    expect(histograms([{ ...rollout, steps: [] }]).map(({ name }) => name)).toEqual(['Reward', 'Length', 'Turns']);
    const moved = { ...step, logProbs: step.logProbs.map(() => -1), references: step.logProbs.map(() => -1.5) };
    const ratio = histograms([{ ...rollout, steps: [moved] }]).at(-1)!;
    expect([ratio.name, ratio.summary]).toEqual([
      'Log-ratio to the reference',
      `${step.logProbs.length} tokens, all at 0.5.`,
    ]);
  });
});
