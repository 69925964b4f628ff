/**
 * What a person should know and need not act on at once: the newest sentence of each kind, each with at most one thing
 * to press.
 */

export interface PageNotice {
  /** A newer notice of the same kind takes this one's place. */
  readonly kind: string;
  readonly sentence: string;
  /** The thing to press, if there is one; pressing it also takes the notice away. */
  readonly action: Action | null;
}

export interface Action {
  readonly label: string;
  readonly act: () => void;
}

export class Notices {
  /** Oldest first. */
  list = $state.raw<readonly PageNotice[]>([]);

  show(notice: PageNotice): void {
    this.dismiss(notice.kind);
    this.list = [...this.list, notice];
  }

  dismiss(kind: string): void {
    this.list = this.list.filter((notice) => notice.kind !== kind);
  }

  /** Takes away what was said of a run; what concerns the page stays. */
  clearRun(): void {
    this.list = this.list.filter((notice) => notice.kind === 'setup');
  }
}
