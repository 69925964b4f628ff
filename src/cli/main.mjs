/**
 * Entry of the terminal commands: `node src/cli/main.mjs <command> …`. It only finds the command and loads it through
 * Vite, so that the engine's TypeScript and its `?raw` and `import.meta.glob` imports mean in Node what they mean in
 * the page.
 */
import { fileURLToPath } from 'node:url';
import { createServer, isRunnableDevEnvironment } from 'vite';

const COMMANDS = {
  train: 'train <preset | env.js | link>      train an agent, with a progress bar and a curve',
  config: 'config <preset | env.js | link>     print the whole config of a run',
  eval: 'eval <checkpoint>                   measure a saved agent on held-out tasks',
  bench: 'bench                               measure this machine',
  estimators: 'estimators <trajectories.jsonl>     one batch through every advantage estimator',
  experiment: 'experiment <name | file.json>       configurations × seeds, with a table of what each reached',
  env: 'env check <env.js>                  play an environment before it is trained on',
  record: 'record <run>                        record a run for the page to show',
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
  if (!Object.hasOwn(COMMANDS, command)) {
    process.stderr.write(`There is no command "${command}".\n\n${USAGE}`);
    return 2;
  }
  const server = await createServer({
    configFile: false,
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
