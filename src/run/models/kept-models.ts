/** The models that were downloaded: each has a folder of a store with its files, and beside them what it is. */
import * as v from 'valibot';
import type { ByteSource } from '../../lib/byte-source';
import { plainText, quoted } from '../../lib/plain-text';
import type { Files } from '../../lib/stored-tensors';
import type { StoredPart } from './file-download';
import type { Repository } from './repository';

/** Folders of files: a directory of a disk, or the private file system of a browser. */
export interface FileStore {
  /** Names of its folders. */
  folders(): Promise<readonly string[]>;
  /** A short text file; null if it is not there. */
  readText(folder: string, name: string): Promise<string | null>;
  /** Replaces it whole; the folder is made if need be. */
  writeText(folder: string, name: string, text: string): Promise<void>;
  /** A file to write to, with what it has already. One at a time writes to it. */
  part(folder: string, name: string): Promise<OpenPart>;
  /** A file that is whole; null if it is not there. */
  source(folder: string, name: string): Promise<ByteSource | null>;
  /** Bytes of all its files. */
  bytes(folder: string): Promise<number>;
  remove(folder: string): Promise<void>;
  /** Bytes that it can still take; null if nobody knows. */
  freeBytes(): Promise<number | null>;
}

export interface OpenPart extends StoredPart {
  /** Call once. @param isWhole then it gets the file's own name */
  close(isWhole: boolean): Promise<void>;
}

const Hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
const Line = v.pipe(
  v.string(),
  v.check((text) => text === plainText(text, 128)),
);
const About = v.strictObject({
  name: Line,
  asked: v.nullable(Line),
  revision: Hex,
  licence: v.nullable(Line),
  /** When its download began, ms since 1970. */
  date: v.number(),
  files: v.array(v.strictObject({ name: Line, sizeBytes: v.number() })),
  /** `pretrainedDigest` of the files; null until all of them are there. */
  digest: v.nullable(Hex),
});

/** What is written beside the files of a model. */
export type AboutModel = v.InferOutput<typeof About>;

export interface KeptModel extends AboutModel {
  readonly folder: string;
  /** What its files take now. */
  readonly keptBytes: number;
}

/** A name that no hub's file has. */
const aboutName = 'agentlet.json';

/** Of a commit of a model; no two have the same. */
export const folderOf = ({ name, revision }: Pick<AboutModel, 'name' | 'revision'>): string =>
  `${name.replace('/', '--')}--${revision}`;

/** Latest first. A folder that says nothing of a model, or not as it is said here, is left out. */
export async function keptModels(store: FileStore): Promise<KeptModel[]> {
  const found = await Promise.all((await store.folders()).map((folder) => keptModel(store, folder)));
  return found.filter((each) => each !== null).sort((a, b) => b.date - a.date);
}

/** Null if the folder holds none. */
export async function keptModel(store: FileStore, folder: string): Promise<KeptModel | null> {
  const text = await store.readText(folder, aboutName);
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), About), text);
  if (!read.success || folderOf(read.output) !== folder) return null;
  return { ...read.output, folder, keptBytes: await store.bytes(folder) };
}

export async function writeAbout(store: FileStore, about: AboutModel): Promise<void> {
  await store.writeText(folderOf(about), aboutName, JSON.stringify(about));
}

/** The latest that is whole, of this name and revision; null if there is none. */
export async function findKept(store: FileStore, { name, revision }: Repository): Promise<KeptModel | null> {
  const isMeant = (model: KeptModel) =>
    revision === null || model.asked === revision || (revision.length >= 7 && model.revision.startsWith(revision));
  const models = await keptModels(store);
  return models.find((model) => model.digest !== null && model.name === name && isMeant(model)) ?? null;
}

/** @throws a sentence if a file is missing or has another size */
export async function openKept(store: FileStore, { folder, name, files }: KeptModel): Promise<Files> {
  const opened = new Map<string, ByteSource>();
  for (const { name: file, sizeBytes } of files) {
    const source = await store.source(folder, file);
    if (source?.size !== sizeBytes)
      throw new Error(
        `${quoted(file, 80)} of ${quoted(name, 120)} is not as it was downloaded: delete the model, and download ` +
          'it again.',
      );
    opened.set(file, source);
  }
  return opened;
}
