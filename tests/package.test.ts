/** What npm makes of package.json without being asked, and what the README says that the package lacks. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { largestStartBytes } from '../src/cli/build/library';

test('no script is a hook that npm runs before or after another one', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const names = Object.keys(scripts);
  const hooks = names.filter((name) => names.some((other) => [`pre${other}`, `post${other}`].includes(name)));
  expect(hooks).toEqual([]);
});

test('the README names the warm starts that the package has no room for', () => {
  const folder = 'public/checkpoints';
  const large = readdirSync(folder).filter((file) => statSync(`${folder}/${file}`).size > largestStartBytes);
  const [, named = ''] = /smaller warm starts only: the first `train` of (.*?) makes/s.exec(
    readFileSync('README.md', 'utf8'),
  )!;
  const names = [...named.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(large.map((file) => file.replace('.safetensors', '')).toSorted());
});
