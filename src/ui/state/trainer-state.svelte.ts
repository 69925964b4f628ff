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

  /** @returns whether there is a trainer now; if not, the page says why */
  async start(): Promise<boolean> {
    const { supervisor, tabRun, workspace, readFirst } = this.parts;
    const client = supervisor.start();
    try {
      await client.subscribe((event) => this.#onEvent(event));
      await workspace.models.handOver(client);
      if (!workspace.setup.sources) await readFirst(client.api);
      this.device = await client.api.device();
      tabRun.orders.release();
      return true;
    } catch (error) {
      this.offerAgain(text.failure.trainer(sentenceOf(error)), () => this.#restart());
      return false;
    }
  }

  /** Its silence is no fault: it compiles. */
  get isExcused(): boolean {
    const { state, progress } = this.parts.tabRun.run;
    return this.device === null || (state === 'preparing' && progress?.phase !== 'warm-start');
  }

  /** On the CPU a step is one block of work, in which a trainer cannot answer: minutes for a large model. */
  get maxSilenceMs(): number {
    const { begun } = this.parts.tabRun.run;
    return begun?.config.model.pretrained && this.trainsOn === 'cpu' ? 600_000 : 20_000;
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

  /** The button beside a sentence of the trainer; null if there is nothing to press. */
  remedy(remedy: Remedy): Action | null {
    if (remedy === 'none') return null;
    const { tabRun, workspace } = this.parts;
    const { setup } = workspace;
    const actions: Record<Exclude<Remedy, 'none'>, () => void> = {
      'start-over': () => tabRun.orders.startOver(),
      resume: () => void this.#resumeLatest(),
      'try-again': () => {
        this.findDevices();
        tabRun.orders.repeat();
      },
      download: () => void tabRun.download(),
      'halve-batch': () => {
        setup.halveBatch();
        tabRun.orders.startOver();
      },
      'halve-rate': () => {
        setup.halveRate();
        tabRun.orders.startOver();
      },
    };
    return { label: text.remedy[remedy], act: actions[remedy] };
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

  /**
   * Another trainer restores the run's last save, or the page says why not.
   * @param mayRestart false once too many trainers crashed at the same place
   */
  async crashed(reason: string, mayRestart: boolean): Promise<void> {
    const { run, orders, chat } = this.parts.tabRun;
    const { failures, notices } = this.parts.workspace;
    const wasPaused = run.state === 'paused';
    const hadRun = run.busy || wasPaused || run.state === 'finished';
    this.device = null;
    orders.stopped();
    chat.abandon();
    if (!mayRestart) {
      if (hadRun) run.tell('failed');
      if (hadRun) failures.show(text.failure.crash(reason), this.remedy('resume'));
      else this.offerAgain(text.failure.crash(reason), () => this.#restart());
      return;
    }
    if (hadRun) return this.#recover(reason, wasPaused);
    run.loseAgent();
    if (await this.start()) notices.show({ kind: 'crash', sentence: text.notice.crashIdle(reason), action: null });
  }

  /** Starts a trainer and hands it the run of the one that crashed. */
  async #recover(reason: string, wasPaused: boolean): Promise<void> {
    const { run } = this.parts.tabRun;
    const { failures } = this.parts.workspace;
    run.tell('preparing');
    if (await this.start()) return this.#handOver(reason, wasPaused).catch((error: unknown) => this.refused(error));
    run.tell('failed');
    this.offerAgain(failures.current?.sentence ?? '', () => void this.#recover(reason, wasPaused));
  }

  /** Rejects if the new trainer cannot take the run. */
  async #handOver(reason: string, wasPaused: boolean): Promise<void> {
    const { run, shown } = this.parts.tabRun;
    const { saved, notices, failures } = this.parts.workspace;
    const { api } = this;
    if (!api) return;
    await saved.refresh(api);
    const kept = saved.of(run.begun?.id);
    if (!kept) {
      run.tell('failed');
      failures.show(text.failure.crashUnsaved(reason), this.remedy('start-over'));
      return;
    }
    await api.restore(kept.id, shown.comparedWith);
    if (wasPaused) await api.pause();
    notices.show({ kind: 'crash', sentence: text.notice.crash(reason, kept), action: null });
  }

  #onEvent(event: RunEvent): void {
    const { run, shown, orders } = this.parts.tabRun;
    const { failures, notices, own } = this.parts.workspace;
    // A run that is being reset still sends events, also after the answer to the order: "idle" is the last.
    if (orders.waitsFor === 'stop') {
      if (event.type === 'state' && event.state === 'idle') orders.release();
      return;
    }
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
