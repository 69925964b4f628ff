/**
 * Whose turn it is: of all tabs of this browser one trains at a time, since they share one GPU and one list of saved
 * runs. The browser gives the turn on when its holder ends, crashes or is closed.
 */
export interface Turn {
  /** Whether it is this tab's turn now. */
  take(): Promise<boolean>;
  free(): void;
}

/**
 * A tab that is just being reloaded or closed may still hold it, and so may a worker that hangs: browsers give it
 * seconds to end.
 */
const patienceMs = 4000;

export class TabTurn implements Turn {
  private give: () => void = () => undefined;

  async take(): Promise<boolean> {
    this.free();
    return new Promise((resolve) => {
      const held = navigator.locks.request('agentlet trainer', { signal: AbortSignal.timeout(patienceMs) }, () => {
        resolve(true);
        return new Promise<void>((give) => (this.give = give));
      });
      held.catch(() => resolve(false));
    });
  }

  free(): void {
    this.give();
    this.give = () => undefined;
  }
}
