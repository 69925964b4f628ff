/** What `npm run check` finds is a failure: types, Svelte, lint, formatting and the lock file. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm run check finds nothing', { timeout: 300_000 }, async () => {
  const check = promisify(execFile)('node_modules/.bin/tsx', ['tests/helpers/checks.ts']);
  const { stdout } = await check.catch((error: { stdout: string }) => error);
  expect(stdout.match(/^[✓✗] \S+/gm)?.sort(), stdout).toEqual(['✓ eslint', '✓ npm', '✓ prettier', '✓ svelte-check']);
});
