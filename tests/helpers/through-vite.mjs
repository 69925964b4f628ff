/** Runs a command's module through Vite, as presets are loaded: `node tests/helpers/through-vite.mjs FILE …ARGS`. */
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment } from 'vite';
import { cpuKernels } from '../../src/cli/build/cpu-kernels-plugin.js';

const server = await createServer({
  configFile: false,
  plugins: [cpuKernels()],
  root: fileURLToPath(new URL('../..', import.meta.url)),
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const environment = server.environments.ssr;
if (!isRunnableDevEnvironment(environment)) throw new Error('Vite runs no modules in this process.');
const [file, ...args] = process.argv.slice(2);
const { run } = await environment.runner.import(`/${file}`);
process.exitCode = await run(args);
await server.close();
