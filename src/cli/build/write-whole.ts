/** Files that a build makes for itself. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Several builds may share the folder; a reader must never meet half a file. @returns the file's path */
export async function writeWhole(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
}
