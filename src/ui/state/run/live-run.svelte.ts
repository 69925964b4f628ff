/**
 * The run of this tab as its events tell it: state, progress, metrics, rollouts. Nobody else writes its state. Sends
 * nothing to the trainer.
 */
import { thin, thinWith, type ThinRule } from '../../../lib/thin';
import type { Reproduction, RunEvent, RunState, WarmLoss } from '../../../run/events';
import type { RunConfig } from '../../../config/config';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import { keepRollouts } from '../../../share/kept-rollouts';
import type { PhaseProgress } from './run-status';
import { RunClock, waitParts, type Wait, type WaitPart } from '../../../presentation/time-left';
import { WaitMemory } from './wait-memory';

/** More rollouts than this are thinned, oldest first: at some kilobytes each they would fill the tab in a long run. */
const maxRollouts = 4000;
/** Points of a curve, of which a chart can show no more. */
const maxPoints = 2000;
const metricsRule: ThinRule<Metrics> = {
  limit: maxPoints,
  at: (metrics) => metrics.iteration,
  matters: (metrics) => metrics.validationSuccess !== null,
};
const warmLossesRule: ThinRule<WarmLoss> = { limit: maxPoints, at: (loss) => loss.step };

/** [tasks][checkpoints]: the first is from before learning, the last the newest. */
export type Answers = readonly (readonly RolloutView[])[];

export interface Started {
  readonly config: RunConfig;
  readonly title: string;
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  readonly parameters: number;
}

/** The trainer's event at the start of a run. */
export type Begun = Omit<Extract<RunEvent, { type: 'begun' }>, 'type'>;

/** The checkpoints of the run that are kept. */
type Checkpoints = Omit<Extract<RunEvent, { type: 'checkpoints' }>, 'type'>;
const noCheckpoints: Checkpoints = { iterations: [], full: false };

export class LiveRun {
  /** The state that the last event told. */
  #told = $state<RunState>('idle');
  /** The state that an order leads to, until the next event tells one. */
  #pending = $state<RunState | null>(null);
  #started = $state.raw<Started | null>(null);
  readonly state = $derived(this.#pending ?? this.#told);
  /** The `started` event; null before a run, after a reset and without its trainer. */
  readonly started = $derived(this.#started);
  progress = $state.raw<PhaseProgress | null>(null);
  /** Ascending by iteration; of a long run not every iteration, but always the newest. */
  metrics = $state.raw<readonly Metrics[]>([]);
  rollouts = $state.raw<readonly RolloutView[]>([]);
  /** Answers to the same new tasks before the first step and at the last validation. [tasks][1 or 2] */
  sameTasks = $state.raw<Answers>([]);
  fingerprint = $state.raw<readonly string[]>([]);
  reproduction = $state.raw<Reproduction | null>(null);
  sampling = $state.raw<{ readonly prompt: string; readonly text: string } | null>(null);
  warmLosses = $state.raw<readonly WarmLoss[]>([]);
  iterationMs = $state<number | null>(null);
  /** The `begun` event; null before a run and after a reset. */
  begun = $state.raw<Begun | null>(null);
  /** The current or last part of the work. */
  part = $state<WaitPart>('prepare');
  /** Until the first iteration is done; null while unknown, and after it. */
  wait = $state.raw<Wait | null>(null);
  /** The last saved iteration, in this browser or in a file; 0 is the warm start. */
  savedAt = $state<number | null>(null);
  checkpoints = $state.raw(noCheckpoints);

  readonly iteration = $derived(this.metrics.at(-1)?.iteration ?? 0);
  /** Iterations since the last save. */
  readonly unsaved = $derived(Math.max(0, this.iteration - (this.savedAt ?? 0)));
  readonly busy = $derived(this.state === 'preparing' || this.state === 'running' || this.state === 'pausing');
  /** It has an agent. */
  readonly hasAgent = $derived(this.started !== null && this.state !== 'preparing' && this.state !== 'failed');
  readonly waits = new WaitMemory();
  readonly #clock = new RunClock();
  /** In the warm start, which continues after a pause. */
  #copying = false;

  /** An order was given: shows the state that it leads to before the trainer tells it. */
  expect(state: RunState): void {
    this.#pending = state;
  }

  /** The page tells a state that no trainer is there to tell. */
  tell(state: RunState): void {
    this.take({ type: 'state', state }, performance.now());
  }

  /** The trainer is gone, and the run's agent with it. */
  loseAgent(): void {
    this.#started = null;
  }

  /** Clears everything. @param next the state that the next order leads to; null if there is none */
  clear(next: RunState | null): void {
    this.tell('idle');
    this.#pending = next;
    this.#started = null;
    this.metrics = [];
    this.warmLosses = [];
    this.rollouts = [];
    this.sameTasks = [];
    this.fingerprint = [];
    this.reproduction = null;
    this.iterationMs = null;
    this.begun = null;
    this.part = 'prepare';
    this.#copying = false;
    this.savedAt = null;
    this.checkpoints = noCheckpoints;
    this.#clock.clear();
  }

  take(event: RunEvent, nowMs: number): void {
    switch (event.type) {
      case 'state':
        this.#enter(event.state, nowMs);
        break;
      case 'begun':
        this.#setOut(event, nowMs);
        break;
      case 'progress':
        this.#advance(event, nowMs);
        break;
      case 'started':
        this.#started = event;
        break;
      case 'restored':
        this.#restore(event);
        break;
      case 'saved':
        // The run before may have been saved to make room.
        if (event.id === this.begun?.id) this.savedAt = event.iteration;
        break;
      case 'checkpoints':
        this.checkpoints = event;
        break;
      case 'warm-loss':
        this.warmLosses = thinWith(this.warmLosses, event, warmLossesRule);
        break;
      case 'first-point':
        this.#add(event, nowMs);
        break;
      case 'iteration':
        this.#iterate(event, nowMs);
        break;
      case 'same-tasks':
        this.sameTasks = event.sameTasks;
        break;
      case 'live':
        this.sampling = event;
        break;
      case 'reproduction':
        this.reproduction = event;
        break;
      case 'notice':
        break;
    }
  }

  #advance(progress: PhaseProgress, nowMs: number): void {
    const { phase, done, total } = progress;
    this.progress = progress;
    if (phase === 'warm-start') {
      this.#enterPart('copy', nowMs);
      this.#copying = done < total;
    }
    if (phase !== 'evaluating') this.#clock.count(phase, done, total, nowMs);
    this.tick(nowMs);
  }

  /** Updates the waiting time without an event. */
  tick(nowMs: number): void {
    this.wait = this.#clock.left(nowMs);
  }

  #setOut(begun: Begun, nowMs: number): void {
    this.begun = begun;
    this.checkpoints = noCheckpoints;
    this.part = 'prepare';
    this.#copying = false;
    if (this.metrics.length > 0) return;
    const parts = begun.warmStart === 'trained' ? waitParts : waitParts.filter((part) => part !== 'copy');
    this.#clock.begin(parts, this.waits.of(begun.config), nowMs);
    this.tick(nowMs);
  }

