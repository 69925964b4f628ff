/** Notices, which need no action at once: the newest of each kind, each with at most one button. */

export interface PageNotice {
  /** A newer notice of the same kind takes this one's place. */
  readonly kind: string;
  readonly sentence: string;
  /** The button, if there is one; pressing it also dismisses the notice. */
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

  /** Removes the notices about a run; those about the setup and the queue stay. */
  clearRun(): void {
    this.list = this.list.filter(({ kind }) => kind === 'setup' || kind === 'queue');
  }
}
