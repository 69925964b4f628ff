/**
 * Every algorithm learns what it is for, end to end on the real device: which arm pays, and which of three choices the
 * reward at the end was for.
 */
import { describe, expect, test } from 'vitest';
import { algorithms } from '../../src/rl/algorithms/table';
import { withAlgorithm } from '../../src/rl/config/with-algorithm';
import { configProblems } from '../../src/rl/config/config';
import { algorithmNames } from '../../src/rl/algorithms/table';
import { lessonConfig, lessons, solved, successes } from '../helpers/lessons';

const seeds = [1, 2, 3];
/** Iterations of 8 tasks × 8 rollouts within which a lesson must be learned. */
const budget = { bandit: 15, threeSteps: 36 } as const;

test.each(algorithmNames())('%s: its settings fit together, and what they do not name is neutral', (name) => {
  const config = withAlgorithm(withAlgorithm(lessonConfig, 'dapo'), name);
  expect(configProblems(config)).toEqual([]);
  expect(config).toEqual(withAlgorithm(lessonConfig, name));
  expect(config.algorithm).toMatchObject({ ...algorithms[name].defaults.algorithm, name });
});

describe.each(Object.keys(lessons) as (keyof typeof lessons)[])('%s', (lesson) => {
  test.each(algorithmNames())('%s learns it on 3 seeds', async (name) => {
    for (const seed of seeds) {
      const curve = await successes(lesson, withAlgorithm({ ...lessonConfig, seed }, name), budget[lesson]);
      expect(curve[0], 'it begins as a beginner').toBeLessThan(0.75);
      expect(curve.at(-1), `seed ${seed}: ${curve.map((value) => value.toFixed(2)).join(' ')}`).toBeGreaterThanOrEqual(
        solved,
      );
    }
  });
});

test('REINFORCE++ with credit reset at environment tokens never learns what the first choices were for', async () => {
  for (const seed of seeds) {
    const config = withAlgorithm({ ...lessonConfig, seed }, 'reinforce-pp');
    const curve = await successes(
      'threeSteps',
      { ...config, mistakes: { ...config.mistakes, creditReset: true } },
      budget.threeSteps,
    );
    expect(Math.max(...curve), curve.map((value) => value.toFixed(2)).join(' ')).toBeLessThan(0.5);
  }
});
