/**
 * The commands for the run of this tab: for each why it cannot be given now, and what it does. Buttons, keys, the
 * palette and tests read these and decide nothing. A run that makes room for another is saved first.
 */
import type { RewardChange } from '../../../config/changed-reward';
import type { RunConfig } from '../../../config/config';
import type { OpenedLink } from '../../../config/run-link';
import type { SavedRun } from '../../../run/store/saved-run';
import { sameJson } from '../../../lib/same-json';
import type { PretrainedModels } from '../setup/pretrained-models.svelte';
import type { Setup } from '../setup/setup.svelte';
import type { Notices, Failures } from '../../base/notices.svelte';
import type { TrainerOrder, TrainerSupervisor } from '../../trainer/trainer-supervisor';
import type { TrainerClient } from '../../trainer/trainer-client';
import type { Chat } from './chat.svelte';
import type { DisplayedRun } from './displayed-run.svelte';
import type { LiveRun } from './live-run.svelte';
import { moreIterations, text } from './text';
import type { Replay } from './recordings.svelte';
import type { Waiting } from './run-status';
import { Undo, type SavedRunsView } from './saved-runs.svelte';

const { why } = text;

/** Something that a button, a key or the palette can do: one value says whether, for all of them. */
export interface Command<Args extends readonly unknown[] = []> {
  /** Why it cannot be done now, a sentence; null if it can. */
  readonly why: string | null;
  readonly run: (...args: Args) => void;
}

/**
 * @param why reads state, so that what shows it follows
 * @param refuse what a press does while there is a reason; nothing without it
 */
export function command<Args extends readonly unknown[]>(
  why: () => string | null,
  act: (...args: Args) => void,
  refuse: () => void = () => undefined,
): Command<Args> {
  return {
    get why() {
      return why();
    },
    run: (...args) => (why() === null ? act(...args) : refuse()),
  };
}

export interface RunCommandParts {
  readonly setup: Setup;
  readonly run: LiveRun;
  readonly shown: DisplayedRun;
  readonly replay: Replay;
  readonly chat: Chat;
  readonly saved: SavedRunsView;
  readonly models: Pick<PretrainedModels, 'whenHere'>;
  readonly notices: Notices;
  readonly failures: Failures;
  readonly trainer: Pick<TrainerSupervisor, 'send' | 'resetFailures'>;
  /** Devices and a setup are known. */
  readonly canTrain: () => boolean;
  /** It is still unknown whether there is a GPU. */
  readonly isLooking: () => boolean;
  /** The page is still opening the pretrained model that the setup names. */
  readonly isOpeningModel: () => boolean;
  /** Replaces the setup; a notice gives the visitor's own edits back. */
  readonly replaceSetup: (load: () => void) => void;
}

/** What becomes of the run so far, in a sentence. */
type Leaves = (run: SavedRun) => string;

