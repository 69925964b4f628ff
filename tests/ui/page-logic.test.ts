/** The smaller pure parts of the page. */
import { describe, expect, it } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { beforeAfter } from '../../src/ui/lab/before-after';
import { chatExamples } from '../../src/ui/lab/chat-examples';
import { sameJson, valueAt, withValue } from '../../src/ui/setup/config-path';
import { formatBytes, formatDuration, formatPercent, formatSetting } from '../../src/ui/shell/format';
import { nextOnLogScale, readNumber } from '../../src/ui/setup/number-field';
import { describeReproduction } from '../../src/ui/share/reproduction';
import { keepRollouts } from '../../src/ui/lab/kept-rollouts';
import { nearestIteration } from '../../src/ui/rollouts/select';
import { callText } from '../../src/ui/rollouts/tool-call';

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

describe('config-path', () => {
  const config = { a: { b: 1, c: [1, 2] }, d: 'x' };

  it('replaces one value and shares the rest', () => {
    const next = withValue(config, ['a', 'b'], 5);
    expect(next).toEqual({ a: { b: 5, c: [1, 2] }, d: 'x' });
    expect(next.a.c).toBe(config.a.c);
    expect(config.a.b).toBe(1);
  });

  it('reads undefined off the path', () => {
    expect(valueAt(config, ['a', 'x', 'y'])).toBeUndefined();
  });

  it('compares regardless of key order', () => {
    expect(sameJson({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBe(true);
    expect(sameJson({ a: [1, 2] }, { a: [1] })).toBe(false);
    expect(sameJson({ a: [] }, { a: {} })).toBe(false);
    expect(sameJson({ a: undefined }, {})).toBe(true);
  });
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
    expect([0, 0.004, 0.5, 1].map(formatPercent)).toEqual(['0 %', '0.4 %', '50 %', '100 %']);
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

describe('beforeAfter', () => {
  it('prefers a task that failed early and succeeded late', () => {
    const rollouts = [
      rollout(1, 0, { prompt: 'a' }),
      rollout(1, 1, { prompt: 'b' }),
      rollout(30, 0, { prompt: 'c', success: true }),
      rollout(30, 1, { prompt: 'b', success: true }),
    ];
    const pair = beforeAfter(rollouts);
    expect(pair?.before.prompt).toBe('b');
    expect(pair?.after).toBe(rollouts[3]);
  });

  it('is silent until there is a difference to show', () => {
    expect(beforeAfter([])).toBeNull();
    expect(beforeAfter([rollout(1, 0), rollout(1, 1, { success: true })])).toBeNull();
    expect(beforeAfter([rollout(1, 0), rollout(9, 0)])).toBeNull();
    const lucky = [rollout(1, 0, { success: true }), rollout(1, 1), rollout(9, 0, { success: true }), rollout(9, 1)];
    expect(beforeAfter(lucky)).toBeNull();
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

describe('describeReproduction', () => {
  it('says identical only if every compared digest is', () => {
    expect(describeReproduction({ digests: 8, identicalTo: 8, comparedTo: 12, difference: 0 }, 8, 12, true)).toEqual({
      kind: 'identical',
      sentence: 'Same run: the first 8 steps match bit for bit (the link holds 8).',
    });
    expect(
      describeReproduction({ digests: 1, identicalTo: 1, comparedTo: 1, difference: 0 }, 8, 12, true).sentence,
    ).toBe('Same run: the first step matches bit for bit (the link holds 8).');
    expect(
      describeReproduction({ digests: 0, identicalTo: 0, comparedTo: 4, difference: 0 }, 0, 4, true).kind,
    ).not.toBe('identical');
  });

  it('blames another device only if there is one', () => {
    expect(
      describeReproduction({ digests: 8, identicalTo: 0, comparedTo: 8, difference: 0.02 }, 8, 8, false).sentence,
    ).toBe('Reproduced: success differs by at most 2 % up to step 8 (other device).');
    expect(
      describeReproduction({ digests: 8, identicalTo: 3, comparedTo: 8, difference: 0.02 }, 8, 40, true).sentence,
    ).toBe(
      'Reproduced: success differs by at most 2 % up to step 8 of 40 (not bit for bit). The first 3 steps match bit for bit.',
    );
  });

  it('does not call a different curve a reproduction', () => {
    expect(describeReproduction({ digests: 8, identicalTo: 0, comparedTo: 10, difference: 0.4 }, 8, 10, false)).toEqual(
      {
        kind: 'different',
        sentence: 'Not the same run: success differs by up to 40 % up to step 10 (other device).',
      },
    );
    expect(describeReproduction({ digests: 2, identicalTo: 0, comparedTo: 0, difference: 0 }, 8, 0, false)).toEqual({
      kind: 'different',
      sentence: 'Not the same bits: step 1 differs (other device).',
    });
  });

  it('does not believe equal fingerprints beside curves that differ', () => {
    expect(describeReproduction({ digests: 1, identicalTo: 1, comparedTo: 40, difference: 1 }, 1, 40, true)).toEqual({
      kind: 'different',
      sentence: 'Not the same run: success differs by up to 100 % up to step 40, although the fingerprints match.',
    });
  });
});

describe('callText', () => {
  it('reads like a call', () => {
    expect(callText({ name: 'calc', arguments: { expression: '37*4' } })).toBe('calc(37*4)');
    expect(callText({ name: 'find', arguments: { query: 'ada', limit: 3, tags: ['x'] } })).toBe('find(ada, 3, ["x"])');
    expect(callText({ name: 'noop', arguments: {} })).toBe('noop()');
  });
});
