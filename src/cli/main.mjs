/**
 * Entry of the terminal commands: `node src/cli/main.mjs <command> …`. Loads the command through Vite, so that
 * TypeScript, `?raw` and `import.meta.glob` mean the same in Node and in the page.
 */
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment } from 'vite';
import { cpuKernels } from './build/cpu-kernels-plugin.js';

const COMMANDS = {
  train: 'train <preset | env.js | link>      train an agent',
  config: "config <preset | env.js | link>     print a run's whole config",
  eval: 'eval <checkpoint>                   measure a saved agent on held-out tasks',
  bench: 'bench                               measure the speed of this machine',
  estimators: 'estimators <file>                   compare the advantage estimators on one logged batch',
  experiment: 'experiment <name | file.json>       train configurations × seeds and print a table of results',
  env: 'env new <name> | check <env.js>     write an environment, or test one before training on it',
  record: 'record <run>                        record a run for the page to replay',
};

const USAGE = `Agentlet trains small tool-using language agents by reinforcement learning.

Usage: npm run <command> -- [arguments]

${Object.values(COMMANDS)
  .map((line) => `  ${line}`)
  .join('\n')}

Add --help to a command for its arguments.
`;

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} words */
async function main([command, ...args]) {
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(USAGE);
    return command === undefined ? 2 : 0;
  }
  const server = await createServer({
    configFile: false,
    plugins: [cpuKernels()],
    root: fileURLToPath(new URL('../..', import.meta.url)),
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const environment = server.environments.ssr;
    if (!isRunnableDevEnvironment(environment))
      throw new Error('Assertion failed: Vite runs no modules in this process.');
    const { explain, say } = await environment.runner.import('/src/cli/terminal.ts');
    if (!Object.hasOwn(COMMANDS, command)) {
      const { didYouMean } = await environment.runner.import('/src/lib/nearest.ts');
      say(`There is no command "${command}".${didYouMean(command, Object.keys(COMMANDS))}\n\n${USAGE}`);
      return 2;
    }
    try {
      const { run } = await environment.runner.import(`/src/cli/${command}.ts`);
      return await run(args);
    } catch (error) {
      say(`${explain(error)}\n`);
      return 1;
    }
  } finally {
    await server.close();
  }
}
