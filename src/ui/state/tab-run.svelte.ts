/** The run of this tab and the run that is displayed, with the chat and the commands for them. */
import type { Catalog } from '../../config/catalog';
import type { RunConfig } from '../../config/config';
import type { Pretrained } from '../../config/pretrained-schema';
import { askedAbout } from '../../config/rows';
import type { RolloutView } from '../../rl/rollouts/view';
import type { DeviceReport } from '../../worker/protocol';
import { sameJson } from '../../lib/same-json';
import { readAddress, runLinks } from '../base/address';
import { download } from '../base/download';
import { sentenceOf } from '../../lib/sentences';
import type { StartTrainer } from '../trainer/trainer-client';
import type { TrainerSupervisor } from '../trainer/trainer-supervisor';
import { reachedBy } from '../../share/reached';
import { commandTable, type Commands } from './commands';
import { Chat, chatAgent } from './run/chat.svelte';
import { DisplayedRun } from './run/displayed-run.svelte';
import { LiveRun } from './run/live-run.svelte';
import { Recordings, Replay } from './run/recordings.svelte';
import { RunCommands } from './run/run-commands.svelte';
import { statusText, type RunStatus } from './run/run-status';
import { text } from './run/text';
import type { Workspace } from './workspace.svelte';

/** What the page's state takes from the page; its tests give it something else. */
export interface Surroundings {
  /** Shows finished runs instead of playing them, for people who asked for less motion. */
  readonly still: boolean;
  readonly recordingsUrl: string;
  readonly firstPreset: string;
  /** Rejects with a sentence; the next call tries again. */
  readonly readCatalog: () => Promise<Catalog>;
  readonly startTrainer: StartTrainer;
}

export interface TabRunParts {
  readonly surroundings: Surroundings;
  readonly workspace: Workspace;
  readonly supervisor: TrainerSupervisor;
  /** Null while it is unknown. */
  readonly device: () => DeviceReport | null;
  /** Replaces the setup; a notice gives the visitor's own edits back. */
  readonly replaceSetup: (load: () => void) => void;
}

export class TabRun {
  readonly run = new LiveRun();
  readonly chat = new Chat();
  readonly recordings: Recordings;
  readonly replay: Replay;
  readonly shown: DisplayedRun;
  readonly orders: RunCommands;
  readonly commands: Commands;