  #enterPart(part: WaitPart, nowMs: number): void {
    this.part = part;
    this.#clock.enter(part, nowMs);
  }

  #stopWait(): void {
    this.#clock.stop();
    this.wait = null;
  }

  #enter(state: RunState, nowMs: number): void {
    this.#told = state;
    this.#pending = null;
    if (state === 'running' && !this.#copying) {
      this.#enterPart('try', nowMs);
      // The phase before has ended.
      this.progress = null;
      this.tick(nowMs);
    }
    if (state === 'running') return;
    this.#clock.interrupt();
    if (state !== 'preparing') this.#stopWait();
    if (state !== 'preparing' && state !== 'pausing') {
      this.progress = null;
      this.sampling = null;
    }
  }

  #restore(event: Extract<RunEvent, { type: 'restored' }>): void {
    this.metrics = thin(event.metrics, metricsRule);
    this.warmLosses = thin(event.warmLosses, warmLossesRule);
    if (event.metrics.length > 0) this.#stopWait();
    // A save holds the rollouts of its last iteration only; the older ones here belong to the same run.
    const older = this.rollouts.filter((rollout) => rollout.iteration < (event.rollouts[0]?.iteration ?? 0));
    this.rollouts = keepRollouts(older, event.rollouts, maxRollouts);
    this.sameTasks = event.sameTasks;
    this.fingerprint = event.fingerprint;
    this.savedAt = event.iteration;
    this.#clock.interrupt();
  }

  #iterate(event: Extract<RunEvent, { type: 'iteration' }>, nowMs: number): void {
    this.#clock.iterate(nowMs);
    this.iterationMs = this.#clock.iterationMs;
    this.#add(event, nowMs);
    this.fingerprint = event.fingerprint;
  }

  #add(event: { readonly metrics: Metrics; readonly rollouts: readonly RolloutView[] }, nowMs: number): void {
    this.progress = null;
    const waits = this.#clock.end(nowMs);
    if (waits && this.begun) this.waits.remember(this.begun.config, waits);
    this.#stopWait();
    // A run that was rolled back repeats some iterations.
    const { iteration } = event.metrics;
    const before =
      iteration > this.iteration ? this.rollouts : this.rollouts.filter((rollout) => rollout.iteration < iteration);
    this.metrics = thinWith(this.metrics, event.metrics, metricsRule);
    this.rollouts = keepRollouts(before, event.rollouts, maxRollouts);
  }
}
