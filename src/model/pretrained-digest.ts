/** What tells a pretrained model from others, in configs and links that name it without carrying it. */
import type { ByteSource } from '../lib/byte-source';
import { RunningSha256 } from '../lib/running-sha256';
import { fileOf, tensorFiles, type Files } from '../lib/stored-tensors';
import { textFiles } from '../text/pretrained/pretrained-text';

/** Bytes that are read at once. */
const pieceBytes = 1 << 24;

/**
 * SHA-256 of a line for each file that a model is made of, in the order of their names: name and SHA-256. Whatever
 * else its folder holds does not count.
 * @param onProgress is given the share of the bytes that was read
 * @throws a sentence if weights are missing
 */
export async function pretrainedDigest(files: Files, onProgress?: (share: number) => void): Promise<string> {
  const names = await modelFiles(files);
  const total = names.reduce((sum, name) => sum + fileOf(files, name).size, 0);
  let done = 0;
  const onRead = (bytes: number) => onProgress?.((done += bytes) / total);
  return digestOfFiles(names, (name) => digestOf(fileOf(files, name), onRead));
}

/** Names of the files that a model is made of, sorted. @throws a sentence if its index is wrong */
export async function modelFiles(files: Files): Promise<string[]> {
  const texts = ['config.json', ...textFiles].filter((name) => files.has(name));
  return [...texts, ...(await tensorFiles(files))].sort();
}

/** The same of files whose own SHA-256 is known. */
export async function digestOfFiles(
  names: readonly string[],
  sha256: (name: string) => Promise<string>,
): Promise<string> {
  const lines = new RunningSha256();
  for (const name of [...names].sort()) lines.update(new TextEncoder().encode(`${name} ${await sha256(name)}\n`));
  return lines.hex();
}

async function digestOf(file: ByteSource, onRead: (bytes: number) => void): Promise<string> {
  const digest = new RunningSha256();
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = await file.read(at, Math.min(pieceBytes, file.size - at));
    digest.update(piece);
    onRead(piece.length);
  }
  return digest.hex();
}
