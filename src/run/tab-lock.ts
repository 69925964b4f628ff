/**
 * Lets one tab of this browser train at a time, since all tabs share one device and one list of saved runs. The
 * browser frees the lock when its holder ends, crashes or is closed.
 */
export interface TabLock {
  /** @returns whether this tab holds the lock now */
  acquire(): Promise<boolean>;
  release(): void;
}

/** For runs that need not be the only ones. */
export const noLock: TabLock = { acquire: async () => true, release: () => undefined };

/** A tab that is being reloaded or closed, or whose worker hangs, may still hold the lock for seconds. */
const timeoutMs = 4000;

export class BrowserTabLock implements TabLock {
  private free: () => void = () => undefined;

  async acquire(): Promise<boolean> {
    this.release();
    return new Promise((resolve) => {
      const held = navigator.locks.request('agentlet trainer', { signal: AbortSignal.timeout(timeoutMs) }, () => {
        resolve(true);
        return new Promise<void>((free) => (this.free = free));
      });
      held.catch(() => resolve(false));
    });
  }

  release(): void {
    this.free();
    this.free = () => undefined;
  }
}
