/**
 * Writes files in a folder that a stranger may have packed. It follows no link, so it writes nothing outside. A whole
 * file is replaced by rename, so that a crash never leaves half of one.
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** @throws a sentence if the folder holds anything but regular files */
export function requirePlainFiles(folder: string): void {
  for (const name of readdirSync(folder)) requirePlain(join(folder, name));
}

/**
 * Makes a folder and its parents, one by one, because Node's recursive mkdir never ends under /proc.
 * @throws a sentence if nothing can be written there
 */
export function makeFolder(path: string): void {
  const missing = [];
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) makeOne(each);
    readdirSync(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new Error(`${path} cannot be a folder to write to: ${(error as Error).message}. Choose another one.`, {
      cause: error,
    });
  }
}

/** Makes a folder within one that a stranger may have packed. @throws a sentence if a link or a file stands there */
export function makeInnerFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeOne(path);
  if (!lstatSync(path).isDirectory())
    throw new Error(`${path} is a link or a file, and must be a folder: remove it, or choose another folder.`);
}

/** Another process may make the same folder at the same time. */
function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export function replaceFile(path: string, content: string | Uint8Array): void {
  replaceBy(path, (draft) => writeFileSync(draft, content));
}

/** @param lines without their newlines; written as they come, so they may be read from the file that they replace */
export function replaceLines(path: string, lines: Iterable<string>): void {
  replaceBy(path, (draft) => {
    for (const line of lines) writeFileSync(draft, `${line}\n`);
  });
}

/** Whether a file of this name is a draft, which only a killed process leaves behind. */
export const isDraft = (name: string): boolean => /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/.test(name);

function replaceBy(path: string, write: (draft: number) => void): void {
  requirePlain(path);
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const file = openSync(draft, 'wx');
    try {
      write(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unwritten(path, error);
  }
}

export function appendToFile(path: string, text: string | Uint8Array): void {
  requirePlain(path);
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  try {
    writeFileSync(path, text, { flag: (O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW) as unknown as string });
  } catch (error) {
    throw unwritten(path, error);
  }
}

/** @throws a sentence if the path names a link, a folder or a device */
export function requirePlain(path: string): void {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about && !about.isFile())
    throw new Error(
      `${path} is a link or a folder, and a run is made of plain files only: remove it, or choose another folder.`,
    );
}

function unwritten(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error as Error;
  const why = code === 'ENOSPC' ? 'the disk is full. Make room, then continue a run with --resume' : message;
  return new Error(`${path} could not be written: ${why}.`, { cause: error });
}
