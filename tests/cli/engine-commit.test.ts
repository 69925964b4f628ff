import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitOf, engineCommit } from '../../src/cli/engine-commit';

test('the commit is the folder’s own; within another repository, or in none, it is unknown', () => {
  const root = mkdtempSync(join(tmpdir(), 'agentlet-commit-'));
  const inner = join(root, 'node_modules');
  mkdirSync(inner);
  expect(commitOf(root)).toBe('unknown');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(root, 'a'), '1');
  git('add', 'a');
  git('commit', '-qm', 'a');
  const commit = git('rev-parse', '--short=12', 'HEAD').trim();
  expect(commitOf(root)).toBe(commit);
  writeFileSync(join(root, 'a'), '2');
  expect(commitOf(root)).toBe(`${commit}-dirty`);
  expect(commitOf(inner)).toBe('unknown');
});

test('the working folder does not count', () => {
  const before = process.cwd();
  const commit = engineCommit();
  process.chdir(tmpdir());
  try {
    expect(engineCommit()).toBe(commit);
  } finally {
    process.chdir(before);
  }
});
