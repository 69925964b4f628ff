/** `virtual:world-scenes` has the URL of each preset's drawings by `world-scenes.ts`, made when the page is built. */
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import { writeWhole } from './write-whole.ts';

const id = '\0virtual:world-scenes';
const recordings = join(import.meta.dirname, '../../../public/recordings');

export function worldScenes(): Plugin {
  let folder: string;
  return {
    name: 'agentlet:world-scenes',
    configResolved: ({ cacheDir }) => void (folder = cacheDir),
    resolveId: { filter: { id: /^virtual:world-scenes$/ }, handler: () => id },
    load: {
      filter: { id: /^\0virtual:world-scenes$/ },
      async handler() {
        const { module, dependencies } = await runnerImport<typeof import('./world-scenes.ts')>(
          join(import.meta.dirname, 'world-scenes.ts'),
          { configFile: false, logLevel: 'error' },
        );
        for (const file of dependencies) this.addWatchFile(file);
        const files = [...(await module.worldScenes(recordings))];
        const paths = await Promise.all(
          files.map(([preset, drawings]) => writeWhole(folder, `scenes-${preset}.json`, JSON.stringify(drawings))),
        );
        const imports = paths.map((path, i) => `import url${i} from ${JSON.stringify(`${path}?no-inline&url`)};`);
        const entries = files.map(([preset], i) => `${JSON.stringify(preset)}: url${i}`);
        return `${imports.join('\n')}\nexport default { ${entries.join(', ')} };`;
      },
    },
  };
}
