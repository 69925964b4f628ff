/** Undo of a new run: the run that made room comes back. */
import { describe, expect, it } from 'vitest';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { Notices } from '../../src/ui/base/notices.svelte';
import { SavedRunsView, Undo } from '../../src/ui/state/run/saved-runs.svelte';
import type { SavedRun } from '../../src/run/store/saved-run';
import { presetByName } from '../../src/config/presets';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator');
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
    save: async () => void (next && kept.unshift(next)),
  };
}

function runAt(iteration: number): LiveRun {
  const run = new LiveRun();
  const started = { config, title: 'Calculator', vocabulary: [], specialTokens: [], parameters: 1 };
  run.take({ type: 'begun', id: 'now', config, warmStart: 'recorded', configChanges: [] }, 0);
  run.take({ type: 'started', ...started }, 0);
  if (iteration > 0) run.take({ type: 'iteration', metrics: metricsRow(iteration), rollouts: [], fingerprint: [] }, 0);
  run.take({ type: 'state', state: 'paused' }, 0);
  return run;
}

describe('Undo', () => {
  it('saves the run that makes room, and gives back that very one', async () => {
    const notices = new Notices();
    const brought: unknown[] = [];
    const undo = new Undo(new SavedRunsView(), notices, (run, paused) => brought.push(run.id, paused));
    const left = Undo.leaving(runAt(12));
    await undo.keep(trainerOf([saved('older', 40)], saved('now', 12)), left);
    expect(notices.list.map(({ sentence }) => sentence)).toEqual([
      'Run cleared: Calculator, iteration 12. It is saved.',
    ]);
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
