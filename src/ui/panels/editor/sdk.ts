/** What of the SDK can stand at a place of the code: offered while typing, and explained under the pointer. */
import { autocompletion, snippetCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import words, { type SdkWord } from 'virtual:sdk-words';

/** How long a completion waits for the parser, which a slow computer has not given time enough yet. */
const parseMs = 50;

/** Types of what the guide's examples call by these names. */
const typeOfName: Readonly<Record<string, string>> = {
  rng: 'Random',
  task: 'Task',
  step: 'Step',
  call: 'ToolCall',
  outcome: 'Outcome',
  message: 'Message',
  moment: 'Moment',
};

export const sdkCompletion: CompletionSource = (context) => {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  if (/^export\s/.test(before) && /^export\s+((function\*?|const)\s+)?\w*$/.test(before))
    return { from: line.from, options: wordsOf('export').map(exportCompletion), filter: true };
  const word = context.matchBefore(/\w+|\./);
  if (!word && !explicit) return null;
  const kind = kindAt(state, nodeBefore(state, pos));
  const from = word && word.text !== '.' ? word.from : pos;
  const options = wordsOf(kind).map(completion);
  if (kind === 'agentlet' && /^\w*$/.test(before)) options.push(...wordsOf('export').map(exportCompletion));
  return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
};

/** The word of the SDK at a place, or null. */
export function sdkWordAt(state: EditorState, pos: number): { word: SdkWord; from: number; to: number } | null {
  const range = state.wordAt(pos);
  if (!range) return null;
  const node = nodeBefore(state, range.to);
  const name = state.sliceDoc(range.from, range.to);
  const word = wordsOf(kindAt(state, node)).find((each) => each.name === name);
  return word ? { word, from: range.from, to: range.to } : null;
}

export const sdk: Extension = [
  autocompletion(),
  javascriptLanguage.data.of({ autocomplete: sdkCompletion }),
  hoverTooltip(({ state }, pos) => sdkTooltip(state, pos)),
];

/** The explanation of the word at a place, above it; null where there is none. */
export function sdkTooltip(state: EditorState, pos: number): Tooltip | null {
  const found = sdkWordAt(state, pos);
  return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: explanation(found.word) }) };
}

const wordsOf = (kind: string | null): readonly SdkWord[] => words.filter((word) => word.of === kind);

const completion = ({ of, name, signature, about }: SdkWord): Completion => ({
  label: name,
  detail: signature.replace(name, '').trim(),
  info: about,
  boost: 1,
  type: of === 'agentlet' || signature.startsWith(`${name}(`) ? 'function' : 'property',
});

/** An export with its keyword, to be filled in. */
function exportCompletion({ name, signature, about }: SdkWord): Completion {
  const isFunction = signature.includes('(');
  const head = `export ${isFunction ? `function${name === 'flow' ? '*' : ''} ${signature}` : `const ${name} =`}`;
  const body = name === 'tools' ? '[\n\t${}\n];' : isFunction ? '{\n\t${}\n}' : '{\n\t${}\n};';
  const plain = head.replace(/[{}]/g, (brace) => `\\${brace}`);
  return snippetCompletion(`${plain} ${body}`, { label: head, displayLabel: name, detail: 'export', info: about });
}

/**
 * The innermost node that begins before a place and reaches it. The parser reads to the end of the text: a tree that
 * ends at the place takes an unfinished object for a block.
 */
const nodeBefore = (state: EditorState, pos: number): SyntaxNode =>
  (ensureSyntaxTree(state, state.doc.length, parseMs) ?? syntaxTree(state)).resolveInner(pos, -1);

/** Where a node's word belongs, as `of` of the SDK's words; null where none of them can stand. */
function kindAt(state: EditorState, node: SyntaxNode): string | null {
  const text = (each: SyntaxNode | null | undefined) => (each ? state.sliceDoc(each.from, each.to) : '');
  const { parent } = node;
  if (/Comment|String|RegExp/.test(node.name)) return null;
  if (parent?.name === 'MemberExpression' && (node.name === '.' || node.name === 'PropertyName'))
    return typeOfName[text(parent.firstChild)] ?? null;
  if (node.name === 'ImportGroup' || parent?.name === 'ImportGroup') return 'agentlet';
  if (node.name === 'VariableDefinition' || node.name === 'export')
    return parent?.parent?.name === 'ExportDeclaration' ? 'export' : null;
  const object = node.name === 'ObjectExpression' ? node : node.name === 'PropertyDefinition' ? parent?.parent : null;
  if (!object) return parent && /Pattern|ParamList/.test(parent.name) ? null : 'agentlet';
  const owner = object.parent;
  if (owner?.name === 'VariableDeclaration')
    return text(owner.getChild('VariableDefinition')) === 'meta' ? 'meta' : null;
  return owner?.name === 'ArgList' && text(owner.parent?.firstChild) === 'tool' ? 'tool' : null;
}

function explanation({ signature, about }: SdkWord): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-sdk';
  const code = box.appendChild(document.createElement('code'));
  code.textContent = signature;
  if (about !== '') box.appendChild(document.createElement('p')).textContent = about;
  return box;
}
