/** Where a person's models are kept, and digests of large ones, so that not every command reads every byte. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '../../lib/stored-tensors';
import { modelFiles, pretrainedDigest } from '../../model/pretrained-digest';
import { makeFolder, replaceFile } from '../safe-files';

/** Digests of smaller models are not kept: to hash these takes less than a second. */
const minBytes = 1 << 26;

const cache = (name: string): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agentlet', name);

export const modelsFolder = (): string => cache('models');

/**
 * `pretrainedDigest` of a folder's files. That of a large model is kept, and counts as long as no file has another
 * size or time.
 * @throws a sentence if weights are missing
 */
export async function digestOfFolder(path: string, files: Files, atLeast = minBytes): Promise<string> {
  const names = await modelFiles(files);
  const present = names.filter((name) => files.has(name));
  const bytes = present.reduce((sum, name) => sum + files.get(name)!.size, 0);
  if (bytes < atLeast || present.length < names.length) return pretrainedDigest(files);
  const whole = realpathSync(path);
  const key = createHash('sha256').update(whole).digest('hex');
  const note = join(cache('digests'), `${key}.json`);
  const times = present.map((name) => {
    const { size, mtimeMs, ctimeMs } = statSync(join(whole, name));
    return [name, size, mtimeMs, ctimeMs];
  });
  const known = readNote(note);
  if (known && JSON.stringify(known.times) === JSON.stringify(times)) return known.digest;
  const digest = await pretrainedDigest(files);
  try {
    makeFolder(cache('digests'));
    replaceFile(note, JSON.stringify({ digest, times }));
  } catch {
    // The next command hashes again.
  }
  return digest;
}

function readNote(path: string): { readonly digest: string; readonly times: unknown } | null {
  try {
    const { digest, times } = Object(JSON.parse(readFileSync(path, 'utf8'))) as Readonly<Record<string, unknown>>;
    return typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? { digest, times } : null;
  } catch {
    return null;
  }
}
