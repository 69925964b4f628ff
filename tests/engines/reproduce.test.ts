import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('npm run reproduce loads, and names the presets where it gets another name', () => {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'reproduce', '--', 'nope'], { encoding: 'utf8' });
  expect(stderr).toContain('There is no preset called nope; there is calculator, ');
  expect(status).toBe(2);
});
