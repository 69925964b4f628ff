/** Saved runs as the page offers them, and the sentences about them. */
import { describe, expect, it, vi } from 'vitest';
import type { SavedRun } from '../../src/run/store/saved-run';
import type { RunConfig } from '../../src/config/config';
import { formatAgo, formatSpan } from '../../src/lib/format';
import { SavedRunsView } from '../../src/ui/state/run/saved-runs.svelte';
import { text } from '../../src/ui/state/run/text';

const run = (id: string, more: Partial<SavedRun> = {}): SavedRun => ({
  id,
  config: { seed: id.charCodeAt(0), iterations: 40 } as RunConfig,
  title: 'Calculator',
  savedAtMs: 0,
  iteration: 23,
  warmSteps: 10,
  finished: false,
  ...more,
});

/** A trainer that keeps these runs. */
function keeperOf(...runs: SavedRun[]) {
  let kept = runs;
  return {
    savedRuns: async () => kept,
    drop: (id: string) => (kept = kept.filter((each) => each.id !== id)),
  };
}

describe('SavedRunsView', () => {
  it('offers the newest run that is not finished', async () => {
    const saved = new SavedRunsView();
    await saved.offer(keeperOf(run('a', { finished: true }), run('b'), run('c')));
    expect(saved.offered?.id).toBe('b');
    expect(saved.list.map((each) => each.id)).toEqual(['a', 'b', 'c']);
  });

  it('offers nothing where everything was finished long ago', async () => {
    const saved = new SavedRunsView();
    await saved.offer(keeperOf(run('a', { finished: true })));
    expect(saved.offered).toBeNull();
  });

  it('offers the newest run of all if it ended within the hour: its page was reloaded', async () => {
    const saved = new SavedRunsView();
    const savedAtMs = Date.now() - 30 * 60_000;
    await saved.offer(keeperOf(run('a', { finished: true, savedAtMs }), run('b')));
    expect(saved.offered?.id).toBe('a');
    vi.useFakeTimers({ now: savedAtMs + 3_600_000 });
    await saved.offer(keeperOf(run('a', { finished: true, savedAtMs }), run('b')));
    expect(saved.offered?.id, 'an hour ago').toBe('b');
    vi.setSystemTime(savedAtMs + 3_599_999);
    await saved.offer(keeperOf(run('a', { finished: true, savedAtMs }), run('b')));
    expect(saved.offered?.id).toBe('a');
    vi.useRealTimers();
    await saved.offer(keeperOf(run('b'), run('a', { finished: true, savedAtMs })));
    expect(saved.offered?.id).toBe('b');
  });

  it('takes the offer back when its run is there no longer', async () => {
    const saved = new SavedRunsView();
    const keeper = keeperOf(run('a'), run('b'));
    await saved.offer(keeper);
    keeper.drop('a');
    await saved.refresh(keeper);
    expect([saved.offered, saved.list.length]).toEqual([null, 1]);
  });

  it('finds a run by its id', async () => {
    const saved = new SavedRunsView();
    await saved.refresh(keeperOf(run('a'), run('b')));
    expect(saved.of('b')?.id).toBe('b');
    expect([saved.of('c'), saved.of(undefined)]).toEqual([null, null]);
  });
});

describe('sentences about saved runs', () => {
  it('say where a run stands', () => {
    expect(text.saved.place(run('a'))).toBe('iteration 23 of 40');
    expect(text.saved.place(run('a', { iteration: 0 }))).toBe('in its warm start');
    expect(text.saved.place(run('a', { iteration: 40, finished: true }))).toBe('finished after 40 iterations');
    expect(text.saved.offer('Calculator', 7, 'iteration 23 of 40', '2 minutes ago')).toBe(
      'Your run of Calculator with seed 7 can go on: iteration 23 of 40, saved 2 minutes ago.',
    );
    expect(text.notice.crash('out of luck.', run('a'))).toBe(
      'The trainer stopped (out of luck) and was started again; the run goes on from iteration 23.',
    );
    expect(text.notice.hidden(150_000, 1, 12)).toBe(
      'This tab was hidden for 3 minutes, and browsers slow hidden tabs: the run made 1 iteration and is ' +
        'saved at iteration 12.',
    );
  });

  it('say how long ago', () => {
    const [minute, hour] = [60_000, 3_600_000];
    expect([0, minute, 2.9 * minute, 59 * minute, hour, 23.5 * hour, 25 * hour, 75 * hour].map(formatAgo)).toEqual([
      'this minute',
      '1 minute ago',
      '2 minutes ago',
      '59 minutes ago',
      '1 hour ago',
      '23 hours ago',
      'yesterday',
      '3 days ago',
    ]);
    expect([minute, 5 * minute, 3 * hour].map(formatSpan)).toEqual(['1 minute', '5 minutes', '3 hours']);
  });
});
