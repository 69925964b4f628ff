import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/run/events';
import { announcementKey, statusText, type RunStatus } from '../../src/ui/state/run/run-status';

const base: RunStatus = {
  state: 'running',
  progress: null,
  iteration: 12,
  total: 60,
  iterationMs: null,
  wait: null,
  waitsFor: null,
  queued: false,
};

describe('statusText', () => {
  it('holds step k/n in every state', () => {
    const states: RunState[] = ['idle', 'preparing', 'running', 'pausing', 'paused', 'finished', 'failed'];
    for (const state of states) {
      for (const progress of [
        null,
        { phase: 'compiling', done: 3, total: 31 } as const,
        { phase: 'evaluating', done: 3, total: 31 } as const,
      ]) {
        expect(statusText({ ...base, state, progress }), state).toMatch(/iteration 12\/60/);
      }
    }
  });

  it('counts what was validated', () => {
    const progress = { phase: 'evaluating', done: 96, total: 512 } as const;
    expect(statusText({ ...base, progress })).toBe('RL iteration 12/60 · Validating 96 of 512 tasks');
  });

  it('adds time left and rate once they are known', () => {
    expect(statusText(base)).toBe('RL iteration 12/60');
    expect(statusText({ ...base, iteration: 240, total: 400, iterationMs: 437.5 })).toBe(
      'RL iteration 240/400 · 1m10s left · 2.29 iterations/s',
    );
  });

  it('names the phase with its count', () => {
    expect(
      statusText({ ...base, state: 'preparing', iteration: 0, progress: { phase: 'compiling', done: 12, total: 31 } }),
    ).toBe('Compiling 12 of 31 kernels · iteration 0/60');
    const copying = {
      ...base,
      state: 'preparing',
      iteration: 0,
      progress: { phase: 'warm-start', done: 40, total: 200 },
    } as const;
    expect(statusText(copying)).toBe('Copying examples 40 of 200 · iteration 0/60');
    expect(statusText({ ...copying, wait: { ms: 8000, atLeast: false } })).toBe(
      'Copying examples 40 of 200 · iteration 0/60 · first point in about 8s',
    );
  });

  it('tells until the first point one time, and how sure it is', () => {
    const trying = { ...base, iteration: 0 };
    expect(statusText({ ...trying, wait: { ms: 12_000, atLeast: true } })).toBe(
      'RL iteration 0/60 · first point in more than 12s',
    );
    expect(statusText({ ...trying, wait: { ms: 400, atLeast: false } })).toBe(
      'RL iteration 0/60 · first point any moment',
    );
  });

  it('says the warm start of a run that was paused in it', () => {
    expect(statusText({ ...base, iteration: 0, progress: { phase: 'warm-start', done: 40, total: 200 } })).toMatch(
      /^Copying examples 40 of 200/,
    );
  });
});

describe('announcementKey', () => {
  it('changes at most twenty times in a whole run', () => {
    const statuses: RunStatus[] = [];
    for (let done = 1; done <= 31; done++)
      statuses.push({ ...base, state: 'preparing', iteration: 0, progress: { phase: 'compiling', done, total: 31 } });
    for (let done = 1; done <= 200; done++)
      statuses.push({ ...base, state: 'preparing', iteration: 0, progress: { phase: 'warm-start', done, total: 200 } });
    for (let iteration = 0; iteration < 400; iteration++) {
      statuses.push(
        { ...base, iteration, total: 400 },
        { ...base, iteration, total: 400, progress: { phase: 'evaluating', done: 1, total: 256 } },
      );
    }
    statuses.push({ ...base, state: 'finished', iteration: 400, total: 400 });
    const keys = statuses.map(announcementKey);
    const changes = keys.filter((key, index) => key !== keys[index - 1]).length;
    expect(changes).toBeLessThanOrEqual(20);
    expect(changes).toBeGreaterThanOrEqual(13);
  });
});
