/**
 * Loads `shaders/*.wgsl` and adds what WGSL lacks: constants from outside, as `const` lines behind the file;
 * `#include "lib/name"`; `#if NAME … #end`, which keeps its lines if the constant is true; `#unroll i COUNT … #end`,
 * which repeats its lines with `$i` = 0 … COUNT-1. Nothing else is generated: a kernel is one readable file.
 */
import { assert } from '../../lib/assert';
import type { Constants } from '../device';

const files = import.meta.glob<string>('../../../shaders/**/*.wgsl', { query: '?raw', import: 'default', eager: true });

/** The file of a shader as it is. */
export function shaderText(name: string): string {
  const text = files[`../../../shaders/${name}.wgsl`];
  assert(text !== undefined, `there is no shader shaders/${name}.wgsl`);
  return text;
}

/** The complete WGSL of a shader. Constants are abstract numbers, so they fit u32, i32 and f32 alike. */
export function expandShader(name: string, constants: Constants): string {
  const values = Object.entries(constants).map(([key, value]) => `const ${key} = ${literal(key, value)};`);
  return [expandLines(name, shaderText(name).split('\n'), constants), ...values].join('\n');
}

function literal(key: string, value: number | boolean): string {
  assert(typeof value === 'boolean' || Number.isFinite(value), `shader constant ${key} is ${value}`);
  return typeof value === 'number' && !Number.isInteger(value) ? value.toExponential(9) : String(value);
}

function expandLines(name: string, lines: readonly string[], constants: Constants): string {
  const out: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [directive, ...words] = lines[i].trim().split(/\s+/);
    if (directive === '#include') {
      const included = words[0].replaceAll('"', '');
      out.push(expandLines(included, shaderText(included).split('\n'), constants));
    } else if (directive === '#if' || directive === '#unroll') {
      const end = closingLine(name, lines, i);
      const body = lines.slice(i + 1, end).join('\n');
      const [type, word] = directive === '#if' ? ['boolean', words[0]] : ['number', words[1]];
      const value = /^\d+$/.test(word) ? Number(word) : constants[word];
      const copies = Number(value);
      const fits = typeof value === type && Number.isInteger(copies);
      assert(fits, `shaders/${name}.wgsl: ${directive} needs a ${type}, got ${word}`);
      for (let k = 0; k < copies; k++)
        out.push(expandLines(name, body.replaceAll(`$${words[0]}`, `${k}`).split('\n'), constants));
      i = end;
    } else out.push(lines[i]);
  }
  return out.join('\n');
}

function closingLine(name: string, lines: readonly string[], start: number): number {
  let depth = 0;
  for (let i = start; i < lines.length; i++) {
    const line = lines[i].trim();
    if (/^#(if|unroll)\b/.test(line)) depth++;
    if (line === '#end' && --depth === 0) return i;
  }
  throw new Error(`shaders/${name}.wgsl: the block on line ${start + 1} has no #end.`);
}
