/**
 * Builds the engine as a library: one flat folder with the engine for Node and for pages, its threads, and the files
 * that they read. A clone's has the terminal's commands, a package's the SDK, the trainer worker and types. Nothing in
 * it needs Vite.
 */
import { existsSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { build, type InlineConfig } from 'vite';
import { meterQuickJs } from '../quickjs.ts';
import { cpuKernels } from './cpu-kernels-plugin.js';
import { meteredQuickJs } from './metered-engine-plugin.ts';

const root = join(import.meta.dirname, '../../..');
/** What a clone has and a package does not: programs that only `bench`, `record` and tests start. */
const ofClonesOnly = ['vite', 'assemblyscript', '@playwright/test'];

/**
 * The engine and the commands for Node.
 * @param folder is written whole or not at all; another process may write the same at the same time
 * @param checkout the clone that its commands belong to
 */
export function buildForNode(folder: string, checkout: string): Promise<void> {
  return writeWhole(folder, async (draft) => {
    await build(forNode(draft, { ...engineOfNode, ...commands }, checkout));
    await copyData(draft);
  });
}

/** What a package has: the SDK, the engine for Node and for pages, the trainer worker, and the types of all. */
export function buildPackage(folder: string): Promise<void> {
  return writeWhole(folder, async (draft) => {
    await build(forNode(draft, engineOfNode, null));
    await build(forPages(draft));
    await copyData(draft);
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

const source = (path: string) => join(root, 'src', path);
const engineOfNode = { engine: source('cli/library.ts'), 'cpu-thread': source('cli/cpu-thread.mjs') };
const commands = {
  commands: source('cli/commands.ts'),
  'silence-thread': source('cli/silence-thread.mjs'),
  'sandbox-thread': source('cli/sandbox-thread.ts'),
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
  ts.createProgram(entries.map(source), options).emit();
}

function forNode(outDir: string, input: Record<string, string>, checkout: string | null): InlineConfig {
  return {
    ...common(),
    define: { BUILT_LIBRARY: JSON.stringify({ checkout }) },
    ssr: { noExternal: true, external: [...ofClonesOnly, 'webgpu'] },
    build: {
      ...written(outDir),
      ssr: true,
      target: 'node20',
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].mjs', chunkFileNames: chunkName('mjs') },
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
        output: { entryFileNames: '[name].js', chunkFileNames: chunkName('js'), assetFileNames: '[name][extname]' },
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

const written = (outDir: string) => ({ outDir, emptyOutDir: false, assetsDir: '', minify: false }) as const;
