import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ExperimentFolder, type Cell } from '../../../src/cli/experiment/folder';
import { sampleResults } from '../../helpers/results';

const path = mkdtempSync(join(tmpdir(), 'agentlet-experiment-'));
afterAll(() => rmSync(path, { recursive: true, force: true }));

const [result] = sampleResults.rows[1].seeds;
const cell: Cell = { result, adapter: 'a GPU', commit: 'unknown', date: sampleResults.date, outOfDistribution: null };

test('a cell is done under its own key only, also for who opens the folder later', () => {
  const folder = new ExperimentFolder(path);
  expect(folder.readCell('grpo-seed1', 'rate 1')).toBeNull();
  folder.writeCell('grpo-seed1', 'rate 1', cell);
  expect(new ExperimentFolder(path).readCell('grpo-seed1', 'rate 1')).toMatchObject(cell);
  expect(folder.readCell('grpo-seed1', 'rate 2')).toBeNull();
  expect(folder.readCell('grpo-seed2', 'rate 1')).toBeNull();
});

test('a warm start comes back bit for bit, and only whole', () => {
  const folder = new ExperimentFolder(path);
  const warm = { checkpoint: Uint8Array.of(1, 2, 255), start: result.start!, warm: result.warm! };
  expect(folder.readWarmStart('a')).toBeNull();
  folder.writeWarmStart('a', warm);
  const read = folder.readWarmStart('a')!;
  expect([...read.checkpoint]).toEqual([1, 2, 255]);
  expect([read.start, read.warm]).toEqual([warm.start, warm.warm]);
  expect(folder.readWarmStart('b')).toBeNull();
  const [numbers] = readdirSync(join(path, 'warm')).filter((name) => name.endsWith('.json'));
  rmSync(join(path, 'warm', numbers));
  expect(folder.readWarmStart('a'), 'stopped before its numbers were written').toBeNull();
});

test('a broken file is named', () => {
  writeFileSync(join(path, 'cells', 'rloo-seed1.json'), '{"key":');
  expect(() => new ExperimentFolder(path).readCell('rloo-seed1', 'rate 1')).toThrow(
    /rloo-seed1\.json is not JSON\. Remove it/,
  );
});

test.each([
  'cells',
  'warm',
  'cells/a-seed1',
  'cells/a-seed1/checkpoint.safetensors',
  'cells/a-seed1/checkpoint.safetensors.part',
  'cells/a-seed1/trajectories.jsonl',
  'cells/a-seed1/trajectories.jsonl.part',
  'cells/a-seed1.json',
  'cells/a-seed1.json.part',
  'table.md',
  'table.md.part',
])('a link in place of %s leads nothing outside', (name) => {
  const outside = mkdtempSync(join(tmpdir(), 'agentlet-outside-'));
  writeFileSync(join(outside, 'target'), 'mine');
  const inside = mkdtempSync(join(tmpdir(), 'agentlet-experiment-'));
  mkdirSync(dirname(join(inside, name)), { recursive: true });
  symlinkSync(/\./.test(name) ? join(outside, 'target') : outside, join(inside, name));
  const write = () => {
    const folder = new ExperimentFolder(inside);
    folder.writeAgent('a-seed1', { checkpoint: Uint8Array.of(1), rollouts: [] });
    folder.writeCell('a-seed1', 'key', cell);
    folder.write('table.md', 'table');
  };
  if (name.endsWith('.part')) write();
  else expect(write).toThrow('is a link or a');
  expect(readdirSync(outside)).toEqual(['target']);
  expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('mine');
});
