/**
 * The state of a run and its table of transitions. Whatever is told of a run's state is told from here. Pure.
 *
 *   new → preparing → running ⇄ pausing → paused      recover: back to preparing, or to reopening if a pause holds
 *   → finished, failed or dropped                     a dropped run takes every event and stays dropped
 */
import type { RunState } from './events';

/** `reopening`: preparing again after a fault, while a pause holds. */
export type RunPhase =
  'new' | 'preparing' | 'reopening' | 'running' | 'pausing' | 'paused' | 'finished' | 'failed' | 'dropped';

export const runPhases: readonly RunPhase[] = [
  'new',
  'preparing',
  'reopening',
  'running',
  'pausing',
  'paused',
  'finished',
  'failed',
  'dropped',
];

/**
 * `prepared`: the trainer stands and is warmed up. `arrive`: the run has come to the gate and waits there. `recover`: a
 * fault takes it back to its last good state. `finish` and `fail` are its own ends, `drop` is somebody's order.
 */
export type PhaseEvent = 'start' | 'prepared' | 'pause' | 'arrive' | 'resume' | 'recover' | 'finish' | 'fail' | 'drop';

export const phaseEvents: readonly PhaseEvent[] = [
  'start',
  'prepared',
  'pause',
  'arrive',
  'resume',
  'recover',
  'finish',
  'fail',
  'drop',
];

const ended = { drop: 'dropped' } as const;
const going = { finish: 'finished', fail: 'failed', drop: 'dropped' } as const;

const transitions: Readonly<Record<RunPhase, Partial<Record<PhaseEvent, RunPhase>>>> = {
  new: { start: 'preparing', drop: 'dropped' },
  preparing: { ...going, prepared: 'running', pause: 'pausing', recover: 'preparing' },
  reopening: {
    fail: 'failed',
    drop: 'dropped',
    prepared: 'pausing',
    pause: 'pausing',
    arrive: 'paused',
    resume: 'preparing',
    recover: 'reopening',
  },
  running: { ...going, prepared: 'running', pause: 'pausing', resume: 'running', recover: 'preparing' },
  pausing: {
    ...going,
    prepared: 'pausing',
    pause: 'pausing',
    arrive: 'paused',
    resume: 'running',
    recover: 'reopening',
  },
  paused: {
    fail: 'failed',
    drop: 'dropped',
    pause: 'paused',
    arrive: 'paused',
    resume: 'running',
    recover: 'reopening',
  },
  finished: ended,
  failed: ended,
  dropped: {
    prepared: 'dropped',
    arrive: 'dropped',
    recover: 'dropped',
    finish: 'dropped',
    fail: 'dropped',
    drop: 'dropped',
  },
};

/** An event that the table does not have: a fault of the program. */
export class WrongRunEvent extends Error {
  constructor(phase: RunPhase, event: PhaseEvent) {
    super(`A run that is ${phase} cannot take the event "${event}".`);
  }
}

/** @throws WrongRunEvent */
export function nextPhase(phase: RunPhase, event: PhaseEvent): RunPhase {
  const next = transitions[phase][event];
  if (next === undefined) throw new WrongRunEvent(phase, event);
  return next;
}

/** What is told of a phase; null for what nobody is told. */
export function shownState(phase: RunPhase): RunState | null {
  if (phase === 'reopening') return 'preparing';
  return phase === 'new' || phase === 'dropped' ? null : phase;
}

/** The run stops at the gate. */
export const isClosed = (phase: RunPhase): boolean =>
  phase === 'pausing' || phase === 'paused' || phase === 'reopening';

export const hasEnded = (phase: RunPhase): boolean => phase === 'finished' || phase === 'failed' || phase === 'dropped';
