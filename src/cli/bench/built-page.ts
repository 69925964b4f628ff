/** The built page on a server of its own, for benches that measure what a visitor gets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Builds and serves the page while `use` runs. @param use gets its address */
export async function withBuiltPage<T>(root: string, use: (url: string) => Promise<T>): Promise<T> {
  const { build, preview } = await import('vite');
  const outDir = await mkdtemp(join(tmpdir(), 'agentlet-bench-'));
  // Vite's server has set it for the commands; a visitor gets no development build.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const files = { root, logLevel: 'error', build: { outDir, emptyOutDir: true } } as const;
  await build(files);
  if (NODE_ENV) process.env.NODE_ENV = NODE_ENV;
  const server = await preview({ ...files, preview: { port: 0 } });
  try {
    return await use(server.resolvedUrls!.local[0]);
  } finally {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  }
}
