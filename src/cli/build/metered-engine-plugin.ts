/** `virtual:metered-quickjs` is the URL of the metered engine, which is written into Vite's cache once. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { meterQuickJs } from '../quickjs.ts';

export function meteredQuickJs(): Plugin {
  let folder: string;
  let file: Promise<string> | null = null;
  return {
    name: 'agentlet:metered-quickjs',
    configResolved: ({ cacheDir }) => void (folder = cacheDir),
    resolveId: {
      filter: { id: /^virtual:metered-quickjs$/ },
      handler: async () => `${await (file ??= writeEngine(folder))}?url`,
    },
  };
}

async function writeEngine(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'quickjs-metered.wasm');
  // Several builds may share the cache; a reader must never meet half a file.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, await meterQuickJs());
  await rename(draft, file);
  return file;
}