export class RunCommands {
  /** Resumes the paused run, or begins a run of the setup. `anew`: begins one even if a run is paused. */
  readonly train: Command<[anew?: boolean]> = command(
    () => this.#whyNotTrain,
    (anew = false) => this.#train(anew),
    () => this.#explainSetup(),
  );
  /** One iteration, then a pause. */
  readonly step = command(
    () => this.#whyNotStep,
    () => this.#step(),
  );
  readonly pause = command(
    () => this.#whyNotPause,
    () => this.#pause(),
  );
  /** Back to before iteration 1; the setup is kept, edits and all. */
  readonly reset = command(
    () => this.#whyNotReset,
    () => this.#reset(),
  );
  /** Continues the finished run at the learning rate it ended with. The finished run stays saved. */
  readonly extend = command(
    () => (this.parts.run.state === 'finished' ? this.#notReady : why.notFinished),
    () => this.#extend(),
  );
  /** Resumes a saved run; the run in the trainer is saved first. */
  readonly resume: Command<[saved: SavedRun]> = command(
    () => (this.parts.run.busy ? why.pauseFirst : this.#notReady),
    (saved) => this.#resume(saved),
  );
  /** Goes on from a checkpoint under another config, as a new run. The run so far stays saved. */
  readonly branch: Command<[iteration: number, config: RunConfig, leaves: Leaves]> = command(
    () => this.#whyNotGoOn,
    (iteration, config, leaves) => this.#goOn((api) => api.branch(iteration, config), leaves),
  );
  /** Goes on from now under another reward, as a new run. The run so far stays saved. */
  readonly changeReward: Command<[change: RewardChange, leaves: Leaves]> = command(
    () => this.#whyNotReward,
    (change, leaves) => this.#goOn((api) => api.changeReward(change), leaves),
  );

  /** Pause is the button, and not Train. */
  get isBusy(): boolean {
    return this.parts.run.busy;
  }

  /** What a press must wait for. */
  readonly waitsFor: Waiting | null = $derived.by(() =>
    this.#stopping ? 'stop' : this.parts.isLooking() ? 'gpu' : this.parts.isOpeningModel() ? 'model' : null,
  );
  /** A press came too early and waits. */
  readonly isHeld: boolean = $derived.by(() => this.#held !== null);
  /** A run was reset and has not told yet that it is idle. */
  #stopping = $state(false);
  #held = $state.raw<(() => void) | null>(null);
  readonly #undo: Undo;
  /** The last order that began a run. */
  #latest: (() => void) | null = null;

  constructor(private readonly parts: RunCommandParts) {
    this.#undo = new Undo(parts.saved, parts.notices, (run, paused) => this.#restore(run, paused));
  }

  get #notReady(): string | null {
    return this.parts.canTrain() ? null : why.notReady;
  }

  /** A press that comes too early is held. */
  get #notReadySoon(): string | null {
    return this.waitsFor ? null : this.#notReady;
  }

  get #whyNotTrain(): string | null {
    const { run, setup } = this.parts;
    if (run.busy) return why.busy;
    // Without its model a setup has a problem.
    if (run.state !== 'paused' && setup.problem !== null && this.waitsFor !== 'model')
      return text.run.obstacle(setup.problem);
    return this.#notReadySoon;
  }

