/** Presses that lose nothing: a run that made room comes back, and a press that came too early is carried out. */
import { describe, expect, it } from 'vitest';
import { LiveRun } from '../../src/ui/lab/live-run.svelte';
import { Notices } from '../../src/ui/shell/notices.svelte';
import { PressQueue } from '../../src/ui/lab/press-queue.svelte';
import { SavedRunsView } from '../../src/ui/lab/saved-runs.svelte';
import { Undo } from '../../src/ui/lab/undo';
import type { SavedRun } from '../../src/worker/protocol';
import type { RunConfig } from '../../src/rl/config/config';
import { metricsRow } from './metrics-row';

const config = { seed: 1, iterations: 40 } as RunConfig;
const saved = (id: string, iteration: number): SavedRun => ({
  id,
  config,
  title: 'Calculator',
  savedAtMs: 0,
  iteration,
  warmSteps: 1,
  finished: false,
});

/** A trainer that keeps the run of this page when it is asked to. */
function trainerOf(kept: SavedRun[], next?: SavedRun) {
  return {
    savedRuns: async () => kept,
    deleteSavedRun: async () => undefined,
    save: async () => void (next && kept.unshift(next)),
  };
}

function runAt(iteration: number): LiveRun {
  const run = new LiveRun();
  run.begun = { id: 'now', config, warmStart: 'recorded', configChanges: [] };
  run.started = { config, title: 'Calculator', vocabulary: [], specialTokens: [], parameters: 1 };
  run.state = 'paused';
  if (iteration > 0) run.take({ type: 'iteration', metrics: metricsRow(iteration), rollouts: [], fingerprint: [] }, 0);
  return run;
}

describe('Undo', () => {
  it('saves the run that makes room, and gives back that very one', async () => {
    const notices = new Notices();
    const brought: unknown[] = [];
    const undo = new Undo(new SavedRunsView(), notices, (run, paused) => brought.push(run.id, paused));
    const left = Undo.leaving(runAt(12));
    await undo.keep(trainerOf([saved('older', 40)], saved('now', 12)), left);
    expect(notices.list.map(({ sentence }) => sentence)).toEqual(['Run cleared: Calculator, step 12. It is saved.']);
    notices.list[0].action?.act();
    expect(brought).toEqual(['now', true]);
  });

  it('gives back the run that made room where another of the same config was saved later', async () => {
    const notices = new Notices();
    const brought: string[] = [];
    const undo = new Undo(new SavedRunsView(), notices, (run) => brought.push(run.id));
    await undo.keep(trainerOf([saved('later', 40), saved('now', 12)]), Undo.leaving(runAt(12)));
    notices.list[0].action?.act();
    expect(brought).toEqual(['now']);
  });

  it('says nothing where nothing was lost', async () => {
    const notices = new Notices();
    const undo = new Undo(new SavedRunsView(), notices, () => undefined);
    expect(Undo.leaving(new LiveRun())).toBeNull();
    await undo.keep(trainerOf([saved('a', 12)]), null);
    await undo.keep(trainerOf([saved('now', 12)]), Undo.leaving(runAt(12)), 'now');
    await undo.keep(trainerOf([]), Undo.leaving(runAt(12)));
    expect(notices.list).toEqual([]);
  });
});

describe('PressQueue', () => {
  it('keeps the last press until it can be carried out', () => {
    const done: string[] = [];
    let looking = true;
    const queue = new PressQueue(() => looking);
    expect(queue.waitsFor).toBe('gpu');
    expect([queue.takes(() => done.push('train')), queue.takes(() => done.push('step'))]).toEqual([true, true]);
    expect(done).toEqual([]);
    looking = false;
    queue.release();
    expect(done).toEqual(['step']);
    queue.release();
    expect(done).toEqual(['step']);
  });

  it('waits for a run that is being put away, and takes nothing else', () => {
    const queue = new PressQueue(() => false);
    expect(queue.takes(() => undefined)).toBe(false);
    queue.stopping = true;
    expect([queue.waitsFor, queue.takes(() => undefined)]).toEqual(['stop', true]);
    queue.drop();
    expect([queue.waitsFor, queue.pressed]).toEqual([null, null]);
  });
});
