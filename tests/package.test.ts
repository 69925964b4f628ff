/** What npm makes of package.json without being asked. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no script is a hook that npm runs before or after another one', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const names = Object.keys(scripts);
  const hooks = names.filter((name) => names.some((other) => [`pre${other}`, `post${other}`].includes(name)));
  expect(hooks).toEqual([]);
});
