/**
 * The code editor: CodeMirror with JavaScript, the SDK, search and marks of mistakes. It lives in a shadow root, where
 * its style sheets are adopted; in the document it would insert style elements, which the policy of the page forbids.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect, Transaction, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { escapeOf, hiddenCharacter } from '../../../lib/visible-source';
import { highlightStyle, theme } from './code-theme';
import { mistakes, setFindings, type Finding } from './mistakes';
import { placeOf } from './source';

/** Typing over a selection. Left to the browser, it inserts style attributes, which the policy of the page forbids. */
const typeOver = EditorView.domEventHandlers({
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

/** For how long after Escape the key Tab leaves the code. */
const leaveMs = 4000;

export interface CodeEditorOptions {
  readonly label: string;
  readonly text: string;
  readonly onchange: (text: string) => void;
  /** The caret stands in another place. */
  readonly onmove: (line: number, column: number) => void;
  readonly oncheck: () => void;
}

export class CodeEditor {
  readonly #view: EditorView;

  constructor(host: HTMLElement, options: CodeEditorOptions) {
    const root = host.attachShadow({ mode: 'open' });
    const state = EditorState.create({ doc: options.text, extensions: extensionsOf(options) });
    this.#view = new EditorView({ state, parent: root, root });
    // What is not needed at once comes later, or not at all where the connection is gone.
    import('./sdk').then(
      ({ sdk }) => this.#view.dispatch({ effects: StateEffect.appendConfig.of(sdk) }),
      () => undefined,
    );
  }

  focus(): void {
    this.#view.focus();
  }

  /** Replaces the whole text, as one step that can be undone. @param undoable false for the text to begin with */
  replace(text: string, undoable = true): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({
      changes: { from: 0, to: length, insert: text },
      selection: { anchor: 0 },
      annotations: Transaction.addToHistory.of(undoable),
    });
    this.#view.scrollDOM.scrollTop = 0;
    this.focus();
  }

  /** Puts the caret at a place; one past the end is the end. */
  goTo(line: number, column: number): void {
    const anchor = placeOf(this.#view.state.doc, line, column);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.focus();
  }

  /** Marks what a check of this text found at a line, until the next edit. */
  mark(findings: readonly Finding[]): void {
    this.#view.dispatch({ effects: setFindings.of(findings) });
  }

  destroy(): void {
    this.#view.destroy();
  }
}

const extensionsOf = ({ label, onchange, onmove, oncheck }: CodeEditorOptions): Extension => [
  // Before the editor's own keys, which give Mod-Enter a new line.
  keymap.of([
    {
      key: 'Mod-Enter',
      run: () => {
        oncheck();
        return true;
      },
    },
    // Tab leaves the code for a moment. The dialog stays open.
    {
      key: 'Mod-f',
      run: (view) => {
        loadSearch(view);
        return true;
      },
    },
    {
      key: 'Escape',
      run: (view) => {
        view.setTabFocusMode(leaveMs);
        return false;
      },
      preventDefault: true,
    },
  ]),
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSpecialChars({ specialChars: hiddenCharacter, render: hiddenMark }),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  typeOver,
  javascript(),
  syntaxHighlighting(highlightStyle),
  theme,
  mistakes,
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
  EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
    if (docChanged) onchange(state.doc.toString());
    if (!docChanged && !selectionSet) return;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    onmove(line.number, head - line.from + 1);
  }),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
];

function loadSearch(view: EditorView): void {
  import('./code-search').then(
    ({ openSearch }) => openSearch(view),
    () => undefined,
  );
}

/** An invisible character, shown as its escape. */
function hiddenMark(code: number): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'cm-hidden';
  mark.textContent = escapeOf(String.fromCodePoint(code));
  return mark;
}
