/**
 * Recovery from a crash of the trainer: another trainer restores the run's last save, or the page says why not.
 */
import type { Remedy } from '../../worker/protocol';
import type { OpenedLink } from '../../rl/config/run-link';
import type { Chat } from './chat.svelte';
import type { Failures } from './failures.svelte';
import type { LiveRun } from './live-run.svelte';
import type { Action, Notices } from '../shell/notices.svelte';
import type { SavedRunsView } from './saved-runs.svelte';
import { text } from './text';
import type { TrainerClient } from '../trainer/trainer-client';

export interface RecoveryParts {
  readonly run: LiveRun;
  readonly chat: Chat;
  readonly saved: SavedRunsView;
  readonly notices: Notices;
  readonly failures: Failures;
  /** The author whom the run is compared with. */
  readonly author: () => OpenedLink | null;
  /** Starts another trainer; null if that failed and the page says so. */
  readonly start: () => Promise<TrainerClient | null>;
  readonly restart: () => void;
  readonly remedy: (remedy: Remedy) => Action | null;
}

/**
 * @param mayRestart false once too many trainers crashed at the same place. Rejects if the new trainer cannot take the
 * run.
 */
export async function recoverFrom(reason: string, mayRestart: boolean, parts: RecoveryParts): Promise<void> {
  const { run, remedy, failures } = parts;
  const wasPaused = run.state === 'paused';
  const hadRun = run.busy || wasPaused || run.state === 'finished';
  parts.chat.abandon();
  if (!mayRestart) {
    if (hadRun) run.state = 'failed';
    failures.show(
      text.failure.crash(reason),
      hadRun ? remedy('resume') : { label: text.action.again, act: parts.restart },
    );
    return;
  }
  if (hadRun) run.state = 'preparing';
  else run.started = null;
  const trainer = await parts.start();
  if (!trainer) return;
  if (hadRun) await handOver(trainer, reason, wasPaused, parts);
  else parts.notices.show({ kind: 'crash', sentence: text.notice.crashIdle(reason), action: null });
}

/** Hands a new trainer the run that the crashed one had. */
async function handOver(trainer: TrainerClient, reason: string, paused: boolean, parts: RecoveryParts): Promise<void> {
  const { run, saved, notices, remedy, failures } = parts;
  await saved.refresh(trainer.api);
  const kept = saved.of(run.begun?.id);
  if (!kept) {
    run.state = 'failed';
    failures.show(text.failure.crashUnsaved(reason), remedy('start-over'));
    return;
  }
  await trainer.api.restore(kept.id, parts.author());
  if (paused) await trainer.api.pause();
  notices.show({ kind: 'crash', sentence: text.notice.crash(reason, kept), action: null });
}
