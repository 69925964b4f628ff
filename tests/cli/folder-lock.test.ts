/** Who may write to a folder, and what becomes of the locks of processes that ended badly. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { FolderLock } from '../../src/cli/folder-lock';
import { RunFolder } from '../../src/cli/run-folder';

const empty = () => mkdtempSync(join(tmpdir(), 'agentlet-lock-'));
const lockOf = (folder: string) => join(folder, 'lock.json');
const leave = (folder: string, content: unknown) =>
  writeFileSync(lockOf(folder), typeof content === 'string' ? content : JSON.stringify(content));

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
/** Process id of another process that lives. */
function living(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  return child.pid!;
}
/** Process id of one that has ended. */
const gone = () => spawnSync(process.execPath, ['-e', '']).pid;

test('a second lock is refused in a sentence until the first is released', () => {
  const folder = empty();
  const lock = FolderLock.take(folder);
  expect(JSON.parse(readFileSync(lockOf(folder), 'utf8'))).toEqual({ pid: process.pid, host: hostname() });
  expect(() => FolderLock.take(folder)).toThrow(
    `${folder} is in use by another process (id ${process.pid} on ${hostname()}): wait for its end or stop it. ` +
      `If there is no such run, remove ${lockOf(folder)}.`,
  );
  expect(FolderLock.tryTake(folder)).toBeNull();
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  FolderLock.take(folder).release();
});

test('the lock of another living process counts, and its release takes nobody else’s lock away', () => {
  const folder = empty();
  const lock = FolderLock.take(folder);
  const other = { pid: living(), host: hostname() };
  leave(folder, other);
  lock.release();
  expect(JSON.parse(readFileSync(lockOf(folder), 'utf8')), 'a person had removed ours').toEqual(other);
  expect(() => FolderLock.take(folder)).toThrow(`id ${other.pid}`);
});

test.each<[string, () => unknown]>([
  ['a process that is gone', () => ({ pid: gone(), host: hostname() })],
  ['an earlier process with the id of this one', () => ({ pid: process.pid, host: hostname() })],
])('the lock of %s is taken over', (_, content) => {
  const folder = empty();
  leave(folder, content());
  const lock = FolderLock.take(folder);
  expect(readdirSync(folder)).toEqual(['lock.json']);
  lock.release();
});

test.each<[string, unknown]>([
  ['another host', { pid: 1, host: 'elsewhere\u001b[31m' }],
  ['nobody: an empty file', ''],
  ['nobody: no JSON', '{'],
  ['nobody: a list', '[1]'],
  ['a process id that is none', { pid: -1, host: hostname() }],
  ['a process id of text', { pid: 'x', host: hostname() }],
])('the lock of %s counts, and the sentence says what to remove', (_, content) => {
  const folder = empty();
  leave(folder, content);
  expect(() => FolderLock.take(folder)).toThrow(`If there is no such run, remove ${lockOf(folder)}.`);
  expect(existsSync(lockOf(folder))).toBe(true);
});

test('a link in place of the lock is not followed', () => {
  const [folder, outside] = [empty(), empty()];
  symlinkSync(join(outside, 'target'), lockOf(folder));
  expect(() => FolderLock.take(folder)).toThrow('plain files only');
  expect(readdirSync(outside)).toEqual([]);
});

test('drafts of a killed process are removed under the lock, other files stay', () => {
  const folder = empty();
  const names = ['link.txt', 'mine.part', 'x.6c84fb90-12c4-11e1-840d-7b25c5ee775a.part.txt'];
  for (const name of [...names, 'checkpoint.safetensors.6c84fb90-12c4-11e1-840d-7b25c5ee775a.part'])
    writeFileSync(join(folder, name), 'x');
  FolderLock.take(folder).release();
  expect(readdirSync(folder).sort()).toEqual(names.sort());
});

describe('a run’s folder', () => {
  const full = () => {
    const folder = empty();
    for (const name of ['run.json', 'checkpoint.safetensors']) writeFileSync(join(folder, name), '');
    return folder;
  };

  test('is locked from create and open to release', () => {
    for (const [folder, take] of [
      [empty(), (path: string) => RunFolder.create(path, 'x')],
      [full(), (path: string) => RunFolder.open(path)],
    ] as const) {
      const run = take(folder);
      expect(() => take(folder)).toThrow('is in use by another process');
      run.release();
      take(folder).release();
    }
  });

  test('of one’s own choice that holds a run is refused, and not left locked', () => {
    const folder = full();
    expect(() => RunFolder.create(folder, 'x')).toThrow('holds a run already');
    expect(existsSync(lockOf(folder))).toBe(false);
  });

  test('that is chosen here is the next one where another process begins a run', () => {
    const before = process.cwd();
    process.chdir(empty());
    try {
      const [first, second] = [RunFolder.create(undefined, 'x'), RunFolder.create(undefined, 'x')];
      expect([first.path, second.path]).toEqual([join('runs', 'x'), join('runs', 'x-2')]);
      first.release();
      second.release();
    } finally {
      process.chdir(before);
    }
  });
});

test('two processes that find the same stale lock do not both get it', async () => {
  const script = `
    const { FolderLock } = await import(${JSON.stringify(join(process.cwd(), 'src/cli/folder-lock.ts'))});
    const lock = FolderLock.tryTake(process.argv[1]);
    console.log(lock ? 'mine' : 'no');
    setTimeout(() => {}, 2000);`;
  const folder = empty();
  leave(folder, { pid: gone(), host: hostname() });
  const answers = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise<string>((resolve) => {
          const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder]);
          children.push(child);
          child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
          child.once('close', () => resolve('ended'));
        }),
    ),
  );
  expect(answers.sort()).toEqual(['mine', 'no', 'no']);
});
