/**
 * A model from a hub into a store. What has come is kept when the download ends early: the next one of the same commit
 * fetches the rest.
 */
import { formatBytes } from '../../lib/amounts';
import { quoted } from '../../lib/plain-text';
import { pretrainedFacts } from '../../model/families';
import { digestOfFiles } from '../../model/pretrained-digest';
import { download, type DownloadOptions } from './file-download';
import { bytesOf, type HubModel } from './hub';
import { folderOf, keptModel, openKept, writeAbout, type FileStore, type KeptModel } from './kept-models';

export interface ModelProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** The file that is being fetched. */
  readonly file: string;
}

export interface ModelDownloadOptions extends Omit<DownloadOptions, 'onProgress'> {
  onProgress?(progress: ModelProgress): void;
}

/** @throws a sentence if it cannot be had or cannot be trained here; the reason of an abort */
export async function downloadModel(
  model: HubModel,
  store: FileStore,
  options: ModelDownloadOptions,
): Promise<KeptModel> {
  const folder = folderOf(model);
  const before = await keptModel(store, folder);
  if (before?.digest) return before;
  await requireSpace(model, store, folder);
  const { name, asked, revision, licence } = model;
  const files = model.files.map(({ name, sizeBytes }) => ({ name, sizeBytes }));
  const about = { name, asked, revision, licence, date: before?.date ?? Date.now(), files, digest: null };
  await writeAbout(store, about);
  const digests = await fetchFiles(model, store, options);
  const digest = await digestOfFiles([...digests.keys()], async (file) => digests.get(file)!);
  const whole = { ...about, digest };
  const kept = { ...whole, folder, keptBytes: bytesOf(files) };
  // Its headers too must be those of a model that can be trained.
  await pretrainedFacts(await openKept(store, kept));
  await writeAbout(store, whole);
  return kept;
}

/** @returns the SHA-256 of each */
async function fetchFiles(
  { files, ...model }: HubModel,
  store: FileStore,
  options: ModelDownloadOptions,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const totalBytes = bytesOf(files);
  let before = 0;
  for (const file of files) {
    options.signal?.throwIfAborted();
    const onProgress = (done: number) =>
      options.onProgress?.({ doneBytes: before + done, totalBytes, file: file.name });
    const part = await store.part(folderOf(model), file.name);
    let isWhole = false;
    try {
      onProgress(await part.size());
      digests.set(file.name, await download(file, part, { ...options, onProgress }));
      isWhole = true;
    } finally {
      await part.close(isWhole);
    }
    before += file.sizeBytes;
  }
  return digests;
}

async function requireSpace({ name, files }: HubModel, store: FileStore, folder: string): Promise<void> {
  const free = await store.freeBytes();
  const missing = bytesOf(files) - (await store.bytes(folder));
  if (free === null || missing <= free) return;
  throw new Error(
    `There is no space for ${quoted(name, 120)}: ${formatBytes(missing)} are to be fetched, and ` +
      `${formatBytes(free)} are free. Delete other models or files first.`,
  );
}
