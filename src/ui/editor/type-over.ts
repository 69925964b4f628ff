/** Typing over a selection. Left to the browser, it inserts style attributes, which the policy of the page forbids. */
import { EditorView } from '@codemirror/view';

export const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { selection } = view.state;
    if (inputType !== 'insertText' || data === null || selection.main.empty || view.composing) return false;
    const { from, to } = selection.main;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    // Brackets are put around what is selected.
    const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!handled) view.dispatch(insert());
    return true;
  },
});
