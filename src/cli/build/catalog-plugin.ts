/** `virtual:catalog` is the URL of the list of `catalog.ts` as JSON, made when the page is built. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';

const id = '\0virtual:catalog';

export function catalog(): Plugin {
  let folder: string;
  return {
    name: 'agentlet:catalog',
    configResolved: ({ cacheDir }) => void (folder = cacheDir),
    resolveId: { filter: { id: /^virtual:catalog$/ }, handler: () => id },
    load: {
      filter: { id: /^\0virtual:catalog$/ },
      async handler() {
        const { module, dependencies } = await runnerImport<typeof import('./catalog.ts')>(
          join(import.meta.dirname, 'catalog.ts'),
          { configFile: false, logLevel: 'error' },
        );
        for (const file of dependencies) this.addWatchFile(file);
        const file = await writeWhole(folder, JSON.stringify(await module.readCatalog()));
        return `export { default } from ${JSON.stringify(`${file}?url`)};`;
      },
    },
  };
}

/** Several builds may share the folder; a reader must never meet half a file. */
async function writeWhole(folder: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'catalog.json');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
}
