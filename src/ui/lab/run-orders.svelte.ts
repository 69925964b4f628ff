/**
 * The orders for the run of this tab: train, step, pause, extend, resume a saved run, reset. A run that makes room for
 * another is saved first.
 */
import type { RunConfig } from '../../rl/config/config';
import type { OpenedLink } from '../../rl/config/run-link';
import type { SavedRun } from '../../worker/protocol';
import { sameJson } from '../setup/config-path';
import type { Setup } from '../setup/setup.svelte';
import type { Notices } from '../shell/notices.svelte';
import type { TrainerClient } from '../trainer/trainer-client';
import type { Chat } from './chat.svelte';
import type { DisplayedRun } from './displayed-run.svelte';
import type { Failures } from './failures.svelte';
import type { LiveRun } from './live-run.svelte';
import { moreIterations } from './more-iterations';
import { PressQueue } from './press-queue.svelte';
import type { Replay } from './replay.svelte';
import type { SavedRunsView } from './saved-runs.svelte';
import { text } from './text';
import { Undo } from './undo';

export type Order = (trainer: TrainerClient) => Promise<void>;

export interface RunOrderParts {
  readonly setup: Setup;
  readonly run: LiveRun;
  readonly shown: DisplayedRun;
  readonly replay: Replay;
  readonly chat: Chat;
  readonly saved: SavedRunsView;
  readonly notices: Notices;
  readonly failures: Failures;
  /** Devices and a setup are known. */
  readonly canTrain: () => boolean;
  /** It is still unknown whether there is a GPU. */
  readonly isLooking: () => boolean;
  /** Gives the order to the trainer, if there is one, and reports a rejection. */
  readonly send: (order: Order) => void;
  /** Replaces the setup; a notice gives the visitor's own edits back. */
  readonly replaceSetup: (load: () => void) => void;
  readonly onBegin: () => void;
}

export class RunOrders {
  readonly queue: PressQueue;
  readonly #undo: Undo;
  /** The last order that began a run. */
  #latest: (() => void) | null = null;

  constructor(private readonly parts: RunOrderParts) {
    this.queue = new PressQueue(parts.isLooking);
    this.#undo = new Undo(parts.saved, parts.notices, (run, paused) => this.#restore(run, paused));
  }

  /** Train: resumes the paused run, or starts a run of the setup. @param anew start one even if a run is paused */
  train(anew = false): void {
    const { run } = this.parts;
    if (this.queue.takes(() => this.train(anew)) || !this.#mayBegin) return;
    if (!anew && run.state === 'paused' && run.started) {
      run.state = 'running';
      this.parts.send((trainer) => trainer.api.resume());
    } else {
      this.startOver();
    }
  }

  step(): void {
    const { run, shown } = this.parts;
    if (this.queue.takes(() => this.step()) || !this.#mayBegin || run.state === 'finished') return;
    const { started } = run;
    if (run.state === 'paused' && started) {
      run.state = 'running';
      this.parts.send((trainer) => trainer.api.step(started.config, shown.comparedWith));
    } else {
      this.#beginSetup((trainer, config, author) => trainer.api.step(config, author));
    }
  }

  startOver(): void {
    this.#beginSetup((trainer, config, author) => trainer.api.train(config, author));
  }

  /** Gives the last order that began a run again. */
  repeat(): void {
    this.#latest?.();
  }

  pause(): void {
    const { run } = this.parts;
    if (run.state !== 'running' && run.state !== 'preparing') return;
    run.state = 'pausing';
    this.parts.send((trainer) => trainer.api.pause());
  }

  /** Continues the finished run at the learning rate it ended with. The finished run stays saved. */
  extend(): void {
    const { setup, run } = this.parts;
    const { started } = run;
    if (!this.parts.canTrain() || run.state !== 'finished' || !started) return;
    const isHere = sameJson(setup.config, started.config);
    this.#begin(async (trainer) => {
      const config = await trainer.api.extend(moreIterations);
      if (isHere && setup.preset) setup.load(setup.preset, config);
    }, null);
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

  /**
   * Goes on from a state of the run under another config, as a new run. The run so far stays saved.
   * @param change gives the order, and resolves with the new config @param leaves says what became of the run so far
   */
  goOn(change: (api: TrainerClient['api']) => Promise<RunConfig>, leaves: (run: SavedRun) => string): void {
    const { setup, run, shown } = this.parts;
    const { started } = run;
    if (!this.parts.canTrain() || !started || run.state === 'preparing' || run.state === 'pausing') return;
    const isHere = sameJson(setup.config, started.config);
    const order: Order = async ({ api }) => {
      const config = await change(api);
      shown.compareRun(config);
      const { source } = config.environment;
      if (isHere && source !== undefined && source !== started.config.environment.source)
        setup.loadOwn(config, await api.describeEnvironment(source));
      else if (isHere && setup.preset) setup.load(setup.preset, config);
    };
    this.#begin(order, undefined, leaves);
  }

  /** Resumes a saved run; the run in the trainer is saved first. */
  resume(saved: SavedRun): void {
    if (!this.#mayBegin) return;
    this.parts.replaceSetup(() => this.parts.setup.loadLike(saved.config));
    this.#restore(saved, false);
  }

  /** Back to before iteration 1; the setup is kept, edits and all. */
  reset(): void {
    const { run, chat, failures, notices } = this.parts;
    this.queue.pressed = null;
    if (run.state === 'idle') return;
    const left = Undo.leaving(run);
    this.queue.stopping = true;
    run.clear('idle');
    chat.abandon();
    failures.clear();
    notices.clearRun();
    this.parts.send(async (trainer) => {
      await this.#undo.keep(trainer.api, left);
      await trainer.api.reset();
      this.queue.release();
    });
  }

  get #mayBegin(): boolean {
    return this.parts.canTrain() && !this.parts.run.busy;
  }

  #restore(saved: SavedRun, paused: boolean): void {
    if (this.queue.takes(() => this.#restore(saved, paused)) || !this.parts.canTrain()) return;
    const author = this.parts.shown.compareRun(saved.config);
    this.#begin(async (trainer) => {
      await trainer.api.restore(saved.id, author);
      if (paused) await trainer.api.pause();
    }, saved.id);
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
  #begin(order: Order, opened?: string | null, leaves?: (run: SavedRun) => string): void {
    const { run, shown, replay, chat, saved, notices, failures } = this.parts;
    const left = opened === null ? null : Undo.leaving(run);
    chat.abandon();
    failures.clear();
    notices.clearRun();
    saved.offered = null;
    replay.stop();
    shown.view = 'live';
    run.clear('preparing');
    this.parts.onBegin();
    this.#latest = () => this.#begin(order, opened, leaves);
    this.parts.send(async (trainer) => {
      await this.#undo.keep(trainer.api, left, opened ?? undefined, leaves);
      await order(trainer);
    });
  }
}
