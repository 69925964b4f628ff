/**
 * The run that makes room for another: it is kept as it stood, and can be had back. How a run is begun is not its
 * business.
 */
import type { SavedRun, TrainerApi } from '../../worker/protocol';
import type { RunConfig } from '../../rl/config/config';
import type { LiveRun } from './live-run.svelte';
import type { Notices } from '../shell/notices.svelte';
import type { SavedRunsView, SavedRunsApi } from './saved-runs.svelte';
import { text } from './text';

export type UndoApi = SavedRunsApi & Pick<TrainerApi, 'save'>;

/** What was on the page. */
export interface Left {
  readonly config: RunConfig;
  /** Its latest state may be kept nowhere. */
  readonly unsaved: boolean;
  readonly paused: boolean;
}

/** A run in the middle of long work is given back as it was last saved. */
const patienceMs = 2000;

export class Undo {
  constructor(
    private readonly saved: SavedRunsView,
    private readonly notices: Notices,
    private readonly bringBack: (run: SavedRun, paused: boolean) => void,
  ) {}

  /** What is about to make room; null if nothing was done yet. */
  static leaving({ started, state, unsaved, iteration }: LiveRun): Left | null {
    return started && { config: started.config, unsaved: unsaved > 0 || iteration === 0, paused: state === 'paused' };
  }

  /** @param opened id of the saved run that takes its place, if one does */
  async keep(api: UndoApi, left: Left | null, opened?: string): Promise<void> {
    if (!left) return;
    if (left.unsaved) await Promise.race([api.save(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
    await this.saved.refresh(api);
    const run = this.saved.of(left.config);
    if (!run || run.id === opened) return;
    const act = () => this.bringBack(run, left.paused);
    this.notices.show({
      kind: 'cleared',
      sentence: text.notice.cleared(run),
      action: { label: text.action.undo, act },
    });
  }
}
