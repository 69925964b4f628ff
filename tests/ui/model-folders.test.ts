/** Folders of a pretrained model: read from a question, a drop or what is kept, within bounds. */
import { afterEach, expect, test, vi } from 'vitest';
import { droppedFolder, filesOf, keptFolder, mayRead } from '../../src/ui/base/model-folders';

afterEach(() => void vi.unstubAllGlobals());

const refusals = { notFolder: 'It is no folder.', tooMany: (most: number) => `more than ${most}` };
/** Names of files, and folders with what is in them. */
type Tree = readonly (string | readonly [string, Tree])[];

function handleOf(name: string, tree: Tree): FileSystemDirectoryHandle {
  return {
    kind: 'directory',
    name,
    async *values() {
      for (const each of tree)
        yield typeof each === 'string'
          ? { kind: 'file', name: each, getFile: async () => `file ${each}` }
          : handleOf(each[0], each[1]);
    },
  } as never;
}

/** Gives two entries at a time, as browsers give a hundred. */
function entryOf(path: string, tree: Tree | null): FileSystemEntry {
  const entries = (tree ?? []).map((each) =>
    typeof each === 'string' ? entryOf(`${path}/${each}`, null) : entryOf(`${path}/${each[0]}`, each[1]),
  );
  return {
    isFile: tree === null,
    isDirectory: tree !== null,
    fullPath: path,
    file: (found: (file: string) => void) => found(`file ${path.split('/').at(-1)}`),
    createReader: () => ({ readEntries: (found: (some: object[]) => void) => found(entries.splice(0, 2)) }),
  } as never;
}
const drop = (tree: Tree | null, handle?: () => Promise<unknown>) => {
  const item = { webkitGetAsEntry: () => entryOf('/tiny', tree), getAsFileSystemHandle: handle };
  return droppedFolder({ items: [{ webkitGetAsEntry: () => null }, item] } as never, refusals);
};

const tree: Tree = ['config.json', 'a', 'b', ['onnx', ['c', ['deep', ['d']]]]];
const expected = [
  ['tiny/config.json', 'file config.json'],
  ['tiny/a', 'file a'],
  ['tiny/b', 'file b'],
  ['tiny/onnx/c', 'file c'],
  ['tiny/onnx/deep/d', 'file d'],
];
const nested = (depth: number): Tree => (depth === 0 ? ['end'] : [[`${depth}`, nested(depth - 1)]]);
const many = (count: number): Tree => Array.from({ length: count }, (_, i) => `${i}`);

test('all files of a folder are read, by their paths', async () => {
  const handle = handleOf('tiny', tree);
  const chosen = await filesOf(handle, refusals);
  expect([[...chosen.files], chosen.handle]).toEqual([expected, handle]);
  const dropped = await drop(tree);
  expect([[...dropped.files], dropped.handle]).toEqual([expected, null]);
});

test('at most 1000 files are read, and five folders deep', async () => {
  for (const read of [(of: Tree) => filesOf(handleOf('tiny', of), refusals), (of: Tree) => drop(of)]) {
    expect((await read(many(1000))).files.size).toBe(1000);
    await expect(read(many(1001))).rejects.toThrow('more than 1000');
    expect((await read(nested(5))).files.size).toBe(1);
    expect((await read(nested(6))).files.size).toBe(0);
  }
});

test('what is dropped is kept by its handle, where the browser gives one', async () => {
  const handle = { kind: 'directory', name: 'tiny' };
  expect((await drop(['a'], async () => handle)).handle).toBe(handle);
  expect((await drop(['a'], async () => ({ kind: 'file' }))).handle).toBeNull();
  expect((await drop(['a'], () => Promise.reject(new Error('no')))).handle).toBeNull();
  await expect(drop(null)).rejects.toThrow('It is no folder.');
});

test('a kept folder is read if that is granted, or where a browser does not ask', async () => {
  const folder = (query: string, request: string) =>
    ({ queryPermission: async () => query, requestPermission: async () => request }) as never;
  expect(await mayRead(folder('prompt', 'granted'), false)).toBe(false);
  expect(await mayRead(folder('prompt', 'granted'), true)).toBe(true);
  expect(await mayRead(folder('granted', 'denied'), false)).toBe(true);
  expect(await mayRead(folder('granted', 'denied'), true)).toBe(false);
  expect(await mayRead({} as never, true)).toBe(true);
  const refusal: { error: Error; onerror?: () => void } = { error: new Error('There is no storage.') };
  vi.stubGlobal('FileSystemDirectoryHandle', class {});
  vi.stubGlobal('indexedDB', {
    open: () => {
      queueMicrotask(() => refusal.onerror?.());
      return refusal;
    },
  });
  expect(await keptFolder('abc')).toBeNull();
});
