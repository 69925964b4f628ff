/** A directory of the disk that keeps models. A file that is being written is called `NAME.part` until it is whole. */
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileStore, OpenPart } from '../../run/models/kept-models';
import { makeFolder, makeInnerFolder, replaceFile, requirePlain } from '../safe-files';
import { fileSource, readExactly } from './file-source';

/** Of a text file beside a model's. */
const maxTextBytes = 1 << 20;

/** @param root is made when something is written */
export function directoryStore(root: string): FileStore {
  const make = (folder: string) => {
    makeFolder(root);
    makeInnerFolder(join(root, folder));
  };
  const plainFile = (folder: string, name: string) => {
    const path = join(root, folder, name);
    const about = lstatSync(path, { throwIfNoEntry: false });
    return about?.isFile() ? { path, size: about.size } : null;
  };
  return {
    folders: async () =>
      existsSync(root)
        ? readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
        : [],
    readText: async (folder, name) => {
      const file = plainFile(folder, name);
      return file && file.size <= maxTextBytes ? readFileSync(file.path, 'utf8') : null;
    },
    writeText: async (folder, name, text) => {
      make(folder);
      replaceFile(join(root, folder, name), text);
    },
    part: async (folder, name) => {
      make(folder);
      return openPart(join(root, folder, name));
    },
    source: async (folder, name) => {
      const file = plainFile(folder, name);
      return file && fileSource(file.path, file.size);
    },
    bytes: async (folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder)).reduce((sum, name) => sum + (plainFile(folder, name)?.size ?? 0), 0)
        : 0,
    remove: async (folder) => rmSync(join(root, folder), { recursive: true, force: true }),
    freeBytes: async () => {
      makeFolder(root);
      const { bavail, bsize } = statfsSync(root);
      return bavail * bsize;
    },
  };
}

function openPart(path: string): OpenPart {
  const draft = `${path}.part`;
  requirePlain(path);
  requirePlain(draft);
  // One that is whole already is looked at again.
  if (!existsSync(draft) && existsSync(path)) renameSync(path, draft);
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants;
  const file = openSync(draft, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o644);
  const size = () => fstatSync(file).size;
  return {
    size: async () => size(),
    append: async (bytes) => {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    },
    read: async (offset, length) => readExactly(file, draft, offset, length),
    clear: async () => ftruncateSync(file, 0),
    close: async (isWhole) => {
      if (isWhole) fsyncSync(file);
      closeSync(file);
      if (isWhole) renameSync(draft, path);
    },
  };
}
