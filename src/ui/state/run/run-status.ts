/** The run's state in words: the visible status line, and the rarer announcements for screen readers. */
import type { RunState } from '../../../run/events';
import type { Wait } from '../../../presentation/time-left';
import { formatDuration, formatPlain } from '../../../lib/format';
import { text } from './text';

const words = text.status;

/**
 * What a press that comes too early waits for: to know whether there is a GPU, the end of a run that was reset, or the
 * setup's pretrained model.
 */
export type Waiting = 'gpu' | 'stop' | 'model';

export interface PhaseProgress {
  readonly phase: 'compiling' | 'warm-start' | 'evaluating';
  readonly done: number;
  readonly total: number;
}

export interface RunStatus {
  readonly state: RunState;
  readonly progress: PhaseProgress | null;
  /** Iterations done and planned. */
  readonly iteration: number;
  readonly total: number;
  /** Median of an iteration; null while unknown. */
  readonly iterationMs: number | null;
  /** Until the first iteration is done; null while unknown, and after it. */
  readonly wait: Wait | null;
  /** What a press must wait for. */
  readonly waitsFor: Waiting | null;
  /** Train or Step was pressed and waits. */
  readonly queued: boolean;
}

function phaseText({ phase, done, total }: PhaseProgress): string {
  if (phase === 'compiling') return words.compiling(done, total);
  return phase === 'warm-start' ? words.copying(done, total) : words.validating(done, total);
}

/** When the curves will begin. */
export function waitText({ ms, atLeast }: Wait): string {
  if (atLeast) return words.firstPoint.atLeast(formatDuration(ms));
  return ms < 1000 ? words.firstPoint.now : words.firstPoint.about(formatDuration(ms));
}

/** Holds `iteration k/n` in every state: people and tests look for it. */
export function statusText(status: RunStatus): string {
  const step = words.step(status.iteration, status.total);
  const wait = status.wait && waitText(status.wait);
  const join = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');
  const phase = status.progress ? phaseText(status.progress) : null;
  switch (status.state) {
    case 'idle':
      if (status.waitsFor) return join(text.run.waitsFor[status.waitsFor](status.queued), step);
      return join(words.ready, step);
    case 'preparing':
      return join(phase ?? words.preparing, step, wait);
    case 'running':
      // A run that was paused in its warm start continues with it.
      if (phase !== null && status.progress?.phase !== 'evaluating') return join(phase, step, wait);
      return join(words.training(step), phase, wait, ...pace(status));
    default:
      return join(words[status.state], step);
  }
}

function pace(status: RunStatus): string[] {
  if (status.iterationMs === null || status.iterationMs <= 0) return [];
  const leftMs = (status.total - status.iteration) * status.iterationMs;
  return [words.left(formatDuration(leftMs)), words.rate(formatPlain(1000 / status.iterationMs))];
}

/**
 * Changes when a new announcement is due: at a change of state or phase, and at every tenth of the run. Never a step.
 */
export function announcementKey(status: RunStatus): string {
  const tenth = status.state === 'running' ? Math.floor((10 * status.iteration) / Math.max(1, status.total)) : 0;
  const phase = status.state === 'preparing' ? (status.progress?.phase ?? '') : '';
  return `${status.state} ${status.waitsFor === 'stop' ? 'stop' : ''} ${status.queued} ${phase} ${tenth}`;
}
