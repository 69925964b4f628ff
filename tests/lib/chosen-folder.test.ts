/** Of all files of a choice, those of the folder that is meant. */
import { expect, test } from 'vitest';
import { folderWith } from '../../src/lib/chosen-folder';

const chosen = (...paths: readonly string[]) => new Map(paths.map((path) => [path, path]));
const names = (paths: readonly string[]) => {
  const { folder, files } = folderWith('config.json', chosen(...paths));
  return [folder, ...files.keys()];
};

test('the folder itself, without what is in folders of it', () => {
  expect(names(['m/config.json', 'm/model.safetensors', 'm/onnx/model.onnx', 'm/onnx/config.json'])).toEqual([
    'm',
    'config.json',
    'model.safetensors',
  ]);
});

test('the snapshot of a cache, whose folders tell name and revision', () => {
  const snapshot = 'models--Qwen--Qwen3-0.6B/snapshots/0123456';
  const paths = ['models--Qwen--Qwen3-0.6B/refs/main', `${snapshot}/config.json`, `${snapshot}/tokenizer.json`];
  expect(names(paths)).toEqual([snapshot, 'config.json', 'tokenizer.json']);
});

test('without such a file, the least deep one, so that what lacks can be said', () => {
  expect(names(['m/model.safetensors', 'm/more/model.bin'])).toEqual(['m', 'model.safetensors']);
  expect(names(['model.safetensors'])).toEqual(['', 'model.safetensors']);
  expect(names([])).toEqual(['']);
});
