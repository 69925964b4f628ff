/**
 * The checkpoints of one run: decides at which iterations they are taken, and writes them to the browser's storage one
 * at a time. A storage that fails or is slow never stops the run.
 */
import { isCheckpointDue, keptSteps } from './store/kept-iterations';
import type { KeptCheckpoints } from './store/checkpoints';
import type { RunEvent } from './events';
import type { RunSnapshot } from './store/run-snapshot';

export type CheckpointStore = Pick<KeptCheckpoints, 'save' | 'delete'>;

interface DueCheckpoint {
  readonly iteration: number;
  readonly snapshot: RunSnapshot;
}

export class Timeline {
  /** Iteration of the first checkpoint, from which the grid of the others is counted. */
  private first: number | undefined;
  private unwritten: DueCheckpoint | null = null;
  private full = false;
  private work: Promise<void> = Promise.resolve();

  /** @param stored iterations of those that there are, ascending */
  constructor(
    private readonly id: string,
    private readonly store: CheckpointStore,
    private stored: readonly number[],
    private readonly emit: (event: RunEvent) => void,
  ) {
    this.first = stored[0];
  }

  /** The run goes on from this iteration: checkpoints of later ones are deleted. */
  goOnFrom(iteration: number): void {
    this.unwritten = null;
    this.do(() => this.keepOnly(this.stored.filter((each) => each <= iteration)));
  }

  isDue(iteration: number, last: number): boolean {
    return isCheckpointDue(iteration, this.first ?? iteration, last);
  }

  /** Where storage is slower than training, the newest replaces one that was not written yet. */
  add(iteration: number, snapshot: RunSnapshot): void {
    this.unwritten = { iteration, snapshot };
    this.do(() => this.write(iteration, (this.first ??= iteration)));
  }

  /** Resolves when nothing is on its way to storage. Never rejects. */
  async written(): Promise<void> {
    await this.work;
  }

  private async write(iteration: number, first: number): Promise<void> {
    if (this.unwritten?.iteration !== iteration) return;
    const { snapshot } = this.unwritten;
    this.unwritten = null;
    const steps = keptSteps([...this.stored.filter((each) => each < iteration), iteration], first, iteration);
    // What goes leaves room for it.
    await this.keepOnly(steps);
    await this.store.save(this.id, iteration, snapshot);
    this.stored = steps;
    this.full = false;
  }

  private async keepOnly(steps: readonly number[]): Promise<void> {
    const before = this.stored;
    this.stored = before.filter((each) => steps.includes(each));
    if (this.stored.length < before.length)
      await this.store.delete(({ id, iteration }) => id === this.id && !steps.includes(iteration));
  }

  private do(work: () => Promise<void>): void {
    this.work = this.work
      .then(work)
      .catch(() => void (this.full = true))
      .then(() => this.emit({ type: 'checkpoints', iterations: this.stored, full: this.full }));
  }
}
