/**
 * The runs of this browser that can go on, the one of them that is offered, and Undo of a new run, which brings back
 * the run that it replaced. The page Runs lists them.
 */
import type { SavedRun } from '../../../run/store/saved-run';
import type { TrainerApi } from '../../../worker/protocol';
import type { OpenedLink } from '../../../config/run-link';
import { sameRun } from '../../../config/run-name';
import type { Notices } from '../../base/notices.svelte';
import type { LiveRun } from './live-run.svelte';
import { text } from './text';

/** A run that ended no longer ago was probably on the page before its reload. */
const justFinishedMs = 3_600_000;

export type SavedRunsApi = Pick<TrainerApi, 'savedRuns'>;

export class SavedRunsView {
  /** The latest first. */
  list = $state.raw<readonly SavedRun[]>([]);
  /** The run that the page offers to go on with, or to open; null once it is dismissed. */
  offered = $state.raw<SavedRun | null>(null);

  async refresh(api: SavedRunsApi): Promise<void> {
    this.list = await api.savedRuns();
    if (this.offered && !this.of(this.offered.id)) this.offered = null;
  }

  /** Reads the list and offers its newest run if that has just finished, else its newest unfinished one. */
  async offer(api: SavedRunsApi): Promise<void> {
    await this.refresh(api);
    const [newest] = this.list;
    const justFinished = newest?.finished && Date.now() - newest.savedAtMs < justFinishedMs;
    this.offered = (justFinished ? newest : this.list.find((run) => !run.finished)) ?? null;
  }

  /** The saved run that a link was made from: same config, same fingerprint. */
  madeLink({ config, fingerprint }: OpenedLink): SavedRun | null {
    const agrees = ({ fingerprint: saved = [] }: SavedRun) =>
      saved.length > 0 &&
      fingerprint !== null &&
      fingerprint.every((digest, i) => i >= saved.length || digest === saved[i]);
    return this.list.find((run) => agrees(run) && sameRun(run.config, config)) ?? null;
  }

  of(id: string | undefined): SavedRun | null {
    return this.list.find((run) => run.id === id) ?? null;
  }
}

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

/** Saves the run that a new one replaces and offers it back. Does not start runs. */
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
