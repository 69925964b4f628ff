/**
 * What belongs to the visitor and to no single run: the setup and the environment that they edit, the runs that they
 * keep and queue, and what the page has to say to them.
 */
import type { LabActions } from '../base/shortcuts';
import { Failures, Notices } from '../base/notices.svelte';
import type { TrainerSupervisor } from '../trainer/trainer-supervisor';
import type { QueueParts, RunQueue } from './queue/run-queue.svelte';
import { SavedRunsView } from './run/saved-runs.svelte';
import { HubModels } from './setup/hub-models.svelte';
import { OwnEnvironment } from './setup/own-environment.svelte';
import { PretrainedModels } from './setup/pretrained-models.svelte';
import { Setup } from './setup/setup.svelte';

export class Workspace {
  readonly setup = new Setup();
  readonly own: OwnEnvironment;
  readonly models: PretrainedModels;
  readonly hub: HubModels;
  readonly saved = new SavedRunsView();
  readonly notices = new Notices();
  readonly failures = new Failures();
  /** Null until it is opened. */
  queue = $state.raw<RunQueue | null>(null);
  /** What the open Lab does; null while another page is open. */
  actions = $state.raw<LabActions | null>(null);
  /** The dialog that the address asks for: where a world of one's own is written, or a round is played. */
  asksFor = $state<'edit' | 'play' | null>(null);

  /** @param queueParts what a queue uses, once one is opened */
  constructor(
    private readonly trainer: Pick<TrainerSupervisor, 'trainer' | 'send'>,
    private readonly queueParts: () => QueueParts,
  ) {
    this.own = new OwnEnvironment(this.setup, () => this.trainer.trainer);
    this.models = new PretrainedModels(this.setup, () => this.trainer.trainer);
    this.hub = new HubModels(this.models);
  }

  /** Loads the queue, with what was stored of it. Rejects if its code cannot be loaded. */
  async openQueue(): Promise<RunQueue> {
    const { RunQueue } = await import('./queue/run-queue.svelte');
    return (this.queue ??= new RunQueue(this.queueParts()));
  }

  /** Reads the list of saved runs again. */
  refreshSaved(): void {
    this.trainer.send(({ api }) => this.saved.refresh(api));
  }
}
