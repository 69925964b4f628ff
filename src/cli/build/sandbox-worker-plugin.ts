/**
 * `virtual:sandbox-worker` is the sandbox worker as the text of one classic script: the sandbox frame cannot load one,
 * so the page posts it in.
 */
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const id = '\0virtual:sandbox-worker';
const entry = join(import.meta.dirname, '../../worker/sandbox.worker.ts');

export function sandboxWorker(): Plugin {
  let bundle: Promise<Rolldown.OutputChunk> | null = null;
  return {
    name: 'agentlet:sandbox-worker',
    resolveId: { filter: { id: /^virtual:sandbox-worker$/ }, handler: () => id },
    buildStart: () => void (bundle = null),
    load: {
      filter: { id: /^\0virtual:sandbox-worker$/ },
      async handler() {
        const { code, moduleIds } = await (bundle ??= bundleWorker());
        for (const file of moduleIds) this.addWatchFile(file.replace(/\?.*/, ''));
        return `export default ${JSON.stringify(code)};`;
      },
    },
    watchChange: () => void (bundle = null),
  };
}

async function bundleWorker(): Promise<Rolldown.OutputChunk> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: entry, output: { format: 'iife' } },
    },
  });
  const { output } = result as Rolldown.RolldownOutput;
  if (output.length !== 1)
    throw new Error(`The sandbox worker must be one script, but its bundle has ${output.length} files.`);
  return output[0];
}
