/** The fault that the page shows: what happened, what is safe, and at most one button. */
import { visible } from '../setup/visible-source';
import type { Action, PageNotice } from '../shell/notices.svelte';

export class Failures {
  current = $state.raw<Omit<PageNotice, 'kind'> | null>(null);

  /** Shows a fault in place of the one before; pressing the button takes it away. */
  show(sentence: string, action: Action | null): void {
    const closing = action && { label: action.label, act: () => (this.clear(), action.act()) };
    this.current = { sentence: visible(sentence), action: closing };
  }

  clear(): void {
    this.current = null;
  }
}
