/**
 * Merges the browser's events about hidden, sleeping and closing pages into three, and tells whether a tab of this
 * browser trains. Decides nothing.
 */

export interface PageLifeListeners {
  /** The page was hidden, is being left or put to sleep: it may never run again. */
  leaving(): void;
  /** The page is visible again after `awayMs` milliseconds. */
  returned(awayMs: number): void;
  /** The page was asleep: nothing ran, and the device may be gone. */
  woke(): void;
}

/** Listens until the returned function is called. @param nowMs a clock that goes on while the page sleeps */
export function watchPageLife(on: PageLifeListeners, nowMs: () => number = () => Date.now()): () => void {
  let hiddenAtMs: number | null = null;
  const leave = (): void => {
    hiddenAtMs ??= nowMs();
    on.leaving();
  };
  const change = (): void => {
    if (document.visibilityState === 'hidden') return leave();
    if (hiddenAtMs !== null) on.returned(nowMs() - hiddenAtMs);
    hiddenAtMs = null;
  };
  const wake = (): void => on.woke();
  document.addEventListener('visibilitychange', change);
  document.addEventListener('freeze', leave);
  document.addEventListener('resume', wake);
  window.addEventListener('pagehide', leave);
  return () => {
    document.removeEventListener('visibilitychange', change);
    document.removeEventListener('freeze', leave);
    document.removeEventListener('resume', wake);
    window.removeEventListener('pagehide', leave);
  };
}

/** Held by the trainer worker (run/tab-lock.ts) while it has a run. */
const lockName = 'agentlet trainer';

export async function isSomeTabTraining(locks: Pick<LockManager, 'query'> | undefined): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName);
}
