/** The smaller pure parts of the page. */
import { describe, expect, it } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { learnedFirst, solvedAnswer } from '../../src/ui/state/run/run-source';
import { chatExamples } from '../../src/ui/panels/run/finished';
import { formatBytes, formatPercent, formatSetting } from '../../src/lib/amounts';
import { formatDuration } from '../../src/lib/format';
import { nextOnLogScale, readNumber } from '../../src/config/field-value';
import { keepRollouts } from '../../src/share/kept-rollouts';
import { nearestIteration } from '../../src/presentation/rollout-list';
import { callText } from '../../src/presentation/rollout-text';

const rollout = (iteration: number, index: number, more: Partial<RolloutView> = {}): RolloutView => ({
  iteration,
  index,
  group: index >> 1,
  taskId: `t${iteration}`,
  prompt: `p${iteration}-${index}`,
  reward: 0,
  advantage: 0,
  success: false,
  end: 'answer',
  steps: [],
  ...more,
});

describe('number fields', () => {
  const rate = { title: 'Learning rate', kind: 'number', min: 1e-7, max: 0.1 };

  it('reads rates as papers write them', () => {
    expect(readNumber('3e-4', rate)).toBe(3e-4);
  });

  it('states the range', () => {
    expect(readNumber('7', rate)).toBe('Learning rate must be a number from 1e-7 to 0.1.');
    expect(readNumber('', rate)).toMatch(/^Learning rate must be/);
    expect(readNumber('2.5', { title: 'Layers', kind: 'integer', min: 1, max: 12 })).toBe(
      'Layers must be a whole number from 1 to 12.',
    );
  });

  it('steps along 1, 2, 5', () => {
    expect(nextOnLogScale(3e-4, true)).toBe(5e-4);
    expect(nextOnLogScale(5e-4, true)).toBe(1e-3);
    expect(nextOnLogScale(1e-3, false)).toBe(5e-4);
    expect(nextOnLogScale(1e-3, true)).toBe(2e-3);
  });
});

describe('format', () => {
  it('writes what people read', () => {
    expect([999, 48_000, 70_400, 7_500_000].map(formatDuration)).toEqual(['1s', '48s', '1m10s', '2h05m']);
    expect([0, 0.004, 0.5, 1].map(formatPercent)).toEqual(['0\u00a0%', '0.4\u00a0%', '50\u00a0%', '100\u00a0%']);
    expect([3e-4, 0.28, 100, 4_294_967_295].map(formatSetting)).toEqual(['3e-4', '0.28', '100', '4294967295']);
    expect(formatBytes(80_900_000)).toBe('80.9 MB');
  });
});

describe('keepRollouts', () => {
  it('keeps all of the newest iteration and one group of each older one', () => {
    let kept: readonly RolloutView[] = [];
    for (let iteration = 1; iteration <= 5; iteration++)
      kept = keepRollouts(
        kept,
        Array.from({ length: 8 }, (_, index) => rollout(iteration, index)),
        16,
      );
    expect(kept).toHaveLength(16);
    expect(kept.filter((one) => one.iteration === 5)).toHaveLength(8);
    for (const iteration of [1, 2, 3, 4])
      expect(kept.filter((one) => one.iteration === iteration).map((one) => one.group)).toEqual([0, 0]);
  });

  it('keeps of an older iteration the group whose rewards differ most', () => {
    const rewards = [0, 0, 0, 1, 0, 0.5];
    const first = rewards.map((reward, index) => rollout(1, index, { reward }));
    expect(
      keepRollouts(first, [rollout(2, 0), rollout(2, 1)], 4).map(({ iteration, group }) => [iteration, group]),
    ).toEqual([
      [1, 1],
      [1, 1],
      [2, 0],
      [2, 0],
    ]);
  });

  it('thins the whole run where groups alone are too many, and seldom, so that an early iteration is read on', () => {
    let kept: readonly RolloutView[] = [];
    const iterationsOf = () => [...new Set(kept.map((one) => one.iteration))];
    const nearest40 = new Set<number>();
    for (let iteration = 1; iteration <= 1000; iteration++) {
      kept = keepRollouts(kept, [rollout(iteration, 0), rollout(iteration, 1)], 100);
      expect(kept.length).toBeLessThanOrEqual(100);
      expect(iterationsOf().at(-1)).toBe(iteration);
      if (iteration >= 40) nearest40.add(nearestIteration(iterationsOf(), 40)!);
    }
    expect(iterationsOf()[0]).toBe(1);
    expect(nearest40.size).toBeLessThanOrEqual(6);
    for (const part of [200, 400, 600, 800])
      expect(Math.abs(nearestIteration(iterationsOf(), part)! - part)).toBeLessThanOrEqual(40);
  });

  it('keeps what fits of an iteration that alone is too large', () => {
    const many = Array.from({ length: 9 }, (_, index) => rollout(7, index));
    expect(keepRollouts([rollout(1, 0)], many, 6).map(({ iteration }) => iteration)).toEqual([7, 7, 7, 7, 7, 7]);
  });
});

describe('answers before and after', () => {
  const [learned, unsolved, solved] = [
    [rollout(0, 0), rollout(9, 0, { success: true })],
    [rollout(0, 1), rollout(9, 1)],
    [rollout(0, 2, { success: true }), rollout(9, 2, { success: true })],
  ];

  it('begin with a task that failed before and is solved now', () => {
    expect(learnedFirst([unsolved, solved, learned])).toEqual([learned, solved, unsolved]);
    expect(learnedFirst([])).toEqual([]);
  });

  it('are read by the solved answer to the first task, if it is solved', () => {
    expect(solvedAnswer([learned, unsolved])).toBe(learned[1]);
    expect(solvedAnswer([unsolved, learned])).toBeNull();
    expect(solvedAnswer([[solved[0]]]), 'no answer but the one before').toBeNull();
    expect(solvedAnswer([])).toBeNull();
  });
});

describe('chatExamples', () => {
  const asked = (...prompts: string[]) => prompts.map((prompt, index) => rollout(1, index, { prompt }));

  it('are the first different prompts, whatever comes later', () => {
    expect(chatExamples(asked('3+4', '3+4', '5*6'), ['(1+2)*3'])).toEqual(['3+4', '5*6']);
    const four = asked('3+4', '5*6', '7-8', '9+9');
    expect(chatExamples(four, [])).toEqual(chatExamples([...four, ...asked('2+2')], []));
    expect(chatExamples(four, [])).toHaveLength(3);
  });

  it('are those of the environment before anything was asked', () => {
    expect(chatExamples([], ['(1+2)*3'])).toEqual(['(1+2)*3']);
  });
});

describe('callText', () => {
  it('reads like a call', () => {
    expect(callText({ name: 'calc', arguments: { expression: '37*4' } })).toBe('calc(37*4)');
    expect(callText({ name: 'find', arguments: { query: 'ada', limit: 3, tags: ['x'] } })).toBe('find(ada, 3, ["x"])');
    expect(callText({ name: 'noop', arguments: {} })).toBe('noop()');
  });
});
