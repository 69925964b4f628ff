/** Files that are no settings and no checkpoint at all, however large or deep: one sentence each. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readJson, readText } from '../../src/cli/read-file';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-json-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'config.json');

describe.each<[string, () => string, string]>([
  ['100,000 brackets', () => '['.repeat(100_000), `${path} is not JSON: line 1, column 100001 cannot be read.`],
  ['a text of 15 MB without an end', () => `{"seed": "${'x'.repeat(15e6)}`, 'is not JSON: line 1, column 10 cannot'],
  [
    '5,000 levels of objects',
    () => `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    `${path} nests lists and objects deeper than 100 levels.`,
  ],
  ['5,000 levels of lists', () => `{"seed": ${'['.repeat(5000)}${']'.repeat(5000)}}`, 'deeper than 100 levels.'],
  ['20 MB', () => `{"seed": "${'x'.repeat(20e6)}"}`, `${path} has 20.0 MB, and 16.0 MB is the most.`],
])('%s', (_, content, sentence) => {
  test.each(['train', 'experiment', 'env'])('%s', async (command) => {
    writeFileSync(path, content());
    const { code, stderr } = await runCommand(command, ...(command === 'env' ? ['check', path] : [path]));
    expect(code).toBe(1);
    expect(stderr.slice(0, 1000)).toContain(sentence);
    expect(stderr).not.toMatch(/RangeError| {4}at /);
  });
});

test('a file too large to read and a folder are refused before they are read', () => {
  writeFileSync(path, '');
  truncateSync(path, 5e9);
  expect(() => readJson(path)).toThrow('has 5000.0 MB, and 16.0 MB is the most.');
  expect(() => readText(path)).toThrow('has 5000.0 MB, and 16.0 MB is the most.');
  expect(() => readText(folder)).toThrow(`${folder} is a folder, and must be a file.`);
});

test('a checkpoint that is too large to be read', async () => {
  const run = join(folder, 'run');
  mkdirSync(run);
  for (const name of ['run.json', 'checkpoint.safetensors']) writeFileSync(join(run, name), '{}');
  const checkpoint = join(run, 'checkpoint.safetensors');
  truncateSync(checkpoint, 2.3e9);
  for (const given of [[run], [checkpoint]]) {
    const { code, stderr } = await runCommand('eval', ...given);
    expect(code).toBe(1);
    expect(stderr).toContain(`${checkpoint} has 2300.0 MB, and 2147.5 MB is the most.`);
    expect(stderr).not.toContain('    at ');
  }
});
