/** What a long run holds: as many GPU buffers at its end as at its beginning, and a bounded history. */
import { expect, onTestFinished, test } from 'vitest';
import { emptyHistory, History } from '../../src/run/history';
import type { Metrics } from '../../src/rl/report';
import { tiny, Watched } from './run-of';

test('a long run holds as many GPU buffers at its end as at its beginning', async () => {
  const counts: number[] = [];
  const watched = new Watched({ ...tiny, iterations: 60, evaluation: { tasks: 4, every: 1000 } });
  onTestFinished(() => watched.close());
  watched.onEvent((event) => {
    if (event.type === 'iteration') counts.push(watched.bufferCount);
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(new Set(counts).size, counts.join(' ')).toBe(1);
});

test('the history of 10,000 iterations is bounded, spans the run, keeps validations, ends with the newest', () => {
  const history = new History(emptyHistory);
  for (let iteration = 1; iteration <= 10_000; iteration++) {
    const validationSuccess = iteration % 100 === 0 ? 0.5 : null;
    history.addIteration({ iteration, validationSuccess, success: 0.5 } as Metrics, []);
    expect(history.state.metrics.length).toBeLessThanOrEqual(1000);
    expect(history.state.metrics.at(-1)!.iteration).toBe(iteration);
  }
  const iterations = history.state.metrics.map((each) => each.iteration);
  expect(iterations.length).toBeGreaterThan(400);
  expect([iterations[0], iterations.at(-1), history.curve.length]).toEqual([1, 10_000, 10_000]);
  expect(Math.max(...iterations.slice(1).map((each, i) => each - iterations[i]))).toBeLessThanOrEqual(32);
  expect(iterations.filter((each) => each % 100 === 0).length).toBe(100);
});

test('the losses of 10,000 steps of a warm start are bounded and span it', () => {
  const history = new History(emptyHistory);
  for (let step = 1; step <= 10_000; step++) history.addLoss(step, 1);
  const steps = history.state.warmLosses.map((each) => each.step);
  expect(steps.length).toBeLessThanOrEqual(1000);
  expect(steps.length).toBeGreaterThan(400);
  expect([steps[0], steps.at(-1)]).toEqual([1, 10_000]);
});
