/** A run's folder that came from a stranger: nothing outside it is written. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunFolder } from '../../src/cli/run-folder';

const names = ['run.json', 'checkpoint.safetensors', 'link.txt', 'metrics.jsonl', 'trajectories.jsonl'];

test.each(names.flatMap((name) => [name, `${name}.part`]))('a link in place of %s is refused, and its target stays', (name) => {
  const outside = mkdtempSync(join(tmpdir(), 'agentlet-outside-'));
  const path = mkdtempSync(join(tmpdir(), 'agentlet-run-'));
  const target = join(outside, 'target');
  writeFileSync(target, 'mine');
  for (const each of names) writeFileSync(join(path, each), '');
  rmSync(join(path, name), { force: true });
  symlinkSync(target, join(path, name));
  expect(() => RunFolder.open(path)).toThrow('plain files only');
  const folder = new RunFolder(path);
  try {
    folder.writeCheckpoint(new Uint8Array(4));
    folder.writeLink('x');
    folder.appendTrajectories([]);
  } catch (error) {
    expect((error as Error).message).toContain('plain files only');
  }
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(readdirSync(path).filter((each) => each.endsWith('.part') && each !== name)).toEqual([]);
  expect(existsSync(join(path, 'checkpoint.safetensors'))).toBe(true);
});
