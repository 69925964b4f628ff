/** The kernels of the CPU device have the same entry points, structs and tensors as the shaders beside them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kernels } from 'virtual:cpu-kernels';

const folder = join(import.meta.dirname, '../../shaders');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
/** Paths without their ending, such as `lib/softmax`. */
const filesOf = (ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length).replaceAll('\\', '/'));

/** A shader with its libraries. */
const wgslOf = (name: string): string =>
  read(`${name}.wgsl`).replace(/^#include "(.+)"$/gm, (_, library: string) => wgslOf(library));

/** The fields of each struct, as `name: type`. */
function structsOf(text: string, pattern: RegExp): Map<string, string[]> {
  const fieldsOf = (body: string) =>
    [...body.matchAll(/^\s*(\w+): (\w+)[,;]/gm)].map(([, field, type]) => [field, type]);
  const inWgsl = (type: string) => (type === 'v128' ? 'vec4u' : type);
  return new Map(
    [...text.matchAll(pattern)].map(([, name, body]) => [
      name,
      fieldsOf(body).map(([field, type]) => `${field}: ${inWgsl(type)}`),
    ]),
  );
}

describe('each entry point of a shader has a CPU kernel', () => {
  // They compute what the first file of their name does, with other numbers of threads.
  const products = ['matmul-blocks', 'matmul-shared', 'matmul-subgroups'];
  const attention = ['attention-cached-shared', 'attention-tiled', 'attention-tiled-queries', 'attention-tiled-keys'];
  const variants = [...products, ...attention];
  const entries = filesOf('.wgsl')
    .filter((shader) => !variants.includes(shader))
    .flatMap((shader) =>
      [...read(`${shader}.wgsl`).matchAll(/@compute[^{]*?\bfn (\w+)/g)].map(([, entry]) => `${shader}.${entry}`),
    );
  test.each(entries)('%s', (entry) => expect(Object.keys(kernels)).toContain(entry));
});

describe('a struct of one name has the same fields in WGSL and in AssemblyScript', () => {
  const pairs = filesOf('.ts')
    .filter((file) => existsSync(join(folder, `${file}.wgsl`)))
    .flatMap((file) => {
      const structs = structsOf(wgslOf(file), /^struct (\w+) \{([^}]*)\}/gm);
      const classes = structsOf(read(`${file}.ts`), /^(?:export )?class (\w+) \{([^}]*)\}/gm);
      return [...classes]
        .filter(([name]) => structs.has(name))
        .map(([name, fields]) => ({ file, name, fields, expected: structs.get(name) }));
    });
  test.each(pairs)('$name of $file', ({ fields, expected }) => expect(fields).toEqual(expected));

  test.each(['Settings', 'State'])('%s of adamw is among them', (struct) => {
    expect(pairs.some(({ file, name }) => file === 'adamw' && name === struct)).toBe(true);
  });
});

describe("a kernel's addresses are those of tensors that its shader binds", () => {
  test.each(Object.entries(kernels))('%s', (kernel, { fields }) => {
    const bindings = [...wgslOf(kernel.split('.')[0]).matchAll(/@binding\(\d+\) var<[^>]*> (\w+)/g)];
    const addresses = fields.filter(({ type }) => type === 'usize').map(({ name }) => name);
    expect(bindings.map(([, name]) => name)).toEqual(expect.arrayContaining(addresses));
  });
});
