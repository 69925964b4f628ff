/**
 * Folders that a person chooses or drops, and those that are kept: where the browser can, a folder's handle is stored,
 * so that a reload need not ask where it is.
 */
import { get, set } from 'idb-keyval';

/** More files are no folder of a model, but a disk. */
const maxFiles = 1000;
/** Folders within folders that are looked into. */
const maxDepth = 5;

export interface Refusals {
  readonly notFolder: string;
  readonly tooMany: (most: number) => string;
}

/** Files by their paths, which begin with the folder's name. */
export interface FolderFiles {
  readonly files: ReadonlyMap<string, File>;
  /** Null where the browser gives none. */
  readonly handle: FileSystemDirectoryHandle | null;
}

/** What only some browsers have of a handle. */
interface Permitted {
  readonly queryPermission?: () => Promise<PermissionState>;
  readonly requestPermission?: () => Promise<PermissionState>;
}
type Picker = { readonly showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle> };
type Dropped = { readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

const { showDirectoryPicker } = globalThis as Picker;

/** Asks for a folder; null where the browser has no such question. Rejects with a sentence. */
export const askForFolder =
  showDirectoryPicker &&
  (async (refusals: Refusals): Promise<FolderFiles | null> => {
    // Escape rejects.
    const handle = await showDirectoryPicker.call(globalThis).catch(() => null);
    return handle && filesOf(handle, refusals);
  });

export async function filesOf(handle: FileSystemDirectoryHandle, refusals: Refusals): Promise<FolderFiles> {
  const files = new Map<string, File>();
  const read = async (folder: FileSystemDirectoryHandle, path: string, depth: number): Promise<void> => {
    for await (const entry of folder.values()) {
      if (files.size === maxFiles) throw new Error(refusals.tooMany(maxFiles));
      if (entry.kind === 'file') files.set(`${path}/${entry.name}`, await (entry as FileSystemFileHandle).getFile());
      else if (depth > 0) await read(entry as FileSystemDirectoryHandle, `${path}/${entry.name}`, depth - 1);
    }
  };
  await read(handle, handle.name, maxDepth);
  return { files, handle };
}

/** Rejects with a sentence if no folder was dropped. */
export async function droppedFolder(data: DataTransfer, refusals: Refusals): Promise<FolderFiles> {
  // Only within the event, before anything is awaited.
  const items = [...data.items];
  const handles = items.map((item) => (item as Dropped).getAsFileSystemHandle?.().catch(() => null));
  const folder = items.map((item) => item.webkitGetAsEntry()).find((entry) => entry?.isDirectory);
  if (!folder) throw new Error(refusals.notFolder);
  const files = new Map<string, File>();
  const read = async (each: FileSystemDirectoryEntry, depth: number): Promise<void> => {
    for (const entry of await entriesOf(each)) {
      if (files.size === maxFiles) throw new Error(refusals.tooMany(maxFiles));
      if (entry.isFile) files.set(entry.fullPath.slice(1), await fileOf(entry as FileSystemFileEntry));
      else if (depth > 0) await read(entry as FileSystemDirectoryEntry, depth - 1);
    }
  };
  await read(folder as FileSystemDirectoryEntry, maxDepth);
  // What was dropped may be read now; its handle alone is not enough everywhere.
  const handle = (await Promise.all(handles)).find((each) => each?.kind === 'directory') ?? null;
  return { files, handle: handle as FileSystemDirectoryHandle | null };
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** A reader gives them in portions. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const next = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  const all: FileSystemEntry[] = [];
  for (let some = await next(); some.length > 0; some = await next()) all.push(...some);
  return all;
}

const keyOf = (digest: string): string => `model folder ${digest}`;

/** Without storage it is asked for again. */
export const keepFolder = (digest: string, handle: FileSystemDirectoryHandle): Promise<void> =>
  set(keyOf(digest), handle).catch(() => undefined);

/** The folder of the model with this digest, as it was kept; null if there is none. */
export async function keptFolder(digest: string): Promise<FileSystemDirectoryHandle | null> {
  const kept = await get<unknown>(keyOf(digest)).catch(() => null);
  return kept instanceof FileSystemDirectoryHandle ? kept : null;
}

/** Whether it may be read. @param asks the visitor, who has just pressed a button */
export async function mayRead(handle: FileSystemDirectoryHandle, asks: boolean): Promise<boolean> {
  const { queryPermission, requestPermission } = handle as Permitted;
  const answer = await (asks ? requestPermission : queryPermission)?.call(handle);
  return answer === undefined || answer === 'granted';
}
