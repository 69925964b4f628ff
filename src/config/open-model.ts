/** A pretrained model from its files, wherever these are: a terminal and the page open it alike. */
import { plainText } from '../lib/plain-text';
import { fileOf, tensorFiles, type Files } from '../lib/stored-tensors';
import { pretrainedFacts, type PretrainedFacts } from '../model/families';
import { pretrainedDigest } from '../model/pretrained-digest';
import type { FoundModel } from './for-pretrained';
import { maxModelName } from './pretrained-schema';

/** A model that is here. */
export interface OpenedModel extends FoundModel, PretrainedFacts {
  /** Of its weights, as the files have them. */
  readonly bytes: number;
  /** As its README.md names it. */
  readonly licence: string | null;
  readonly files: Files;
}

/** Longest README.md whose first lines are read. */
const maxReadmeBytes = 1 << 20;
const maxLicence = 64;

export interface OpenOptions {
  /** Is given the bytes of the weights before all are read for the digest; it may throw. */
  onFacts?(bytes: number): void;
  onProgress?(share: number): void;
  /** Where the digest may be known without reading: `pretrainedDigest` of the files. */
  digest?(files: Files, onProgress?: (share: number) => void): Promise<string>;
}

/**
 * @param folder its path, as far as it is known
 * @throws a sentence if it is no model that can be used
 */
export async function openModel(
  files: Files,
  folder: string,
  { onFacts, onProgress, digest: digestOf = pretrainedDigest }: OpenOptions = {},
): Promise<OpenedModel> {
  const facts = await pretrainedFacts(files);
  const bytes = (await tensorFiles(files)).reduce((sum, name) => sum + fileOf(files, name).size, 0);
  onFacts?.(bytes);
  const licence = await licenceOf(files);
  const digest = await digestOf(files, onProgress);
  return { ...placeOf(folder), ...facts, digest, bytes, licence, files };
}

/** The cache of Hugging Face tells a model's name and revision by its folders; another folder is the name. */
function placeOf(path: string): Pick<FoundModel, 'name' | 'revision'> {
  const cached = /models--([^/\\]+)[/\\]snapshots[/\\]([0-9a-f]{7,64})$/.exec(path);
  const folder = path.split(/[/\\]/).at(-1)!;
  const name = plainText(cached ? cached[1].replaceAll('--', '/') : folder || 'model', maxModelName - 1);
  return cached ? { name, revision: cached[2] } : { name };
}

async function licenceOf(files: Files): Promise<string | null> {
  const file = files.get('README.md');
  if (!file || file.size > maxReadmeBytes) return null;
  const head = /^---\r?\n([^]*?)\r?\n---/.exec(new TextDecoder().decode(await file.read(0, file.size)));
  const named = /^license: *(\S.*)$/m.exec(head?.[1] ?? '');
  return named && plainText(named[1].trim(), maxLicence);
}
