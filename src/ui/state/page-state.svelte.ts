/**
 * The state of the page: makes its three parts, the trainer, the run of this tab and the workspace, and joins them to
 * the address and the life of the page. Components ask `contexts.ts` for the part that they need.
 */
import type { Catalog } from '../../config/catalog';
import { readAddress, runLinks } from '../base/address';
import { sameJson } from '../../lib/same-json';
import { sentenceOf } from '../../lib/sentences';
import { queueKey, readStored } from '../base/stored';
import type { TrainerClient } from '../trainer/trainer-client';
import { TrainerSupervisor } from '../trainer/trainer-supervisor';
import { LinkOpener } from './link-opener';
import type { QueueParts } from './queue/run-queue.svelte';
import { text } from './run/text';
import { TabRun, type Surroundings } from './tab-run.svelte';
import { TrainerState } from './trainer-state.svelte';
import { Workspace } from './workspace.svelte';

const setupDelayMs = 300;
/** Shorter absences are not reported. */
const longAwayMs = 60_000;

export class PageState {
  readonly workspace: Workspace;
  readonly tabRun: TabRun;
  readonly trainer: TrainerState;
  readonly #supervisor: TrainerSupervisor;
  readonly #links: LinkOpener;
  /** The iteration of a busy run when the page was hidden. */
  #leftAt: number | null = null;
  #setupTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly surroundings: Surroundings) {
    const supervisor = new TrainerSupervisor({
      startTrainer: surroundings.startTrainer,
      reached: () => this.tabRun.run.iteration,
      isExcused: () => this.trainer.isExcused,
      maxSilenceMs: () => this.trainer.maxSilenceMs,
      onCrash: (reason, mayRestart) => void this.trainer.crashed(reason, mayRestart),
      onRefused: (error) => this.trainer.refused(error),
    });
    const workspace = new Workspace(supervisor, () => this.#queueParts);
    const tabRun = new TabRun({
      surroundings,
      workspace,
      supervisor,
      device: () => this.trainer.device,
      replaceSetup: (load) => this.#links.replaceSetup(load),
    });
    this.#supervisor = supervisor;
    this.workspace = workspace;
    this.tabRun = tabRun;
    this.trainer = new TrainerState({ supervisor, workspace, tabRun, readFirst: (api) => this.#readFirst(api) });
    this.#links = new LinkOpener({
      setup: workspace.setup,
      shown: tabRun.shown,
      saved: workspace.saved,
      notices: workspace.notices,
      api: () => this.trainer.api,
      links: runLinks,
      show: () => tabRun.showLinkOrRecording(),
      resume: (run) => tabRun.commands.resume.run(run),
      writeOwn: () => (workspace.asksFor = 'edit'),
      play: () => this.#play(),
      showResults: () => workspace.actions?.results(),
    });
  }

  get #queueParts(): QueueParts {
    const { workspace, tabRun, trainer } = this;
    return {
      run: tabRun.run,
      commands: tabRun.orders,
      notices: workspace.notices,
      failures: workspace.failures,
      api: () => trainer.api,
      canTrain: () => tabRun.canTrain,
    };
  }

  /** Shows what the address asks for, then starts the trainer, whose code would take the connection from it. */
  async start(): Promise<void> {
    void this.workspace.models.awaitModel(location.hash);
    if (readStored(queueKey) !== null) void this.workspace.openQueue().catch(() => undefined);
    try {
      const catalog = await this.surroundings.readCatalog();
      if (readAddress(location.hash).kind !== 'link') await this.#offer(catalog);
    } catch (error) {
      const action = { label: text.remedy['try-again'], act: () => void this.start() };
      this.workspace.failures.show(sentenceOf(error), action);
      this.workspace.models.isAwaited = false;
      return;
    }
    await this.tabRun.recordings.settled();
    await this.trainer.start();
    // The Lab looks for one that is missing.
    if (!this.workspace.models.isMissing) this.workspace.models.isAwaited = false;
  }

  /** Opens what the address bar says. Runs and edits that are here stay. */
  async openAddress(): Promise<void> {
    try {
      await this.#links.open();
    } catch (error) {
      this.tabRun.playRecording();
      this.trainer.offerAgain(text.failure.link(sentenceOf(error)), () => void this.openAddress());
    }
  }

  /** A moment after the last edit: asks for the setup's memory plan and writes the setup into the address. */
  setupChanged(): void {
    const { failures } = this.workspace;
    // The setup that could not be trained has changed.
    if (failures.current?.action?.label === text.action.restorePreset) failures.clear();
    clearTimeout(this.#setupTimer);
    this.#setupTimer = setTimeout(
      () => void this.#links.keepAddress().catch((error: unknown) => this.trainer.refused(error)),
      setupDelayMs,
    );
  }

  /** The page may be about to vanish. */
  leaving(): void {
    const { busy, iteration } = this.tabRun.run;
    this.#leftAt ??= busy ? iteration : null;
    // An event says whether it worked; without a run there is nothing to save.
    void this.#supervisor.trainer?.api.save().catch(() => undefined);
  }

  /** Reports what a run did while its tab was hidden for long. */
  returned(awayMs: number): void {
    const { started, iteration, savedAt } = this.tabRun.run;
    const leftAt = this.#leftAt;
    this.#leftAt = null;
    if (leftAt === null || awayMs < longAwayMs || !started) return;
    const sentence = text.notice.hidden(awayMs, Math.max(0, iteration - leftAt), savedAt);
    this.workspace.notices.show({ kind: 'hidden', sentence, action: this.trainer.remedy('download') });
  }

  /** Opens a round of the world in the setup: where a run of another one is on the page, the recorded run is shown. */
  #play(): void {
    const { setup } = this.workspace;
    const { subject } = this.tabRun.shown;
    if (!sameJson(subject?.environment, setup.config?.environment)) this.tabRun.playRecording();
    this.workspace.asksFor = 'play';
  }

  async #offer(catalog: Catalog): Promise<void> {
    this.#links.replaceSetup(() => this.workspace.setup.adopt(catalog));
    await this.openAddress();
  }

  /** With the first trainer come the runs that are kept, and what only a trainer can read. */
  async #readFirst(api: TrainerClient['api']): Promise<void> {
    const { saved, setup } = this.workspace;
    // Where the list cannot be read nothing is offered; a run that cannot be saved gives a notice.
    await saved.offer(api).catch(() => undefined);
    if (!setup.catalog) await this.#offer(await this.surroundings.readCatalog());
    else if (readAddress(location.hash).kind === 'link') await this.openAddress();
    else this.setupChanged();
    setup.sources = await api.sources();
  }
}
