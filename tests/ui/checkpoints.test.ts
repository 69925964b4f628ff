/** Time travel: which checkpoint is looked at, and what its agent and the newest one answer. */
import { describe, expect, test, vi } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { Travel } from '../../src/ui/state/checkpoints/checkpoints.svelte';
import { text } from '../../src/ui/state/checkpoints/text';
import { rollout } from '../helpers/displayed-run';

/** The agent of an iteration solves as many of three tasks. */
const answersAt = vi.fn(async (iteration: number) =>
  [0, 1, 2].map((task) => rollout(iteration, task < iteration, `task ${task}`)),
);
const kept = (...iterations: number[]) => ({
  iterations,
  api: { answersAt } as { answersAt: typeof answersAt } | null,
});

describe('the place', () => {
  test('is the newest checkpoint before the first use', () => {
    const travel = new Travel(kept(0, 1, 3));
    expect([travel.isUsed, travel.index, travel.iteration]).toEqual([false, 2, 3]);
  });

  test('is the checkpoint that was chosen; beyond them, the nearest', () => {
    const travel = new Travel(kept(0, 1, 3));
    const placeOf = (index: number) => {
      travel.choose(index);
      return travel.iteration;
    };
    expect([0, 1, 2, 3, -1].map(placeOf)).toEqual([0, 1, 3, 3, 0]);
    expect(travel.isUsed).toBe(true);
  });

  test('stays at its iteration when more come, and goes to the one before when it is thinned out', () => {
    const parts = kept(0, 4, 8);
    const travel = new Travel(parts);
    travel.choose(1);
    parts.iterations = [0, 4, 8, 12];
    expect([travel.index, travel.iteration]).toEqual([1, 4]);
    parts.iterations = [0, 8];
    expect(travel.iteration).toBe(0);
    parts.iterations = [8];
    expect(travel.iteration, 'none is before it').toBe(8);
  });

  test('is none without checkpoints', () => {
    const travel = new Travel(kept());
    travel.choose(0);
    expect([travel.isUsed, travel.index, travel.iteration]).toEqual([false, 0, undefined]);
  });
});

describe('the answers', () => {
  test('are pairs of both agents, with how many each solves', async () => {
    const travel = new Travel(kept(0, 1, 3));
    travel.choose(1);
    await travel.ask();
    expect(travel.pairs.map(({ then, now }) => [then.iteration, then.prompt, now.iteration, now.prompt])).toEqual(
      [0, 1, 2].map((task) => [1, `task ${task}`, 3, `task ${task}`]),
    );
    expect(travel.summary).toBe(text.solved({ step: 1, solved: 1, of: 3 }, { step: 3, solved: 3, of: 3 }));
    expect([travel.problem, travel.asking]).toEqual(['', false]);
  });

  test('that come late do not replace those to the last question', async () => {
    const travel = new Travel(kept(0, 1, 3));
    let answer = (_: RolloutView[]): void => undefined;
    answersAt.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    travel.choose(0);
    const first = travel.ask();
    travel.choose(1);
    await travel.ask();
    answer([rollout(0, false, 'late')]);
    await first;
    expect(travel.pairs[0].then.iteration).toBe(1);
  });

  test('that cannot be given are a sentence, until others come', async () => {
    const travel = new Travel(kept(0, 1));
    travel.choose(0);
    answersAt.mockRejectedValueOnce(new Error('lost'));
    await travel.ask();
    expect([travel.problem, travel.asking, travel.pairs]).toEqual([text.problem('lost'), false, []]);
    await travel.ask();
    expect([travel.problem, travel.pairs.length]).toEqual(['', 3]);
    answersAt.mockRejectedValueOnce(new Error('lost'));
    await Promise.all([travel.ask(), travel.ask()]);
    expect(travel.problem).toBe('');
  });

  test('are asked of nobody without a trainer or a checkpoint', async () => {
    const travel = new Travel({ ...kept(0, 1), api: null });
    travel.choose(0);
    await travel.ask();
    const none = new Travel(kept());
    answersAt.mockClear();
    await none.ask();
    expect([travel.pairs, travel.problem, answersAt.mock.calls]).toEqual([[], '', []]);
  });
});
