/**
 * A lock of a folder that one process writes to: a file with its process id and host, made exclusively. A lock whose
 * process is gone is stale and is taken over. A process of another host cannot be asked; its lock counts as long as it
 * renews the time of the file.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainText } from '../lib/plain-text';
import { requirePlain, isDraft } from './safe-files';

interface Owner {
  readonly pid: number;
  readonly host: string;
}

const lockName = 'lock.json';
/** Locks of this process, by path. */
const mine = new Set<string>();
/** How often a process renews the time of its locks. */
const renewMs = 20_000;
/** Age at which a lock of another host is stale. */
const staleMs = 300_000;
/** How often a process that waits for a lock looks again. */
const lookMs = 300;

export class FolderLock {
  private constructor(private readonly path: string) {}

  /**
   * Locks a folder until `release` or the end of the process, and removes the drafts that a killed process left there.
   * @throws a sentence if another process works in it
   */
  static take(folder: string): FolderLock {
    const lock = FolderLock.tryTake(folder);
    if (lock) return lock;
    const path = join(folder, lockName);
    const { pid, host } = ownerIn(textOf(path)) ?? { pid: 'unknown', host: 'unknown' };
    throw new Error(
      `${folder} is in use by another process (id ${pid} on ${plainText(host, 64)}): wait for its end or stop it. ` +
        `If there is no such run, remove ${path}.`,
    );
  }

  /** Locks a folder once no other process works in it. @param onWait called if one does */
  static async wait(folder: string, onWait: () => void): Promise<FolderLock> {
    for (let looks = 0; ; looks++) {
      const lock = FolderLock.tryTake(folder);
      if (lock) return lock;
      if (looks === 0) onWait();
      await sleep(lookMs);
    }
  }

  /** Null if another process works in the folder. */
  static tryTake(folder: string): FolderLock | null {
    const path = join(folder, lockName);
    requirePlain(path);
    if (!create(path) && !(removeStale(path) && create(path))) return null;
    if (mine.size === 0) {
      process.on('exit', releaseAll);
      renewal = setInterval(renewAll, renewMs).unref();
    }
    mine.add(path);
    for (const name of readdirSync(folder)) if (isDraft(name)) rmSync(join(folder, name), { force: true });
    return new FolderLock(path);
  }

  release(): void {
    if (!mine.delete(this.path)) return;
    removeOwn(this.path);
    if (mine.size > 0) return;
    process.off('exit', releaseAll);
    clearInterval(renewal);
  }
}

let renewal: NodeJS.Timeout | undefined;

function renewAll(): void {
  for (const path of mine) if (ownerIn(textOf(path))?.pid === process.pid) utimesSync(path, new Date(), new Date());
}

function releaseAll(): void {
  for (const path of mine) removeOwn(path);
}

/** A person may have removed the lock, and another process may have put its own there. */
function removeOwn(path: string): void {
  if (ownerIn(textOf(path))?.pid === process.pid) rmSync(path, { force: true });
}

function create(path: string): boolean {
  try {
    writeFileSync(path, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`${path} could not be written: ${(error as Error).message}.`, { cause: error });
  }
}

/** Removes a lock whose process is gone. False if it is in use, or was replaced meanwhile. */
function removeStale(path: string): boolean {
  const text = textOf(path);
  if (!isStale(path, ownerIn(text))) return false;
  const taken = `${path}.${randomUUID()}`;
  try {
    renameSync(path, taken);
  } catch {
    return true;
  }
  // Between the look and the rename another process may have put its own lock there: it gets that back.
  const isSame = textOf(taken) === text;
  try {
    if (!isSame) linkSync(taken, path);
  } catch {
    // A third process has locked the folder, and the second will not find its own lock.
  }
  rmSync(taken, { force: true });
  return isSame;
}

function isStale(path: string, owner: Owner | null): boolean {
  if (owner === null) return false;
  if (owner.host !== hostname())
    return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > staleMs;
  if (owner.pid === process.pid) return !mine.has(path);
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Null if a lock's text names no process. */
function ownerIn(text: string): Owner | null {
  try {
    const { pid, host } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return Number.isSafeInteger(pid) && (pid as number) > 0 && typeof host === 'string'
      ? { pid: pid as number, host }
      : null;
  } catch {
    return null;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
