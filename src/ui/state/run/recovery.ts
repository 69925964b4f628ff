/**
 * Recovery from a crash of the trainer: another trainer restores the run's last save, or the page says why not.
 */
import type { Remedy } from '../../../run/events';
import type { Action } from '../../base/notices.svelte';
import type { TabRun } from '../tab-run.svelte';
import type { Workspace } from '../workspace.svelte';
import { text } from './text';
import type { TrainerClient } from '../../trainer/trainer-client';
import type { Setup } from '../setup/setup.svelte';
import type { RunCommands } from './run-commands.svelte';

export interface RecoveryParts {
  readonly tabRun: Pick<TabRun, 'run' | 'chat' | 'shown'>;
  readonly workspace: Pick<Workspace, 'saved' | 'notices' | 'failures'>;
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
  const { remedy, restart } = parts;
  const { run, chat } = parts.tabRun;
  const { failures, notices } = parts.workspace;
  const wasPaused = run.state === 'paused';
  const hadRun = run.busy || wasPaused || run.state === 'finished';
  chat.abandon();
  if (!mayRestart) {
    if (hadRun) run.tell('failed');
    failures.show(text.failure.crash(reason), hadRun ? remedy('resume') : { label: text.action.again, act: restart });
    return;
  }
  if (hadRun) run.tell('preparing');
  else run.loseAgent();
  const trainer = await parts.start();
  if (!trainer) return;
  if (hadRun) await handOver(trainer, reason, wasPaused, parts);
  else notices.show({ kind: 'crash', sentence: text.notice.crashIdle(reason), action: null });
}

/** Hands a new trainer the run that the crashed one had. */
async function handOver(trainer: TrainerClient, reason: string, paused: boolean, parts: RecoveryParts): Promise<void> {
  const { run, shown } = parts.tabRun;
  const { saved, notices, failures } = parts.workspace;
  await saved.refresh(trainer.api);
  const kept = saved.of(run.begun?.id);
  if (!kept) {
    run.tell('failed');
    failures.show(text.failure.crashUnsaved(reason), parts.remedy('start-over'));
    return;
  }
  await trainer.api.restore(kept.id, shown.comparedWith);
  if (paused) await trainer.api.pause();
  notices.show({ kind: 'crash', sentence: text.notice.crash(reason, kept), action: null });
}

export interface RemedyParts {
  readonly setup: Pick<Setup, 'halveBatch' | 'halveRate'>;
  readonly commands: Pick<RunCommands, 'startOver' | 'repeat'>;
  findDevices(): void;
  /** Resumes the latest save of the run that was here. */
  resumeLatest(): void;
  download(): void;
}

/** Null if there is nothing to press. */
export function remedyAction(remedy: Remedy, parts: RemedyParts): Action | null {
  if (remedy === 'none') return null;
  const { setup, commands } = parts;
  const actions: Record<Exclude<Remedy, 'none'>, () => void> = {
    'start-over': () => commands.startOver(),
    resume: () => parts.resumeLatest(),
    'try-again': () => {
      parts.findDevices();
      commands.repeat();
    },
    download: () => parts.download(),
    'halve-batch': () => {
      setup.halveBatch();
      commands.startOver();
    },
    'halve-rate': () => {
      setup.halveRate();
      commands.startOver();
    },
  };
  return { label: text.remedy[remedy], act: actions[remedy] };
}
