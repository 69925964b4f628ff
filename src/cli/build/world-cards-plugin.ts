/**
 * `virtual:world-cards` is the list of `world-cards.ts`, made when the page is built. Only here does an environment's
 * module run outside of the sandbox: those of this repository, for their words.
 */
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';

const id = '\0virtual:world-cards';
const source = join(import.meta.dirname, '../..');
const recordings = join(source, '../public/recordings');
const sdk = (file: string) => join(source, 'environments', file);

export function worldCards(): Plugin {
  return {
    name: 'agentlet:world-cards',
    resolveId: { filter: { id: /^virtual:world-cards$/ }, handler: () => id },
    load: {
      filter: { id: /^\0virtual:world-cards$/ },
      async handler() {
        const { module, dependencies } = await runnerImport<typeof import('./world-cards.ts')>(
          join(import.meta.dirname, 'world-cards.ts'),
          {
            configFile: false,
            logLevel: 'error',
            resolve: {
              alias: [
                { find: /^agentlet\/search$/, replacement: sdk('search.js') },
                { find: /^agentlet$/, replacement: sdk('sdk.js') },
              ],
            },
          },
        );
        for (const file of dependencies) this.addWatchFile(file);
        return `export default ${JSON.stringify(module.worldCards(recordings))};`;
      },
    },
  };
}
