/**
 * Writes the version of the built page into its `index.html`: a digest of that file, of every file that the build makes
 * and of the public ones. The same sources give the same version. `lib/page-version.ts` reads it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function version(): Plugin {
  let publicFolder = '';
  return {
    name: 'agentlet:version',
    apply: 'build',
    configResolved: ({ publicDir }) => void (publicFolder = publicDir),
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const hash = createHash('sha256').update(html);
        for (const name of Object.keys(bundle).sort()) {
          const output = bundle[name];
          hash.update(name).update(output.type === 'chunk' ? output.code : output.source);
        }
        for (const name of filesOf(publicFolder)) hash.update(name).update(readFileSync(join(publicFolder, name)));
        const content = hash.digest('hex').slice(0, 16);
        return [{ tag: 'meta', attrs: { name: 'version', content }, injectTo: 'head' }];
      },
    },
  };
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
