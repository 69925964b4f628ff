/**
 * The library built from this checkout's sources as they are now. A build takes seconds, so it is kept under a digest
 * of the sources' paths, sizes and times. A kept build is never changed: processes may be reading it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const builds = join(root, 'node_modules/.cache/agentlet-library');
const sources = ['src', 'shaders', 'public/checkpoints', 'package-lock.json'];
/** Builds of earlier sources are deleted after this time: long runs may still load from them. */
const keptMs = 7 * 24 * 3_600_000;

/** @typedef {typeof import('./library.ts')} Library */

/**
 * Address of a module of the library with the commands, which is built if it is missing.
 * @param {string} module
 */
export async function libraryOfCheckout(module) {
  const folder = join(builds, await digestOfSources());
  const notice = 'Building the commands from the sources, which have changed.\n';
  await madeOnce(folder, notice, ({ buildForNode }) => buildForNode(folder, root.replace(/[/\\]$/, '')));
  return pathToFileURL(join(folder, module)).href;
}

/** Folder of the library as a package has it, which is built if it is missing. */
export async function packageOfCheckout() {
  const folder = join(builds, `${await digestOfSources()}-package`);
  await madeOnce(folder, 'Building the library.\n', ({ buildPackage }) => buildPackage(folder));
  return folder;
}

/**
 * @param {string} folder
 * @param {string} notice
 * @param {(library: Library) => Promise<void>} make
 */
async function madeOnce(folder, notice, make) {
  if (existsSync(folder)) return;
  process.stderr.write(notice);
  const { throughVite } = await import('./through-vite.mjs');
  await throughVite('/src/cli/build/library.ts', make);
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name));
    if (Date.now() - mtimeMs > keptMs) await rm(join(builds, name), { recursive: true, force: true });
  }
}

async function digestOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [''];
    const lines = names.sort().map(async (name) => {
      const { size, mtimeMs } = await stat(join(path, name));
      return `${source}/${name} ${size} ${mtimeMs}\n`;
    });
    hash.update((await Promise.all(lines)).join(''));
  }
  return hash.digest('hex').slice(0, 16);
}