  /** Devices and a setup are known. */
  readonly canTrain = $derived.by(() => this.parts.device() !== null && this.#setup.config !== null);
  readonly status: RunStatus = $derived.by(() => ({
    state: this.run.state,
    progress: this.run.progress,
    iteration: this.run.iteration,
    total: (this.shown.runConfig ?? this.#setup.config)?.iterations ?? 0,
    iterationMs: this.run.iterationMs,
    wait: this.run.wait,
    waitsFor: this.orders.waitsFor,
    queued: this.orders.isHeld,
  }));
  readonly statusText = $derived.by(() => statusText(this.status));
  /** The setup differs from the run on the page and applies to the next one. */
  readonly setupWaits = $derived.by(
    () => this.run.started !== null && !sameJson(this.run.started.config, this.#setup.config),
  );
  /** Who answers in the chat. */
  readonly chatAgent = $derived.by(() => {
    const { config, plan, preset, problem } = this.#setup;
    const { busy, iteration, state, hasAgent } = this.run;
    const isReady = this.parts.device() !== null;
    return chatAgent({ config, plan, preset, problem, busy, iteration, state }, hasAgent, isReady);
  });
  readonly reproduction = $derived.by(() => this.shown.reproduction(this.parts.device()));
  readonly compareEstimators = (rollouts: readonly RolloutView[]) =>
    this.shown.compareEstimators(rollouts, this.parts.supervisor.trainer);
  /** Numbers of the tokens of the displayed run. */
  readonly tokens = $derived.by(() => this.shown.tokenSource(() => this.parts.supervisor.trainer, this.run.hasAgent));

  /** Drawings of the displayed run's rollouts. */
  readonly drawings = $derived.by(() =>
    this.shown.drawingSource(() => this.parts.supervisor.trainer, this.parts.device() !== null),
  );

  readonly drawMany = $derived.by(() => this.shown.crowdSource(() => this.parts.supervisor.trainer));

  constructor(private readonly parts: TabRunParts) {
    const { surroundings, workspace, supervisor, device, replaceSetup } = parts;
    const { setup, saved, models, notices, failures } = workspace;
    const { run, chat } = this;
    this.recordings = new Recordings(surroundings.recordingsUrl);
    this.replay = new Replay(() => this.shown.toReplay);
    const first = readAddress(location.hash).kind === 'link' ? null : surroundings.firstPreset;
    this.shown = new DisplayedRun(run, this.replay, setup, this.recordings, first);
    this.orders = new RunCommands({
      setup,
      run,
      shown: this.shown,
      replay: this.replay,
      chat,
      saved,
      models,
      notices,
      failures,
      trainer: supervisor,
      canTrain: () => this.canTrain,
      isLooking: () => !device() && !failures.current && !run.busy,
      isOpeningModel: () => models.isMissing && models.isSought,
      replaceSetup,
    });
    this.commands = commandTable(this.orders, setup, () => workspace.actions);
  }

  get #setup() {
    return this.parts.workspace.setup;
  }

  /** @param rows that the question is about, as JSON lines */
  ask(question: string, rows?: string): void {
    const { chatAgent: agent, chat } = this;
    const { trainer } = this.parts.supervisor;
    const { config } = this.#setup;
    if (!trainer || !config || agent.kind === 'nobody' || chat.busy) return;
    void chat.ask(question, agent.name, async (listener) => {
      const message = rows === undefined ? question : askedAbout(question, rows);
      if (agent.kind === 'run') await trainer.chat(message, listener);
      else await trainer.chatWithStart(config, message, listener);
    });
  }

  /** Opens the model that the setup lacks, where it comes with the page or is kept here. A press may wait for it. */
  async seekModel(named: Pretrained): Promise<void> {
    const { models, hub } = this.parts.workspace;
    models.isSought = true;
    try {
      await hub.find(named);
    } finally {
      models.isSought = false;
      if (this.orders.waitsFor === null) this.orders.release();
    }
  }

  /** Looks at a run of this tab, at the author's of an open link, or at the recorded one. */
  showLinkOrRecording(): void {
    const { shown, run } = this;
    if (run.started || run.busy) {
      if (shown.view === 'author') shown.view = 'live';
    } else if (shown.author && reachedBy(shown.author)) shown.view = 'author';
    else this.playRecording();
  }

  /** Shows the recorded run: from where it was stopped, or from its beginning. */
  playRecording(): void {
    this.shown.view = 'recording';
    // A link to one rollout is about the run as it ended.
    this.replay.play(this.parts.surroundings.still || this.shown.wantedRollout !== null);
  }

  /** The chosen preset's recording has been fetched. */
  recordingCame(): void {
    this.replay.rewind();
    if (this.shown.view === 'recording') this.playRecording();
  }

  /** The address to share: of the run so far, or of the setup without a run. */
  shareAddress(): Promise<string> {
    return this.addressOf(this.run.started?.config ?? this.#setup.config);
  }

  /** The address to share of a config; with the results of the run on the page if that has it. */
  async addressOf(config: RunConfig | null): Promise<string> {
    if (!config) throw new Error(text.notReady);
    const { runLink } = await runLinks();
    const soFar = (await this.parts.supervisor.trainer?.api.soFar(config)) ?? null;
    return `${location.href.split('#')[0]}#/lab?${await runLink(config, soFar)}`;
  }

  /** Saves the weights as a safetensors file. */
  async download(): Promise<void> {
    const { trainer } = this.parts.supervisor;
    const { begun, iteration } = this.run;
    if (!trainer) return;
    try {
      const bytes = new Uint8Array(await trainer.api.checkpoint());
      const name = `${this.shown.nameOf(begun?.config)}-${iteration}.safetensors`;
      download(name, new Blob([bytes], { type: 'application/octet-stream' }));
      // Another run may have begun meanwhile.
      if (begun) this.run.take({ type: 'saved', id: begun.id, iteration }, performance.now());
    } catch (error) {
      this.parts.workspace.failures.show(text.failure.checkpoint(sentenceOf(error)), null);
    }
  }
}
