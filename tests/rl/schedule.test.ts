import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import {
  criticLearnsAlone,
  extended,
  learningRateAt,
  reinforcementRate,
  type RateSchedule,
} from '../../src/rl/learner/schedule';

const rates = (schedule: RateSchedule['schedule'], warmup: number, steps: number): number[] =>
  Array.from({ length: steps }, (_, i) => learningRateAt({ learningRate: 1, schedule, warmup }, i + 1, steps));

test('a constant rate is constant after its warm-up', () => {
  expect(rates('constant', 4, 6)).toEqual([0.25, 0.5, 0.75, 1, 1, 1]);
  expect(rates('constant', 0, 3)).toEqual([1, 1, 1]);
});

test('a run that is extended was the same run up to its end, and keeps the rate it ended with', () => {
  const config = { ...presetByName('calculator').config, iterations: 30 };
  const longer = extended(config, 20);
  const rate = ({ optimizer, iterations }: RunConfig, step: number) =>
    learningRateAt(optimizer, step, optimizer.span || iterations);
  expect(longer.iterations).toBe(50);
  for (let step = 1; step <= 30; step++) expect(rate(longer, step)).toBe(rate(config, step));
  for (let step = 31; step <= 50; step++) expect(rate(longer, step)).toBe(rate(config, 30));
  expect(extended(longer, 20)).toEqual({ ...longer, iterations: 70 });
  expect(extended({ ...config, optimizer: { ...config.optimizer, span: 10 } }, 5).optimizer.span).toBe(10);
});

test.each(['linear', 'cosine'] as const)('%s falls from the peak to a tenth', (schedule) => {
  const all = rates(schedule, 2, 102);
  expect(Math.max(...all)).toBe(1);
  expect(all[1]).toBe(1);
  expect(all[51]).toBeCloseTo(0.55, 10);
  expect(all[101]).toBeCloseTo(0.1, 12);
  for (let i = 2; i < all.length; i++) expect(all[i]).toBeLessThan(all[i - 1]);
});

test('a warm-up longer than the run only rises', () => {
  expect(rates('cosine', 10, 3)).toEqual([0.1, 0.2, 0.3]);
});

test('iterations of the critic alone are no part of the policy’s schedule', () => {
  const config = { ...presetByName('calculator').config, iterations: 30 };
  const shorter = { ...config, iterations: 27 };
  for (let step = 1; step <= 27; step++)
    expect(reinforcementRate(config, step + 3, 3)).toBe(reinforcementRate(shorter, step));
});

test('a critic learns alone until it explains enough, at most for its warm-up, and never again', () => {
  const { config: given } = presetByName('calculator');
  const config = { ...given, critic: { ...given.critic, warmup: 2 } };
  expect(criticLearnsAlone(config, 1, 0, 0)).toBe(true);
  expect(criticLearnsAlone(config, 2, 1, null), 'returns that do not differ').toBe(true);
  expect(criticLearnsAlone(config, 2, 1, 0.29)).toBe(true);
  expect(criticLearnsAlone(config, 2, 1, 0.3)).toBe(false);
  expect(criticLearnsAlone(config, 3, 2, 0), 'the warm-up is over').toBe(false);
  expect(criticLearnsAlone(config, 3, 1, 0), 'the policy has learned').toBe(false);
});