  get #whyNotStep(): string | null {
    const { run } = this.parts;
    if (run.busy) return why.busy;
    return run.state === 'finished' ? why.finished : this.#notReadySoon;
  }

  get #whyNotPause(): string | null {
    const { state, busy } = this.parts.run;
    if (state === 'pausing') return why.pausing;
    return busy ? null : why.notBusy;
  }

  get #whyNotReset(): string | null {
    if (this.isHeld) return null;
    return this.parts.run.state === 'idle' ? why.noRun : this.#notReady;
  }

  get #whyNotGoOn(): string | null {
    const { state, started } = this.parts.run;
    if (!started) return why.noRun;
    return state === 'preparing' || state === 'pausing' ? why.preparing : this.#notReady;
  }

  get #whyNotReward(): string | null {
    const { run, shown } = this.parts;
    if (shown.view !== 'live' || !run.started) return why.otherRun;
    if (run.state === 'finished') return why.rewardAtEnd;
    return run.state === 'paused' || run.state === 'running' ? this.#whyNotGoOn : why.preparing;
  }

  /** A run of the setup, whatever is on the page. */
  startOver(): void {
    this.#beginSetup((trainer, config, author) => trainer.api.train(config, author));
  }

  /** Gives the last order that began a run again. */
  repeat(): void {
    this.#latest?.();
  }

  /**
   * Trains a run of the queue to its end, or goes on with it where it was saved. The setup stays.
   * @param quiet the run on the page is kept and gives way without an offer to bring it back
   */
  trainQueued(config: RunConfig, saved: SavedRun | null, quiet: boolean): void {
    const author = this.parts.shown.compareRun(config);
    this.#begin(
      ({ api }) => (saved ? api.restore(saved.id, author) : api.train(config, author)),
      quiet ? null : undefined,
    );
  }

  /** Runs the press that waits. */
  release(): void {
    const press = this.#held;
    this.drop();
    press?.();
  }

  /** Forgets the press that waits, and what it waited for. */
  drop(): void {
    this.stopped();
    this.#held = null;
  }

  /** The trainer that was to put a run away is gone. */
  stopped(): void {
    this.#stopping = false;
  }

  /** @returns whether the press has to wait; then it replaces the one that waits */
  #holds(press: () => void): boolean {
    if (this.waitsFor) this.#held = press;
    return this.isHeld;
  }

  #train(anew: boolean): void {
    const { run, trainer } = this.parts;
    if (this.#holds(() => this.train.run(anew))) return;
    if (anew || run.state !== 'paused' || !run.started) return this.startOver();
    run.expect('running');
    trainer.send(({ api }) => api.resume());
  }

  #step(): void {
    const { run, shown, trainer } = this.parts;
    if (this.#holds(() => this.step.run())) return;
    const { started } = run;
    if (run.state === 'paused' && started) {
      run.expect('running');
      trainer.send(({ api }) => api.step(started.config, shown.comparedWith));
    } else {
      this.#beginSetup(({ api }, config, author) => api.step(config, author));
    }
  }

  #pause(): void {
    this.parts.run.expect('pausing');
    this.parts.trainer.send(({ api }) => api.pause());
  }

  #extend(): void {
    const { setup, run } = this.parts;
    const isHere = sameJson(setup.config, run.started?.config);
    this.#begin(async ({ api }) => {
      const config = await api.extend(moreIterations);
      if (isHere && setup.preset) setup.load(setup.preset, config);
    }, null);
  }

  /** @param change gives the order, and resolves with the new config */
  #goOn(change: (api: TrainerClient['api']) => Promise<RunConfig>, leaves: Leaves): void {
    const { setup, run, shown } = this.parts;
    const before = run.started!.config;
    const isHere = sameJson(setup.config, before);
    const order: TrainerOrder = async ({ api }) => {
      const config = await change(api);
      shown.compareRun(config);
      const { source } = config.environment;
      if (isHere && source !== undefined && source !== before.environment.source)
        setup.loadOwn(config, await api.describeEnvironment(source));
      else if (isHere && setup.preset) setup.load(setup.preset, config);
    };
    this.#begin(order, undefined, leaves);
  }

  #resume(saved: SavedRun): void {
    this.parts.replaceSetup(() => this.parts.setup.loadLike(saved.config));
    this.parts.models.whenHere(saved.config, () => this.#restore(saved, false));
  }

  #reset(): void {
    const { run, chat, failures, notices, trainer } = this.parts;
    this.#held = null;
    if (run.state === 'idle') return;
    const left = Undo.leaving(run);
    this.#stopping = true;
    run.clear(null);
    chat.abandon();
    failures.clear();
    notices.clearRun();
    trainer.send(async ({ api }) => {
      await this.#undo.keep(api, left);
      await api.reset();
    });
  }

  #restore(saved: SavedRun, paused: boolean): void {
    if (this.#holds(() => this.#restore(saved, paused)) || !this.parts.canTrain()) return;
    const author = this.parts.shown.compareRun(saved.config);
    this.#begin(async ({ api }) => {
      await api.restore(saved.id, author);
      if (paused) await api.pause();
    }, saved.id);
  }

  /** Train was pressed while the setup has a problem. */
  #explainSetup(): void {
    if (this.parts.canTrain() && !this.parts.run.busy) this.startOver();
  }

  #beginSetup(order: (trainer: TrainerClient, config: RunConfig, author: OpenedLink | null) => Promise<void>): void {
    const { setup, shown, failures } = this.parts;
    const { config, problem } = setup;
    if (!config) return;
    if (problem !== null) {
      const action = { label: text.action.restorePreset, act: () => setup.restoreAll() };
      failures.show(text.failure.setup(problem), action);
      return;
    }
    const author = shown.compareRun(config);
    this.#begin((trainer) => order(trainer, config, author));
  }

  /**
   * @param opened id of the saved run that takes the place of the one on the page; null if that one goes on
   * @param leaves says what became of that one
   */
  #begin(order: TrainerOrder, opened?: string | null, leaves?: Leaves): void {
    const { run, shown, replay, chat, saved, notices, failures, trainer } = this.parts;
    const left = opened === null ? null : Undo.leaving(run);
    chat.abandon();
    failures.clear();
    notices.clearRun();
    saved.offered = null;
    replay.stop();
    shown.view = 'live';
    run.clear('preparing');
    trainer.resetFailures();
    this.#latest = () => this.#begin(order, opened, leaves);
    trainer.send(async (client) => {
      await this.#undo.keep(client.api, left, opened ?? undefined, leaves);
      await order(client);
    });
  }
}
