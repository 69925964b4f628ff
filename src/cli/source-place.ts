/** Finds the place in an environment's file that an error is about, and prints it as `FILE:line:column`. */

const exported = 'meta|tools|tasks|start|reward|context|summary|flow|demonstrate|policies';
/** Finds the export that an error names, and the field of `meta` or the tool. */
const subjects = new RegExp(
  `\\b(?:(meta)\\.(\\w+)|(?:tool |tools\\.)(\\w+)|(${exported})(?= (?:returned|lacks|failed|gave|made|must|has)\\b))`,
);

/** How the module of an environment is called in messages: its file if the command was given or has one. */
export function fileOf(subject: string, { name, source }: { readonly name: string; readonly source?: string }): string {
  if (source === undefined) return `src/environments/${name}/environment.js`;
  return /\.m?js$/.test(subject) ? subject : 'environment.js';
}

/**
 * A sentence about the module with the place of its fault: the one that the engine gave, else the place of the export
 * that it speaks of, if it speaks of one.
 * @param file path of the module
 */
export function withPlace(sentence: string, source: string, file: string): string {
  if (/environment\.js:\d/.test(sentence)) return sentence.replace(/environment\.js(?=:\d)/g, () => file);
  const at = positionOf(sentence, source);
  if (at < 0) return sentence;
  const lines = source.slice(0, at).split('\n');
  const place = ` (${file}:${lines.length}:${lines.at(-1)!.length + 1})`;
  return sentence.endsWith('.') ? `${sentence.slice(0, -1)}${place}.` : sentence + place;
}

function positionOf(sentence: string, source: string): number {
  const [, meta, field, tool, other] = subjects.exec(sentence) ?? [];
  if (tool !== undefined) return indexOf(new RegExp(`\\bname: *['"\`]${tool}['"\`]`), source, 0);
  const name = meta ?? other;
  if (name === undefined) return -1;
  const start = indexOf(
    new RegExp(`^export +(?:const|let|var|(?:async +)?function *\\*?) +${name}\\b`, 'm'),
    source,
    0,
  );
  const inside = field === undefined || start < 0 ? -1 : indexOf(new RegExp(`\\b${field}\\b *:`), source, start);
  return inside < 0 ? start : inside;
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  const at = text.slice(from).search(pattern);
  return at < 0 ? -1 : from + at;
}
