/** Files of a folder that a person drops on the page. */

/** More files are no folder of a model, but a disk. */
const maxFiles = 1000;
/** Folders within folders that are looked into. */
const maxDepth = 5;

interface Refusals {
  readonly notFolder: string;
  readonly tooMany: (most: number) => string;
}

/** By their paths, which begin with the folder's name. Rejects with a sentence if none was dropped. */
export async function droppedFolder(data: DataTransfer, refusals: Refusals): Promise<ReadonlyMap<string, File>> {
  // Only within the event, before anything is awaited.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const folder = entries.find((entry) => entry?.isDirectory);
  if (!folder) throw new Error(refusals.notFolder);
  const found = new Map<string, File>();
  await read(folder as FileSystemDirectoryEntry, found, refusals, maxDepth);
  return found;
}

async function read(
  folder: FileSystemDirectoryEntry,
  found: Map<string, File>,
  refusals: Refusals,
  depth: number,
): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (found.size === maxFiles) throw new Error(refusals.tooMany(maxFiles));
    if (entry.isFile) found.set(entry.fullPath.replace(/^\//, ''), await fileOf(entry as FileSystemFileEntry));
    else if (depth > 0) await read(entry as FileSystemDirectoryEntry, found, refusals, depth - 1);
  }
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
