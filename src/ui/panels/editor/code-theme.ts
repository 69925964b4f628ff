/** The look of the code editor, from the page's colours; both themes come with them. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Only colours that keep 4.5:1 on a well. */
export const highlightStyle = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.comment], color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--series-3)' },
  { tag: [tags.className, tags.typeName], color: 'var(--series-7)' },
]);

export const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface-sunken)',
    fontSize: 'var(--text-small)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--text-muted)',
    backgroundColor: 'var(--surface-sunken)',
    border: 'none',
    borderRight: '1px solid var(--border)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--surface-hover) 55%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'var(--surface-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-soft)', outline: '1px solid var(--bad)' },
  '.cm-hidden': { color: 'var(--warn)', backgroundColor: 'var(--warn-soft)', unicodeBidi: 'isolate' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--warn)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface-raised)', fontFamily: 'var(--font)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: 'var(--space-2)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-small)' },
  '.cm-textfield': {
    minHeight: '28px',
    color: 'var(--text)',
    fontSize: 'var(--text-small)',
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-button': {
    minHeight: '28px',
    color: 'var(--text)',
    fontSize: 'var(--text-small)',
    background: 'var(--surface-raised)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-panel button[name=close]': { minWidth: '24px', minHeight: '24px', color: 'var(--text)', fontSize: '1.25em' },
  '.cm-tooltip': {
    maxWidth: 'min(32rem, 90vw)',
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-small)',
    boxShadow: 'var(--shadow-overlay)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-small)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--accent-text)', backgroundColor: 'var(--accent)' },
  '.cm-completionMatchedText': { fontWeight: '700', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.85' },
  '.cm-tooltip.cm-completionInfo': { padding: 'var(--space-2) var(--space-3)' },
  '.cm-diagnostic': { padding: 'var(--space-1) var(--space-2)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)' },
  '.cm-sdk': { padding: 'var(--space-2) var(--space-3)' },
  '.cm-sdk code': { fontFamily: 'var(--font-mono)', color: 'var(--accent)' },
  '.cm-sdk p': { margin: 'var(--space-1) 0 0' },
});
