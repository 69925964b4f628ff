/**
 * One file of a model from a hub, over HTTP, into a store. What has come is kept: after a reload or a dropped
 * connection only the rest is fetched, by a range. A file counts when its size and its digest are right. Where parts
 * are kept, in the file system of a browser or on a disk, is the caller's business.
 */
import { RunningSha256 } from '../../lib/running-sha256';
import { quoted } from '../../lib/plain-text';
import { joined } from '../../lib/joined';
import { answerOf, nextPiece, PassingFailure, repeated, type RequestOptions } from './request';

export interface RemoteFile {
  /** As the person knows it: `model.safetensors`. */
  readonly name: string;
  readonly url: string;
  readonly sizeBytes: number;
  /** Lowercase hexadecimal; null where the hub gives none. */
  readonly sha256: string | null;
}

/** A file that is being written; what `append` has resolved for survives a reload. */
export interface StoredPart {
  size(): Promise<number>;
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  clear(): Promise<void>;
}

export interface DownloadOptions extends RequestOptions {
  onProgress?(doneBytes: number): void;
}

/** Bytes that are written, and read back, at once. */
const stagingBytes = 8 * 1024 * 1024;

/**
 * @returns the SHA-256 of what is there now
 * @throws a sentence if the file cannot be had; what has come stays in the part, unless it is wrong
 */
export async function download(file: RemoteFile, part: StoredPart, options: DownloadOptions): Promise<string> {
  const before = { etag: null };
  const size = () => part.size();
  const fetchAll = async () => {
    // Bytes of an earlier visit have no ETag, and without a digest nobody would notice that they are of another file.
    if (before.etag === null && file.sha256 === null && (await size()) < file.sizeBytes) await part.clear();
    const from = await size();
    if (from < file.sizeBytes) await fetchRest(file, part, from, options, before);
  };
  await repeated(name(file), fetchAll, options, size);
  return verify(file, part);
}

/** @param before the ETag of the answer that the bytes before `from` are of; null where none is known */
async function fetchRest(
  file: RemoteFile,
  part: StoredPart,
  from: number,
  options: DownloadOptions,
  before: { etag: string | null },
): Promise<void> {
  // Also from the beginning: an answer to a range is not compressed, so its length is the file's.
  const response = await answerOf(name(file), file.url, options, { Range: `bytes=${from}-` });
  const isWhole = response.status === 200;
  const etag = response.headers.get('ETag');
  const isKnown = before.etag !== null && etag !== null;
  const hasChanged = !isWhole && from > 0 && (isKnown ? etag !== before.etag : file.sha256 === null);
  before.etag = etag;
  // A header If-Range would leave this to the hub, but browsers ask first whether they may send it.
  if (hasChanged) {
    await part.clear();
    await response.body?.cancel();
    throw new PassingFailure('the hub has changed it meanwhile');
  }
  if (isWhole && from > 0) await part.clear();
  const total = isWhole ? response.headers.get('Content-Length') : totalOf(response, from);
  if (total !== null && Number(total) !== file.sizeBytes && !response.headers.has('Content-Encoding'))
    throw new Error(`${name(file)} has ${total} bytes on the hub, and should have ${file.sizeBytes}: it was changed.`);
  await writeBody(file, part, isWhole ? 0 : from, response.body!.getReader(), options);
}

async function writeBody(
  file: RemoteFile,
  part: StoredPart,
  from: number,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: DownloadOptions,
): Promise<void> {
  let done = from;
  const staged: Uint8Array[] = [];
  let stagedBytes = 0;
  const flush = async () => {
    if (stagedBytes > 0) await write(part, joined(staged.splice(0)), file);
    stagedBytes = 0;
  };
  try {
    for (;;) {
      const { value, done: isOver } = await nextPiece(name(file), reader, options);
      if (isOver) break;
      done += value.length;
      if (done > file.sizeBytes)
        throw new Error(`${name(file)} is longer than the ${file.sizeBytes} bytes it should be.`);
      staged.push(value);
      stagedBytes += value.length;
      if (stagedBytes >= stagingBytes) await flush();
      options.onProgress?.(done);
    }
  } finally {
    await flush();
    await reader.cancel().catch(() => undefined);
  }
  if (done < file.sizeBytes) throw new PassingFailure('the connection ended early');
}

/** Of `bytes 5-9/10`. @throws if it is another range than the one that was asked for */
function totalOf({ headers }: Response, from: number): string | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  // Browsers show this header only where the hub exposes it.
  if (start !== undefined && Number(start) !== from)
    throw new PassingFailure(`the hub answers from byte ${start}, not ${from}`);
  return total ?? null;
}

async function write(part: StoredPart, bytes: Uint8Array<ArrayBuffer>, file: RemoteFile): Promise<void> {
  try {
    await part.append(bytes);
  } catch (error) {
    const { name: kind, code } = error as { name?: string; code?: string };
    if (kind !== 'QuotaExceededError' && code !== 'ENOSPC') throw error;
    throw new Error(
      `There is no space for ${name(file)} (${file.sizeBytes} bytes). Free some, then download it again to go on.`,
      { cause: error },
    );
  }
}

async function verify(file: RemoteFile, part: StoredPart): Promise<string> {
  const size = await part.size();
  const digest = new RunningSha256();
  for (let at = 0; at < size; at += stagingBytes) digest.update(await part.read(at, Math.min(stagingBytes, size - at)));
  const sha256 = digest.hex();
  if (size === file.sizeBytes && (file.sha256 === null || sha256 === file.sha256)) return sha256;
  await part.clear();
  throw new Error(`${name(file)} came damaged and was deleted: its digest is not the hub’s. Download it again.`);
}

const name = (file: RemoteFile): string => quoted(file.name, 80);
