/** The private file system of a browser (OPFS) as a store of models. Only a worker can write to it. */
import { bytesOfBlob } from '../../lib/byte-source';
import type { FileStore, OpenPart } from './kept-models';

/** Of a text file beside a model's. */
const maxTextBytes = 1 << 20;
const rootName = 'models';

export interface BrowserStore extends FileStore {
  /** A file, which a page can give to another worker; null if it is not there. */
  blob(folder: string, name: string): Promise<File | null>;
  /** Does what no other tab may do in the folder at the same time. @throws a sentence if one does */
  alone<T>(folder: string, work: () => Promise<T>): Promise<T>;
}

/** A tab that is being reloaded or closed may still hold its lock. */
const lockMs = 4000;

export function browserStore(storage: StorageManager, locks: LockManager): BrowserStore {
  const root = async () => (await storage.getDirectory()).getDirectoryHandle(rootName, { create: true });
  const inside = async (folder: string) => orNull((await root()).getDirectoryHandle(folder));
  const blob = async (folder: string, name: string) => {
    const handle = await orNull((await inside(folder))?.getFileHandle(name));
    return handle && handle.getFile();
  };
  const open = async (folder: string, name: string) => {
    const directory = await (await root()).getDirectoryHandle(folder, { create: true });
    return (await directory.getFileHandle(name, { create: true })).createSyncAccessHandle();
  };
  return {
    blob,
    alone: (folder, work) => alone(locks, `agentlet model ${folder}`, work),
    folders: async () =>
      (await entriesOf(await root())).flatMap(({ kind, name }) => (kind === 'directory' ? name : [])),
    readText: async (folder, name) => {
      const file = await blob(folder, name);
      return file && file.size <= maxTextBytes ? file.text() : null;
    },
    writeText: async (folder, name, text) => {
      const file = await open(folder, name);
      try {
        const bytes = new TextEncoder().encode(text);
        file.write(bytes, { at: 0 });
        file.truncate(bytes.length);
        file.flush();
      } finally {
        file.close();
      }
    },
    part: async (folder, name) => openPart(await open(folder, name)),
    source: async (folder, name) => {
      const file = await blob(folder, name);
      return file && bytesOfBlob(file, name);
    },
    bytes: async (folder) => {
      const directory = await inside(folder);
      const files = directory ? await entriesOf(directory) : [];
      const sizes = files.map(async (each) => (each.kind === 'file' ? (await each.getFile()).size : 0));
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    remove: async (folder) => void (await orNull((await root()).removeEntry(folder, { recursive: true }))),
    freeBytes: async () => {
      const { quota, usage = 0 } = await storage.estimate();
      return quota === undefined ? null : Math.max(0, quota - usage);
    },
  };
}

async function alone<T>(locks: LockManager, name: string, work: () => Promise<T>): Promise<T> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(lockMs) }, begin);
  } catch (error) {
    if (hasBegun) throw error;
    throw new Error('Another tab is downloading this model: wait for its end or stop it there, then try again.', {
      cause: error,
    });
  }
}

/** Null where nothing of the name is there. */
async function orNull<T>(asked: Promise<T> | undefined): Promise<T | null> {
  try {
    return (await asked) ?? null;
  } catch (error) {
    if ((error as Error).name === 'NotFoundError') return null;
    throw error;
  }
}

async function entriesOf(directory: FileSystemDirectoryHandle) {
  const entries: (FileSystemDirectoryHandle | FileSystemFileHandle)[] = [];
  for await (const entry of directory.values()) entries.push(entry);
  return entries;
}

/** A file is whole once the model's description says so, so it has its own name from the beginning. */
function openPart(file: FileSystemSyncAccessHandle): OpenPart {
  return {
    size: async () => file.getSize(),
    append: async (bytes) => {
      const at = file.getSize();
      const written = file.write(bytes, { at });
      file.flush();
      if (written < bytes.length) throw new DOMException('less was written than given', 'QuotaExceededError');
    },
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      file.read(bytes, { at: offset });
      return bytes;
    },
    clear: async () => file.truncate(0),
    close: async () => file.close(),
  };
}
