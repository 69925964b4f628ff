/**
 * Loads a module of this checkout through Vite, as presets are loaded, and works with it. Only where nothing is built
 * yet: the commands run from the built library.
 */
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment } from 'vite';
import { cpuKernels } from './cpu-kernels-plugin.js';

/**
 * @template Module, Result
 * @param {string} path from the root of the checkout, like `/src/cli/build/library.ts`
 * @param {(module: Module) => Promise<Result>} work the module may load others as long as it lasts
 * @returns {Promise<Result>}
 */
export async function throughVite(path, work) {
  const server = await createServer({
    configFile: false,
    plugins: [cpuKernels()],
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const environment = server.environments.ssr;
    if (!isRunnableDevEnvironment(environment))
      throw new Error('Assertion failed: Vite runs no modules in this process.');
    return await work(await environment.runner.import(path));
  } finally {
    await server.close();
  }
}
