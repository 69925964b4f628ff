/**
 * Builds the engine as a library: one flat folder with the commands, the engine for Node, its threads, and the files
 * that they read. A package's also has the SDK, the engine for pages, the trainer worker and types. Nothing in it needs
 * Vite.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { build, type InlineConfig } from 'vite';
import { commitOf } from '../engine-commit.ts';
import { readSafetensors } from '../../lib/safetensors.ts';
import { meterQuickJs } from '../quickjs.ts';
import { cpuKernels } from './cpu-kernels-plugin.js';
import { meteredQuickJs } from './metered-engine-plugin.ts';

const root = join(import.meta.dirname, '../../..');
/** What a clone has and a package does not: programs that only parts of `bench` and the build start. */
const ofClonesOnly = ['vite', 'assemblyscript', '@playwright/test'];

/**
 * The engine and the commands for Node.
 * @param folder is written whole or not at all; another process may write the same at the same time
 * @param checkout the clone that its commands belong to
 */
export function buildForNode(folder: string, checkout: string): Promise<void> {
  return writeWhole(folder, async (draft) => {
    await build(forNode(draft, checkout));
    await copyData(draft);
  });
}

/** What a package has: the same, the SDK, the engine for pages, the trainer worker, and the types of all. */
export function buildPackage(folder: string): Promise<void> {
  return writeWhole(folder, async (draft) => {
    await build(forNode(draft, null));
    await writeFile(join(draft, 'main.mjs'), bin, { mode: 0o755 });
    await build(forPages(draft));
    await copyData(draft);
    await leaveOutLargeStarts(join(draft, 'checkpoints'));
    await cp(join(root, 'src/environments/sdk.js'), join(draft, 'agentlet.js'));
    writeTypes(join(draft, 'types'));
  });
}

async function writeWhole(folder: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await write(draft);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}

/** The files that an engine reads. */
async function copyData(folder: string): Promise<void> {
  await writeFile(join(folder, 'quickjs-metered.wasm'), await meterQuickJs());
  await cp(join(root, 'public/checkpoints'), join(folder, 'checkpoints'), { recursive: true });
}

/** So that the package has at most 4 MB; `recorded-start.ts` makes these again. */
export const largestStartBytes = 240_000;

async function leaveOutLargeStarts(folder: string): Promise<void> {
  const remade: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const file = await readFile(join(folder, name));
    if (file.length <= largestStartBytes) continue;
    remade[name.replace(/\.safetensors$/, '')] = readSafetensors(file).metadata.digest;
    await rm(join(folder, name));
  }
  await writeFile(join(folder, 'remade.json'), JSON.stringify(remade));
}

/** What `npx agentlet` runs. */
const bin = `#!/usr/bin/env node
import { main } from './commands.mjs';

process.exitCode = await main(process.argv.slice(2));
`;

const source = (path: string) => join(root, 'src', path);
const modulesOfNode = {
  commands: source('cli/commands.ts'),
  engine: source('cli/library.ts'),
  'cpu-thread': source('cli/cpu-thread.mjs'),
  'sandbox-thread': source('cli/sandbox-thread.ts'),
  'silence-thread': source('cli/silence-thread.mjs'),
};

function writeTypes(outDir: string): void {
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      root,
    ).options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    rootDir: join(root, 'src'),
  };
  const entries = [
    'cli/library.ts',
    'library/page.ts',
    'worker/protocol.ts',
    'environments/sdk.js',
    'cli/build/virtual.d.ts',
  ];
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, withExtensions(text));
  };
  ts.createProgram(entries.map(source), options).emit(undefined, write);
}

/** Declarations whose imports name files, as Node's own rules for modules demand. */
function withExtensions(declarations: string): string {
  return declarations.replace(/(\bfrom |\bimport\()(['"])(\.[^'"]*?)(?:\.ts|\.js)?\2/g, '$1$2$3.js$2');
}

function forNode(outDir: string, checkout: string | null): InlineConfig {
  return {
    ...common(),
    define: { BUILT_LIBRARY: JSON.stringify({ checkout, commit: commitOf(root) }) },
    ssr: { noExternal: true, external: [...ofClonesOnly, 'webgpu'] },
    build: {
      ...written(outDir),
      ssr: true,
      target: 'node20',
      rolldownOptions: {
        input: modulesOfNode,
        output: { entryFileNames: '[name].mjs', chunkFileNames: chunkName('mjs'), comments },
      },
    },
  };
}

function forPages(outDir: string): InlineConfig {
  return {
    ...common(),
    plugins: [cpuKernels(), meteredQuickJs()],
    worker: { format: 'es', plugins: () => [cpuKernels(), meteredQuickJs()] },
    build: {
      ...written(outDir),
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: {
        input: { engine: source('library/page.ts'), worker: source('worker/trainer.worker.ts') },
        preserveEntrySignatures: 'strict',
        // The metered engine has the name by which Node reads it, so that there is one.
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: chunkName('js'),
          assetFileNames: '[name][extname]',
          comments,
        },
      },
    },
  };
}

const common = (): InlineConfig => ({
  root,
  base: './',
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  plugins: [cpuKernels()],
});

/** Without the underscore of virtual modules: some hosts and tools hide files that begin with one. */
const chunkName =
  (ending: string) =>
  ({ name }: { name: string }) =>
    `${name.replace(/^_virtual_/, '')}-[hash].${ending}`;

/** The sources have the others. Code is not minified, so that the place of an error can be read. */
const comments = { legal: true, annotation: true, jsdoc: false } as const;

const written = (outDir: string) => ({ outDir, emptyOutDir: false, assetsDir: '', minify: false }) as const;
