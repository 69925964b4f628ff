/** The servers of `npm start` and `npm run preview`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, preview } from 'vite';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('the development server isolates the page and its workers', async () => {
  const server = await createServer({
    root,
    logLevel: 'error',
    server: { port: 0, open: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  onTestFinished(() => server.close());
  await server.listen();
  await expectIsolation(server.resolvedUrls!.local[0], ['', 'src/lib/median.ts', 'screenshot.png']);
});

test('the preview server isolates the page and its workers', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'agentlet-preview-'));
  onTestFinished(() => rmSync(outDir, { recursive: true }));
  writeFileSync(join(outDir, 'index.html'), '<!doctype html>');
  writeFileSync(join(outDir, 'worker.js'), '');
  const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 0, open: false } });
  onTestFinished(() => server.close());
  await expectIsolation(server.resolvedUrls!.local[0], ['', 'worker.js']);
});

/** A worker's script needs the header as much as the page does. */
async function expectIsolation(url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { ok, headers } = await fetch(url + path, { headers: { accept: path === '' ? 'text/html' : '*/*' } });
    expect(ok, path).toBe(true);
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy'), path).toBe('require-corp');
  }
}
