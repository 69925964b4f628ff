/** The runs of this browser that can go on, and the one of them that is offered. The page Runs lists them. */
import type { SavedRun } from '../../../run/store/saved-run';
import type { TrainerApi } from '../../../worker/protocol';
import type { OpenedLink } from '../../../config/run-link';
import { sameRun } from '../../../config/run-name';

export type SavedRunsApi = Pick<TrainerApi, 'savedRuns'>;

export class SavedRunsView {
  /** The latest first. */
  list = $state.raw<readonly SavedRun[]>([]);
  /** The unfinished run that the page offers to resume; null once it is dismissed. */
  offered = $state.raw<SavedRun | null>(null);

  async refresh(api: SavedRunsApi): Promise<void> {
    this.list = await api.savedRuns();
    if (this.offered && !this.of(this.offered.id)) this.offered = null;
  }

  /** Reads the list and offers its newest unfinished run. */
  async offer(api: SavedRunsApi): Promise<void> {
    await this.refresh(api);
    this.offered = this.list.find((run) => !run.finished) ?? null;
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
