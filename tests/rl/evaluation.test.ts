import { expect, test } from 'vitest';
import type { ToolCall, Trajectory } from '../../src/agent/types';
import { solvedByCalls, solvedOnceRate } from '../../src/rl/rollouts/evaluation';

/** An episode with as many steps as there are lists, and a call for each of a list; `null` is a call that worked. */
const episode = (success: boolean, ...steps: (ToolCall['error'] | null)[][]) =>
  ({
    success,
    steps: steps.map((errors) => ({
      toolCalls: errors.map((error) => ({ name: 'search', result: '', ...(error && { error }) })),
    })),
  }) as unknown as Trajectory;

test('solved tasks are counted by the calls that did not fail', () => {
  const episodes = [
    episode(true, [null], [null], []),
    episode(true, [null], ['malformed'], [null], []),
    episode(true, []),
    episode(false, [null], []),
    episode(true, [null, null, 'unknown-tool', null], []),
  ];
  expect(solvedByCalls(episodes)).toEqual([1, 0, 2, 1]);
  expect(solvedByCalls([episode(false, [null])])).toEqual([]);
});

test('a task is solved once if any attempt at it was', () => {
  const attempt = (group: number, success: boolean) => ({ ...episode(success, []), group });
  expect(solvedOnceRate([attempt(0, false), attempt(0, true), attempt(1, false), attempt(1, false)])).toBe(0.5);
});
