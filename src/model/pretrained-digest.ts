/** What tells a pretrained model from others, in configs and links that name it without carrying it. */
import type { ByteSource } from '../lib/byte-source';
import { RunningSha256 } from '../lib/running-sha256';
import { fileOf, tensorFiles, type Files } from '../lib/stored-tensors';
import { textFiles } from '../text/pretrained/pretrained-text';

/** Bytes that are read at once. */
const pieceBytes = 1 << 24;

/**
 * SHA-256 of a line for each file that a model is made of, in the order of their names: name and SHA-256. Whatever
 * else its folder holds does not count. @throws a sentence if weights are missing
 */
export async function pretrainedDigest(files: Files): Promise<string> {
  const names = ['config.json', ...textFiles].filter((name) => files.has(name));
  const lines = new RunningSha256();
  for (const name of [...names, ...(await tensorFiles(files))].sort())
    lines.update(new TextEncoder().encode(`${name} ${await digestOf(fileOf(files, name))}\n`));
  return lines.hex();
}

async function digestOf(file: ByteSource): Promise<string> {
  const digest = new RunningSha256();
  for (let at = 0; at < file.size; at += pieceBytes)
    digest.update(await file.read(at, Math.min(pieceBytes, file.size - at)));
  return digest.hex();
}
