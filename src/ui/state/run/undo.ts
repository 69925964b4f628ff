/** Undo of a new run: saves the run that it replaces and offers it back. Does not start runs. */
import type { SavedRun } from '../../../run/store/saved-run';
import type { TrainerApi } from '../../../worker/protocol';
import type { LiveRun } from './live-run.svelte';
import type { Notices } from '../../base/notices.svelte';
import type { SavedRunsView, SavedRunsApi } from './saved-runs.svelte';
import { text } from './text';

export type UndoApi = SavedRunsApi & Pick<TrainerApi, 'save'>;

/** The run that is replaced. */
export interface Left {
  readonly id: string;
  /** Its latest state may not be saved. */
  readonly unsaved: boolean;
  readonly paused: boolean;
}

/** Longest wait for a save. After it, Undo goes back to the previous save. */
const saveTimeoutMs = 2000;

export class Undo {
  constructor(
    private readonly saved: SavedRunsView,
    private readonly notices: Notices,
    private readonly bringBack: (run: SavedRun, paused: boolean) => void,
  ) {}

  /** The run that is about to be replaced; null if there is none. */
  static leaving({ started, begun, state, unsaved, iteration }: LiveRun): Left | null {
    return started && begun && { id: begun.id, unsaved: unsaved > 0 || iteration === 0, paused: state === 'paused' };
  }

  /**
   * @param opened id of the saved run that replaces it, if one does
   * @param sentence of the notice
   */
  async keep(
    api: UndoApi,
    left: Left | null,
    opened?: string,
    sentence: (run: SavedRun) => string = text.notice.cleared,
  ): Promise<void> {
    if (!left) return;
    if (left.unsaved) await Promise.race([api.save(), new Promise((resolve) => setTimeout(resolve, saveTimeoutMs))]);
    await this.saved.refresh(api);
    const run = this.saved.of(left.id);
    if (!run || run.id === opened) return;
    const act = () => this.bringBack(run, left.paused);
    this.notices.show({
      kind: 'cleared',
      sentence: sentence(run),
      action: { label: text.action.undo, act },
    });
  }
}
