/** One place names the hub; a build may have another one, or none. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { securityHeaders } from '../../src/cli/build/security-headers-plugin';
import { hubOf, standardHub } from '../../src/lib/hub';

afterEach(() => vi.unstubAllEnvs());

test('a build has the hub, another one, or none', () => {
  expect(hubOf()?.address).toBe(standardHub);
  expect(hubOf('http://127.0.0.1:8000/hub')).toEqual({
    address: 'http://127.0.0.1:8000/hub',
    hosts: ['http://127.0.0.1:8000'],
  });
  expect(hubOf('off')).toBeNull();
  expect(() => hubOf('nowhere')).toThrow('VITE_HUB cannot be "nowhere": give an address, or off.');
});

test.each<[string, string]>([
  ['', `connect-src 'self' https://huggingface.co https://*.huggingface.co https://*.hf.co;`],
  ['off', `connect-src 'self';`],
  ['http://127.0.0.1:8000/hub', `connect-src 'self' http://127.0.0.1:8000;`],
])('the policy of a build with VITE_HUB=%s names it and nothing else', (setting, directive) => {
  vi.stubEnv('VITE_HUB', setting);
  const { transformIndexHtml } = securityHeaders() as unknown as {
    transformIndexHtml: (html: string, context: object) => { readonly attrs: { readonly content: string } }[];
  };
  expect(transformIndexHtml('', {})[0].attrs.content).toContain(directive);
});

test('no other source names its host', () => {
  const root = join(import.meta.dirname, '../../src');
  const named = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs|svelte)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // A comment may cite a page.
    .filter((path) => /^(?! ?\*|\/).*(huggingface\.co|\bhf\.co)/m.test(readFileSync(path, 'utf8')));
  expect(named).toEqual([join(root, 'lib/hub.ts')]);
});
