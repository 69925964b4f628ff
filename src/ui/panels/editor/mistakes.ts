/** Mistakes in the code, marked at their line: what cannot be parsed, and what the last check found. */
import { ensureSyntaxTree } from '@codemirror/language';
import { linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { placeOf, type SourcePlace } from './source';
import { text } from './text';

/** What a check found at a place. */
export interface Finding extends SourcePlace {
  readonly kind: 'note' | 'problem';
  readonly text: string;
}

export const setFindings = StateEffect.define<readonly Finding[]>();

/** Findings of the present text: an edit drops them. */
const findings = StateField.define<readonly Finding[]>({
  create: () => [],
  update: (before, { effects, docChanged }) =>
    effects.find((effect) => effect.is(setFindings))?.value ?? (docChanged ? [] : before),
});

const delayMs = 300;
const parseMs = 100;
const maxSyntaxErrors = 5;

export const mistakes: Extension = [
  findings,
  lintGutter(),
  linter(({ state }) => mistakesIn(state), {
    delay: delayMs,
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(setFindings))),
  }),
];

/** What a check found; where nothing was, what the parser cannot read. */
export function mistakesIn(state: EditorState): Diagnostic[] {
  const found = state.field(findings).map(({ kind, text: message, line, column }): Diagnostic => {
    const from = placeOf(state.doc, line, column);
    return { from, to: endOfWord(state, from), severity: kind === 'problem' ? 'error' : 'warning', message };
  });
  return found.length > 0 ? found : syntaxErrors(state);
}

function syntaxErrors(state: EditorState): Diagnostic[] {
  const errors: Diagnostic[] = [];
  ensureSyntaxTree(state, state.doc.length, parseMs)?.iterate({
    enter({ type, from }) {
      if (!type.isError || errors.length === maxSyntaxErrors) return;
      if (errors.at(-1)?.from === from) return;
      errors.push({ from, to: endOfWord(state, from), severity: 'error', message: text.syntax });
    },
  });
  return errors;
}

/** The end of the word at a place, or of the character there; never past its line. */
function endOfWord(state: EditorState, from: number): number {
  const word = state.wordAt(from);
  return word && word.to > from ? word.to : Math.min(from + 1, state.doc.lineAt(from).to);
}
