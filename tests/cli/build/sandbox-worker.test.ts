/**
 * The sandbox worker behind `virtual:sandbox-worker`, as the page gets it: text that runs where nothing can be loaded.
 */
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { sandboxWorker } from '../../../src/cli/build/sandbox-worker-plugin';
import { meterQuickJs } from '../../../src/cli/quickjs';

/** Bytes that a browser loads before the first environment runs. */
const mostBytes = 310_000;

test('the sandbox worker is one classic script that loads nothing, and small', async () => {
  const source = await sourceOf(sandboxWorker());
  expect(() => new Script(source)).not.toThrow();
  expect(source.match(/\b(import|importScripts|fetch|Worker|XMLHttpRequest|WebSocket)\s*\(/g)).toBeNull();
  expect(gzipSync(source).length + gzipSync(await meterQuickJs()).length).toBeLessThanOrEqual(mostBytes);
});

/** What a module that imports the worker is built into, run. */
async function sourceOf(plugin: ReturnType<typeof sandboxWorker>): Promise<string> {
  const entry = 'virtual:entry';
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      plugin,
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export { default } from 'virtual:sandbox-worker';` : null),
      },
    ],
    build: { write: false, rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' } },
  });
  const { code } = (result as Rolldown.RolldownOutput).output[0];
  const built = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: string };
  return built.default;
}
