/** A host on which a newer version of the built page takes the place of the one that tests share. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { addressOf, serve, stop } from './site';

/** What the newer version calls itself. */
export const newerVersion = 'a1b2c3d4e5f60718';

/** Serves the built page; after `deploy` the newer version. */
export async function deployedSite(): Promise<{ url: string; deploy: () => void }> {
  const newer = newerFolder();
  let folder = inject('siteFolder');
  const server = await serve(() => folder, {});
  onTestFinished(() => {
    stop(server);
    rmSync(newer, { recursive: true });
  });
  return { url: addressOf(server), deploy: () => void (folder = newer) };
}

/** A copy in which every chunk has another name, as after a change of the code. */
function newerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-newer-'));
  cpSync(inject('siteFolder'), folder, { recursive: true });
  const chunks = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
  for (const name of chunks) renameSync(join(folder, 'assets', name), join(folder, 'assets', newName(name)));
  const newNames = (text: string) => text.replace(/[\w.-]+-[\w-]{8}\.js\b/g, newName);
  for (const file of ['sw.js', 'index.html', ...chunks.map((name) => `assets/${newName(name)}`)]) {
    const text = newNames(readFileSync(join(folder, file), 'utf8'));
    writeFileSync(join(folder, file), text.replace(/(name="version" content=")\w+/, `$1${newerVersion}`));
  }
  return folder;
}

const newName = (name: string) => name.replace(/\.js$/, 'x.js');
