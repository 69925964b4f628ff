/**
 * `virtual:cpu-kernels` holds the kernels of `shaders/*.ts` as one WebAssembly module, compiled from AssemblyScript,
 * and what it takes to call them: for each `shader.entry`, the export and the fields of its arguments in order.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shaders', import.meta.url));
/** What was compiled, by the digest of what it was compiled from: compiling takes seconds. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/agentlet-cpu-kernels', import.meta.url));
const lockFile = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));
/** What a thread needs beside the kernels. */
const threadExports = `export { clear, copy, setScratch } from './lib/parts';`;
const moduleId = '\0virtual:cpu-kernels';

/**
 * No relaxed SIMD and no fused multiply-add: asc contracts nothing, and the first is off unless it is named here.
 * The module is compiled for shared memory; the device patches one byte where memory is its own.
 */
const flags = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--enable',
  'simd,threads,bulk-memory',
  '--importMemory',
  '--sharedMemory',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '65536',
  '--memoryBase',
  '1024',
];

/** @returns {import('vite').Plugin} */
export function cpuKernels() {
  /** @type {Promise<string> | undefined} */
  let built;
  return {
    name: 'agentlet:cpu-kernels',
    resolveId: { filter: { id: /^virtual:cpu-kernels$/ }, handler: () => moduleId },
    load: { filter: { id: /^\0virtual:cpu-kernels$/ }, handler: () => (built ??= cachedText()) },
  };
}

async function cachedText() {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const files = [...names.map((name) => `${folder}/${name}`), fileURLToPath(import.meta.url), lockFile];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file).catch(() => file));
  const file = `${cache}/${hash.digest('hex')}.js`;
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) return known;
  const text = await moduleText();
  await mkdir(cache, { recursive: true });
  // Others may compile the same at the same time; a reader must never meet half a file.
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
  return text;
}

async function moduleText() {
  const { binary, kernels } = await compileKernels();
  return `export const base64 = ${JSON.stringify(Buffer.from(binary).toString('base64'))};
export const kernels = ${JSON.stringify(kernels)};`;
}

/**
 * @typedef {{ readonly name: string, readonly type: string }} Field
 * @typedef {{ readonly export: string, readonly fields: readonly Field[] }} CpuKernel
 */

/** @returns {Promise<{ binary: Uint8Array, kernels: Record<string, CpuKernel> }>} */
export async function compileKernels() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -3));
  const sources = await Promise.all(names.map((name) => readFile(`${folder}/${name}.ts`, 'utf8')));
  /** @type {Record<string, CpuKernel>} */
  const kernels = {};
  names.forEach((name, i) => Object.assign(kernels, kernelsOf(name, sources[i])));
  const entry = [threadExports, ...names.map((name, i) => exportsOf(name, sources[i]))].join('\n');
  const binary = await compileScript(entry);
  return { binary, kernels };
}

/**
 * Compiles AssemblyScript that stands in `shaders`, as the kernels are compiled.
 * @param {string} entry @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function compileScript(entry) {
  const { default: asc } = await import('assemblyscript/asc');
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  let binary;
  const { error, stderr } = await asc.main(['entry.ts', '--outFile', 'entry.wasm', ...flags], {
    readFile: (name) => (name === 'entry.ts' ? entry : readFile(`${folder}/${name}`, 'utf8').catch(() => null)),
    writeFile: (_, contents) => void (binary = /** @type {Uint8Array<ArrayBuffer>} */ (contents)),
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`The CPU kernels do not compile:\n${stderr.toString()}`);
  return binary;
}

const entryPattern = /^export function (\w+)\(args: (\w+),/gm;

/** @param {string} shader @param {string} source */
function kernelsOf(shader, source) {
  return Object.fromEntries(
    [...source.matchAll(entryPattern)].map(([, entry, structName]) => {
      const body = new RegExp(`^class ${structName} \\{([^}]*)\\}`, 'm').exec(source)?.[1];
      if (!body) throw new Error(`shaders/${shader}.ts has no class ${structName}.`);
      const fields = [...body.matchAll(/^\s*(\w+): (\w+);/gm)].map(([, name, type]) => ({ name, type }));
      const wide = fields.find(({ type }) => !['usize', 'u32', 'i32', 'f32'].includes(type));
      if (wide) throw new Error(`shaders/${shader}.ts: ${wide.name} is ${wide.type}, but arguments have 4 bytes.`);
      return [`${shader}.${entry}`, { export: exportName(shader, entry), fields }];
    }),
  );
}

/** @param {string} shader @param {string} source */
function exportsOf(shader, source) {
  const entries = [...source.matchAll(entryPattern)].map(([, entry]) => `${entry} as ${exportName(shader, entry)}`);
  return `export { ${entries.join(', ')} } from './${shader}';`;
}

/** @param {string} shader @param {string} entry */
function exportName(shader, entry) {
  return `${shader.replaceAll('-', '_')}__${entry}`;
}
