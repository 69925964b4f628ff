/**
 * Loads `shaders/*.wgsl` and expands the three things WGSL lacks: named constants from outside (as `const` lines before
 * the file), `#include "lib/name"`, and `#unroll i COUNT … #end`, which repeats its lines with `$i` = 0 … COUNT-1.
 * It assembles nothing else: a kernel is one readable file.
 */
import { assert } from '../lib/assert';

export type Constants = Readonly<Record<string, number | boolean>>;

const files = import.meta.glob<string>('../../shaders/**/*.wgsl', { query: '?raw', import: 'default', eager: true });

/**
 * The complete WGSL of a shader file with its constants. Constants are abstract numbers, so they fit u32, i32 and f32
 * alike.
 */
export function expandShader(name: string, constants: Constants): string {
  const header = Object.entries(constants).map(([key, value]) => `const ${key} = ${literal(key, value)};`);
  return [...header, expandLines(name, readLines(name), constants)].join('\n');
}

function literal(key: string, value: number | boolean): string {
  assert(typeof value === 'boolean' || Number.isFinite(value), `shader constant ${key} is ${value}`);
  return typeof value === 'number' && !Number.isInteger(value) ? value.toExponential(9) : String(value);
}

function readLines(name: string): string[] {
  const text = files[`../../shaders/${name}.wgsl`];
  assert(text !== undefined, `there is no shader shaders/${name}.wgsl`);
  return text.split('\n');
}

function expandLines(name: string, lines: readonly string[], constants: Constants): string {
  const out: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const words = lines[i].trim().split(/\s+/);
    if (words[0] === '#include') {
      const included = words[1].replaceAll('"', '');
      out.push(expandLines(included, readLines(included), constants));
    } else if (words[0] === '#unroll') {
      const end = closingLine(name, lines, i);
      const body = lines.slice(i + 1, end).join('\n');
      for (let k = 0; k < unrollCount(name, words[2], constants); k++) {
        out.push(expandLines(name, body.replaceAll(`$${words[1]}`, String(k)).split('\n'), constants));
      }
      i = end;
    } else {
      out.push(lines[i]);
    }
  }
  return out.join('\n');
}

function closingLine(name: string, lines: readonly string[], start: number): number {
  let depth = 0;
  for (let i = start; i < lines.length; i++) {
    const line = lines[i].trim();
    if (line.startsWith('#unroll')) depth++;
    if (line === '#end' && --depth === 0) return i;
  }
  throw new Error(`shaders/${name}.wgsl: the #unroll on line ${start + 1} has no #end.`);
}

function unrollCount(name: string, word: string, constants: Constants): number {
  const count = /^\d+$/.test(word) ? Number(word) : constants[word];
  assert(
    typeof count === 'number' && Number.isInteger(count),
    `shaders/${name}.wgsl: #unroll needs a number or an integer constant, got ${word}`,
  );
  return count;
}
