/** Search and replace in the code. */
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { StateEffect } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';

const extended = new WeakSet<EditorView>();

export function openSearch(view: EditorView): void {
  if (!extended.has(view)) {
    const extension = [search({ top: true }), keymap.of(searchKeymap), highlightSelectionMatches()];
    view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
    extended.add(view);
  }
  openSearchPanel(view);
}
