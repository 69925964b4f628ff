/**
 * The runs kept in this browser, as the page lists and offers them. What is in them and where they lie is the trainer's
 * business.
 */
import type { SavedRun, TrainerApi } from '../../worker/protocol';
import type { OpenedLink } from '../../rl/config/run-link';
import { sameRun } from './same-run';

export type SavedRunsApi = Pick<TrainerApi, 'savedRuns' | 'deleteSavedRun'>;

export class SavedRunsView {
  /** The latest first. */
  list = $state.raw<readonly SavedRun[]>([]);
  /** The unfinished run that the page offers to resume; null once it is dismissed. */
  offered = $state.raw<SavedRun | null>(null);

  async refresh(api: SavedRunsApi): Promise<void> {
    this.list = await api.savedRuns();
  }

  /** Reads the list and offers its newest unfinished run. */
  async offer(api: SavedRunsApi): Promise<void> {
    await this.refresh(api);
    this.offered = this.list.find((run) => !run.finished) ?? null;
  }

  async delete(api: SavedRunsApi, id: string): Promise<void> {
    if (this.offered?.id === id) this.offered = null;
    await api.deleteSavedRun(id);
    await this.refresh(api);
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
