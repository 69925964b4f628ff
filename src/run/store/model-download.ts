/**
 * One file of a model from a hub, over HTTP, into a store. What has come is kept: after a reload or a dropped
 * connection only the rest is fetched, by a range. A file counts when its size and its digest are right. Where parts
 * are kept, in the file system of a browser or on a disk, is the caller's business.
 */
import { RunningSha256 } from '../../lib/running-sha256';
import { quoted } from '../../lib/plain-text';

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

export interface DownloadOptions {
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal;
  onProgress?(doneBytes: number): void;
  /** Awaited before a request is repeated. @param failures in a row */
  wait(failures: number): Promise<void>;
}

/** Bytes that are written, and read back, at once. */
const stagingBytes = 8 * 1024 * 1024;
/** Failures in a row, without a byte between them, after which nobody waits any longer. */
const maxFailures = 5;

/** A failure that another request may not have. */
class Passing extends Error {}

/** @throws a sentence if the file cannot be had; what has come stays in the part, unless it is wrong */
export async function download(file: RemoteFile, part: StoredPart, options: DownloadOptions): Promise<void> {
  for (let failures = 0; (await part.size()) < file.sizeBytes;) {
    const before = await part.size();
    try {
      await fetchRest(file, part, before, options);
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      failures = (await part.size()) > before ? 1 : failures + 1;
      if (failures >= maxFailures)
        throw new Error(`${name(file)} cannot be fetched: ${error.message}. Press Download to go on from there.`, {
          cause: error,
        });
      await options.wait(failures);
    }
  }
  await verify(file, part);
}

async function fetchRest(
  file: RemoteFile,
  part: StoredPart,
  from: number,
  { fetch: request, signal, onProgress }: DownloadOptions,
): Promise<void> {
  const headers: Record<string, string> = from === 0 ? {} : { Range: `bytes=${from}-` };
  const response = await request(file.url, { headers, credentials: 'omit', ...(signal && { signal }) }).catch(
    passing(signal),
  );
  refuse(response.status, file);
  const isWhole = response.status === 200;
  let done = isWhole ? 0 : from;
  if (isWhole && from > 0) await part.clear();
  const total = isWhole ? response.headers.get('Content-Length') : totalOf(response, from);
  if (total !== null && Number(total) !== file.sizeBytes && !response.headers.has('Content-Encoding'))
    throw new Error(`${name(file)} has ${total} bytes on the hub, and should have ${file.sizeBytes}: it was changed.`);
  const reader = response.body!.getReader();
  const staged: Uint8Array[] = [];
  let stagedBytes = 0;
  const flush = async () => {
    if (stagedBytes > 0) await write(part, joined(staged.splice(0), stagedBytes), file);
    stagedBytes = 0;
  };
  try {
    for (;;) {
      const { value, done: isOver } = await reader.read().catch(passing(signal));
      if (isOver) break;
      done += value.length;
      if (done > file.sizeBytes)
        throw new Error(`${name(file)} is longer than the ${file.sizeBytes} bytes it should be.`);
      staged.push(value);
      stagedBytes += value.length;
      if (stagedBytes >= stagingBytes) await flush();
      onProgress?.(done);
    }
  } finally {
    await flush();
    await reader.cancel().catch(() => undefined);
  }
  if (done < file.sizeBytes) throw new Passing('the connection ended early');
}

function passing(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    if (signal?.aborted) throw error;
    throw new Passing('the connection broke', { cause: error });
  };
}

/** @throws a sentence where another request would be answered alike */
function refuse(status: number, file: RemoteFile): void {
  if (status === 200 || status === 206) return;
  if (status === 401 || status === 403)
    throw new Error(
      `${name(file)} is private, or its licence must be accepted on the hub first. Choose another model.`,
    );
  if (status === 404) throw new Error(`${name(file)} is not on the hub: check the repository’s name and revision.`);
  if (status === 429 || status >= 500) throw new Passing(`the hub answers ${status}`);
  throw new Error(`${name(file)} cannot be fetched: the hub answers ${status}.`);
}

/** Of `bytes 5-9/10`. @throws if it is another range than the one that was asked for */
function totalOf({ headers }: Response, from: number): string | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  // Browsers show this header only where the hub exposes it.
  if (start !== undefined && Number(start) !== from)
    throw new Passing(`the hub answers from byte ${start}, not ${from}`);
  return total ?? null;
}

async function write(part: StoredPart, bytes: Uint8Array<ArrayBuffer>, file: RemoteFile): Promise<void> {
  try {
    await part.append(bytes);
  } catch (error) {
    const { name: kind, code } = error as { name?: string; code?: string };
    if (kind !== 'QuotaExceededError' && code !== 'ENOSPC') throw error;
    throw new Error(
      `There is no space for ${name(file)} (${file.sizeBytes} bytes). Free some, then press Download to go on.`,
      { cause: error },
    );
  }
}

async function verify(file: RemoteFile, part: StoredPart): Promise<void> {
  const size = await part.size();
  const digest = new RunningSha256();
  for (let at = 0; file.sha256 !== null && at < size; at += stagingBytes)
    digest.update(await part.read(at, Math.min(stagingBytes, size - at)));
  if (size === file.sizeBytes && (file.sha256 === null || digest.hex() === file.sha256)) return;
  await part.clear();
  throw new Error(`${name(file)} came damaged and was deleted: its digest is not the hub’s. Press Download again.`);
}

const name = (file: RemoteFile): string => quoted(file.name, 80);

function joined(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
