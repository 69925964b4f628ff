/** `virtual:catalog` is the URL of the list of `catalog.ts` as JSON, made when the page is built. */
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import { writeWhole } from './write-whole.ts';

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
        const file = await writeWhole(folder, 'catalog.json', JSON.stringify(await module.readCatalog()));
        return `export { default } from ${JSON.stringify(`${file}?url`)};`;
      },
    },
  };
}
