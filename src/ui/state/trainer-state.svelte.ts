/**
 * The trainer as the page has it: its device, what its events do to the page, and what happens when it crashes or
 * refuses.
 */
import type { DeviceReport } from '../../worker/protocol';
import type { Remedy, RunEvent } from '../../run/events';
import { sentenceOf } from '../../lib/sentences';
import type { Action } from '../base/notices.svelte';
import type { TrainerClient } from '../trainer/trainer-client';
import type { TrainerSupervisor } from '../trainer/trainer-supervisor';
import { Pace } from './run/pace.svelte';
import { recoverFrom, remedyAction } from './run/recovery';
import { text } from './run/text';
import type { TabRun } from './tab-run.svelte';
import type { Workspace } from './workspace.svelte';

export interface TrainerStateParts {
  readonly supervisor: TrainerSupervisor;
  readonly workspace: Workspace;
  readonly tabRun: TabRun;
  /** What only a trainer can read; asked of the first one. */
  readonly readFirst: (api: TrainerClient['api']) => Promise<void>;
}

export class TrainerState {
  readonly pace = new Pace();
  /** Null while it is unknown. */
  device = $state.raw<DeviceReport | null>(null);
  /** Of the run while it is busy, else of the setup. */
  readonly chosenDevice = $derived.by(() => {
    const { run, shown } = this.parts.tabRun;
    return (run.busy ? shown.runConfig : this.parts.workspace.setup.config)?.device;
  });
  /** What that choice means here; null while it is unknown. */
  readonly trainsOn = $derived.by(() => (this.chosenDevice && this.device?.runsOn[this.chosenDevice]) ?? null);

  constructor(private readonly parts: TrainerStateParts) {}

  /** For questions that need no run; null before the start and after a crash. */
  get client(): TrainerClient | null {
    return this.parts.supervisor.trainer;
  }

  get api(): TrainerClient['api'] | null {
    return this.client?.api ?? null;
  }

  async start(): Promise<void> {
    const { supervisor, tabRun, workspace, readFirst } = this.parts;
    const client = supervisor.start();
    try {
      await client.subscribe((event) => this.#onEvent(event));
      if (!workspace.setup.sources) await readFirst(client.api);
      this.device = await client.api.device();
      tabRun.orders.release();
    } catch (error) {
      this.offerAgain(text.failure.trainer(sentenceOf(error)), () => this.#restart());
    }
  }

  /** Its silence is no fault: it compiles. */
  get isExcused(): boolean {
    const { state, progress } = this.parts.tabRun.run;
    return this.device === null || (state === 'preparing' && progress?.phase !== 'warm-start');
  }

  /** Measures the device that the next run is trained on, unless a run is busy on it. */
  measure(): void {
    const { trainsOn: kind, chosenDevice: choice, api } = this;
    const { run } = this.parts.tabRun;
    const ask = async () => (run.busy || !api || !choice ? null : api.speed(choice));
    if (api && kind && !run.busy) this.pace.measure(kind, ask);
  }

  /** After a sleep or a fault an adapter may have come or gone. */
  findDevices(): void {
    this.parts.supervisor.send(async ({ api }) => void (this.device = await api.device()));
  }

  /** The button beside a sentence of the trainer. */
  remedy(remedy: Remedy): Action | null {
    const { tabRun, workspace } = this.parts;
    return remedyAction(remedy, {
      setup: workspace.setup,
      commands: tabRun.orders,
      findDevices: () => this.findDevices(),
      resumeLatest: () => void this.#resumeLatest(),
      download: () => void tabRun.download(),
    });
  }

  offerAgain(sentence: string, act: () => void): void {
    this.parts.workspace.failures.show(sentence, { label: text.action.again, act });
  }

  /** An order was rejected. */
  refused(error: unknown): void {
    const { run, orders } = this.parts.tabRun;
    const { failures } = this.parts.workspace;
    orders.drop();
    // A failed run was reported by its own event, with a better sentence.
    if (run.state === 'failed' && failures.current) return;
    if (run.busy) run.tell('failed');
    failures.show(text.failure.trainer(sentenceOf(error)), this.remedy('start-over'));
  }

  /** @param mayRestart false once too many trainers crashed at the same place */
  async crashed(reason: string, mayRestart: boolean): Promise<void> {
    const { supervisor, tabRun, workspace } = this.parts;
    this.device = null;
    tabRun.orders.stopped();
    await recoverFrom(reason, mayRestart, {
      tabRun,
      workspace,
      start: () => this.start().then(() => (workspace.failures.current ? null : supervisor.trainer)),
      restart: () => this.#restart(),
      remedy: (remedy) => this.remedy(remedy),
    }).catch((error: unknown) => this.refused(error));
  }

  #onEvent(event: RunEvent): void {
    const { run, shown, orders } = this.parts.tabRun;
    const { failures, notices, own } = this.parts.workspace;
    // A run that is being reset still sends events.
    if (orders.waitsFor === 'stop') return;
    if (event.type === 'state' && event.state === 'failed')
      failures.show(event.message ?? text.failure.unknown, this.remedy(event.remedy ?? 'start-over'));
    if (event.type === 'notice') notices.show({ ...event.notice, action: this.remedy(event.notice.remedy) });
    if (event.type === 'restored') failures.clear();
    // After the first save, the browser is asked not to clear it for space.
    if (event.type === 'saved' && run.savedAt === null) void navigator.storage?.persist?.().catch(() => undefined);
    run.take(event, performance.now());
    if (event.type === 'started') void own.learn(event.config);
    if (event.type === 'iteration') this.pace.learnFrom(run, shown, this.trainsOn);
  }

  /** Resumes the latest save of the run that was here. */
  async #resumeLatest(): Promise<void> {
    const { supervisor, tabRun, workspace } = this.parts;
    const { saved, failures } = workspace;
    if (!supervisor.trainer) await this.start();
    supervisor.send(async ({ api }) => {
      await saved.refresh(api);
      const latest = saved.of(tabRun.run.begun?.id);
      if (latest) tabRun.commands.resume.run(latest);
      else failures.show(text.failure.nothingSaved, this.remedy('start-over'));
    });
  }

  #restart(): void {
    const { run } = this.parts.tabRun;
    run.loseAgent();
    if (run.state !== 'finished') run.tell('idle');
    void this.start();
  }
}
