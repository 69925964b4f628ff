/** Notices, which need no action at once: the newest of each kind, each with at most one button. */
import { visible } from '../../lib/visible-source';

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

/** The fault that the page shows: what happened, what is safe, and at most one button. */
export class Failures {
  current = $state.raw<Omit<PageNotice, 'kind'> | null>(null);

  /** Shows a fault in place of the one before; pressing the button takes it away. */
  show(sentence: string, action: Action | null): void {
    const closing = action && {
      label: action.label,
      act: () => {
        this.clear();
        action.act();
      },
    };
    this.current = { sentence: visible(sentence), action: closing };
  }

  clear(): void {
    this.current = null;
  }
}
