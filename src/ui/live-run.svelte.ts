/** The run of this tab as its events tell it: state, progress, metrics, rollouts. Sends nothing to the trainer. */
import type { Metrics, RolloutView, RunConfig, RunEvent, RunState } from '../worker/protocol';
import type { Reproduction } from './reproduction';
import { keepRollouts } from './rollout-window';
import type { Progress } from './run-status';
import { PhaseClock, StepClock } from './step-clock';

/** More rollouts than this are thinned, oldest first: at some kilobytes each they would fill the tab in a long run. */
const rolloutLimit = 4000;

export interface Started {
  readonly config: RunConfig;
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  readonly parameters: number;
}

/** Loss of the warm start at one of its steps. */
export interface WarmLoss {
  readonly step: number;
  readonly loss: number;
}

export class LiveRun {
  state = $state<RunState>('idle');
  progress = $state.raw<Progress | null>(null);
  /** What the trainer said when it began; null before a run and after a reset. */
  started = $state.raw<Started | null>(null);
  metrics = $state.raw<readonly Metrics[]>([]);
  rollouts = $state.raw<readonly RolloutView[]>([]);
  fingerprint = $state.raw<readonly string[]>([]);
  reproduction = $state.raw<Reproduction | null>(null);
  sampling = $state.raw<{ readonly prompt: string; readonly text: string } | null>(null);
  warmLosses = $state.raw<readonly WarmLoss[]>([]);
  stepMs = $state<number | null>(null);
  phaseLeftMs = $state<number | null>(null);
  /** Learned iterations that no downloaded checkpoint holds. */
  unsaved = $state(0);

  readonly iteration = $derived(this.metrics.at(-1)?.iteration ?? 0);
  readonly busy = $derived(this.state === 'preparing' || this.state === 'running' || this.state === 'pausing');
  readonly #clock = new StepClock();
  readonly #phase = new PhaseClock();

  /** Back to nothing, in the given state. */
  clear(state: RunState): void {
    this.state = state;
    this.progress = null;
    this.started = null;
    this.metrics = [];
    this.rollouts = [];
    this.fingerprint = [];
    this.reproduction = null;
    this.sampling = null;
    this.warmLosses = [];
    this.stepMs = null;
    this.phaseLeftMs = null;
    this.unsaved = 0;
    this.#clock.clear();
  }

  take(event: RunEvent, nowMs: number): void {
    switch (event.type) {
      case 'state':
        this.#enter(event.state);
        break;
      case 'progress':
        this.#advance(event, nowMs);
        break;
      case 'started':
        this.started = event;
        break;
      case 'warm-loss':
        this.warmLosses = [...this.warmLosses, event];
        break;
      case 'iteration':
        this.#iterate(event, nowMs);
        break;
      case 'live':
        this.sampling = event;
        break;
      case 'reproduction':
        this.reproduction = event;
        break;
    }
  }

  #advance(progress: Progress, nowMs: number): void {
    if (progress.phase !== this.progress?.phase) this.#phase.clear();
    this.progress = progress;
    this.phaseLeftMs = this.#phase.leftMs(progress.done, progress.total, nowMs);
  }

  #enter(state: RunState): void {
    this.state = state;
    if (state === 'running') return;
    this.#clock.interrupt();
    this.#phase.clear();
    this.phaseLeftMs = null;
    if (state !== 'preparing' && state !== 'pausing') {
      this.progress = null;
      this.sampling = null;
    }
  }

  #iterate(event: Extract<RunEvent, { type: 'iteration' }>, nowMs: number): void {
    this.#clock.tick(nowMs);
    this.stepMs = this.#clock.medianMs;
    this.progress = null;
    this.phaseLeftMs = null;
    this.metrics = [...this.metrics, event.metrics];
    this.rollouts = keepRollouts(this.rollouts, event.rollouts, rolloutLimit);
    this.fingerprint = event.fingerprint;
    this.unsaved += 1;
  }
}
