/** A command in a new clone, where nothing is built or compiled yet. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const longMs = 300_000;

/** A copy of the checkout with its packages, and without what commands have cached. */
function freshClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'agentlet-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  for (const path of ['src', 'shaders', 'public/checkpoints', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(clone, path), { recursive: true });
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!/^\.(cache|vite)/.test(name)) symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

test('two commands at once build the library, and both run', { timeout: longMs }, async () => {
  const clone = freshClone();
  const command = () => promisify(execFile)(process.execPath, ['src/cli/main.mjs', 'config', 'bandit'], { cwd: clone });
  const [one, two] = await Promise.all([command(), command()]);
  expect(JSON.parse(one.stdout)).toHaveProperty('algorithm');
  expect(two.stdout).toBe(one.stdout);
  expect(readdirSync(join(clone, 'node_modules/.cache/agentlet-library'))).toHaveLength(1);
});
