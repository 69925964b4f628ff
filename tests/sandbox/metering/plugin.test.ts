/** The metered engine behind `virtual:metered-quickjs`, as Vite builds it and as its development server serves it. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, createServer, type InlineConfig } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meteredQuickJs } from '../../../src/cli/build/metered-engine-plugin';
import { meterQuickJs } from '../../../src/cli/quickjs';

let root: string;
let config: InlineConfig;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentlet-engine-'));
  await writeFile(join(root, 'index.html'), '<script type="module" src="./page.js"></script>');
  await writeFile(join(root, 'page.js'), `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });`);
  await writeFile(join(root, 'worker.js'), `import url from 'virtual:metered-quickjs'; postMessage(url);`);
  config = {
    configFile: false,
    root,
    base: './',
    cacheDir: join(root, 'cache'),
    logLevel: 'error',
    plugins: [meteredQuickJs()],
    worker: { format: 'es', plugins: () => [meteredQuickJs()] },
  };
});

afterAll(() => rm(root, { recursive: true }));

test('a build emits it once, under a hashed name that the worker finds next to itself', async () => {
  await build(config);
  const assets = join(root, 'dist/assets');
  const names = await readdir(assets);
  const engines = names.filter((name) => name.endsWith('.wasm'));
  expect(engines).toEqual([expect.stringMatching(/^quickjs-metered-[\w-]{8}\.wasm$/)]);
  const built = await readFile(join(assets, engines[0]));
  expect(built.equals(await meterQuickJs())).toBe(true);
  expect(gzipSync(built).length).toBeLessThanOrEqual(310_000);

  const worker = names.find((name) => name.startsWith('worker-'))!;
  const code = await readFile(join(assets, worker), 'utf8');
  const written = /new URL\(["'`]([^"'`]+)["'`],\s*import\.meta\.url\)/.exec(code);
  expect(new URL(written![1], `https://example.org/some/path/assets/${worker}`).href).toBe(
    `https://example.org/some/path/assets/${engines[0]}`,
  );
});

test('the development server serves it', async () => {
  const server = await createServer({ ...config, server: { host: '127.0.0.1', port: 0, ws: false, watch: null } });
  try {
    await server.listen();
    const origin = server.resolvedUrls!.local[0];
    const code = await (await fetch(new URL('worker.js', origin))).text();
    const imported = /from\s*"([^"]+)"/.exec(code)![1];
    const url = /export default "([^"]+)"/.exec(await (await fetch(new URL(imported, origin))).text())![1];
    const response = await fetch(new URL(url, origin));
    expect(response.headers.get('content-type')).toBe('application/wasm');
    expect(Buffer.from(await response.arrayBuffer()).equals(await meterQuickJs())).toBe(true);
  } finally {
    await server.close();
  }
});
