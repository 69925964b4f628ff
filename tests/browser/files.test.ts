/** The files of the built page, as a host publishes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, inject, test } from 'vitest';

const folder = inject('siteFolder');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
/** What `npm run build` makes: without the entry that only tests have. */
const published = files.filter((file) => !file.startsWith('attacks-probe'));

test('no name is one that GitHub Pages or another host leaves out', () => {
  expect(published.filter((file) => basename(file).startsWith('_'))).toEqual(['_headers']);
  expect(files.flatMap((file) => file.split('/')).filter((name) => name.startsWith('.'))).toEqual(['.nojekyll']);
  expect(textOf('.nojekyll')).toBe('');
});

test('every file that the page, its styles and its scripts name is there', () => {
  const named = published
    .filter((file) => /\.(html|js|css|webmanifest)$/.test(file))
    .flatMap((file) => namesIn(textOf(file)).map((name) => ({ file, name })));
  const names = new Set(files.map((file) => basename(file)));
  expect(named.filter(({ name }) => !names.has(name))).toEqual([]);
  const chunks = published
    .filter((file) => /^assets\/.*\.(js|css|wasm|json)$/.test(file))
    .map((file) => basename(file));
  expect(chunks.length).toBeGreaterThan(50);
  const reached = new Set(named.filter(({ file }) => file !== 'sw.js').map(({ name }) => name));
  expect(chunks.filter((name) => !reached.has(name))).toEqual([]);
});

test('the service worker stores every file that the page may ask for', () => {
  const stored = [...textOf('sw.js').matchAll(/"url":"([^"]+)"/g)].map(([, name]) => name);
  const asked = published.filter(
    (file) =>
      !/\.map$/.test(file) &&
      !['sw.js', '_headers', '.nojekyll', 'screenshot.png'].includes(file) &&
      // Models are for terminals.
      !file.startsWith('models/') &&
      !isLargeIcon(file),
  );
  expect([...new Set(stored)].filter((file) => !file.startsWith('attacks-probe')).sort()).toEqual(asked.sort());
});

/** Icons that the browser asks for itself when the page is installed. */
const isLargeIcon = (file: string) => file.startsWith('icons/') && file !== 'icons/192.png';

/** Names with a digest, which the build has made, and those of the manifest and its pictures. */
const namesIn = (text: string): string[] =>
  [
    ...text.matchAll(/[\w.-]+-[\w-]{8}\.(?:js\.map|js|css|wasm|json|svg|png)\b|manifest\.webmanifest|icons\/\w+\.png/g),
  ].map(([name]) => basename(name));
