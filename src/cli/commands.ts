/** The terminal commands by name. Each is loaded when it is called. */
import { didYouMean } from '../lib/nearest';
import { commandLine } from './place';
import { explain, say } from './terminal';

interface Command {
  readonly usage: string;
  readonly load: () => Promise<{ readonly run: (args: string[]) => number | Promise<number> }>;
}

const commands: Readonly<Record<string, Command>> = {
  train: { usage: 'train <preset | env.js | link>      train an agent', load: () => import('./train') },
  config: { usage: "config <preset | env.js | link>     print a run's whole config", load: () => import('./config') },
  eval: {
    usage: 'eval <checkpoint>                   measure a saved agent on held-out tasks',
    load: () => import('./eval'),
  },
  'make-model': {
    usage: 'make-model <preset> …               make a small pretrained model of the demonstrations of worlds',
    load: () => import('./make-model'),
  },
  download: {
    usage: 'download <owner/name>               fetch a pretrained model from a hub, or list what was fetched',
    load: () => import('./download'),
  },
  chat: {
    usage: 'chat <run | preset> [message]       ask an agent, and see its tool calls',
    load: () => import('./chat'),
  },
  bench: {
    usage: 'bench                               measure the speed of this machine',
    load: () => import('./bench'),
  },
  estimators: {
    usage: 'estimators <file>                   compare the advantage estimators on one logged batch',
    load: () => import('./estimators'),
  },
  experiment: {
    usage: 'experiment <name | file.json>       train configurations × seeds and print a table of results',
    load: () => import('./experiment'),
  },
  sweep: {
    usage: 'sweep <name | file.json>            run an experiment in many processes, here or on a cluster',
    load: () => import('./sweep'),
  },
  export: {
    usage: 'export <run | env.js> --to <kind>   write rollouts or demonstrations for trainers of large models',
    load: () => import('./export'),
  },
  env: {
    usage: 'env new <name> | check <env.js>     write an environment, or test one before training on it',
    load: () => import('./env'),
  },
  serve: {
    usage: 'serve <preset | env.js | link>      let trainers elsewhere play a world, over HTTP',
    load: () => import('./serve'),
  },
  record: {
    usage: 'record <run>                        record a run for the page to replay',
    load: () => import('./record'),
  },
};

const usage = `Agentlet trains small tool-using language agents by reinforcement learning.

Usage: ${commandLine('<command>', ['[arguments]'])}

${Object.values(commands)
  .map((command) => `  ${command.usage}`)
  .join('\n')}

Add --help to a command for its arguments.
`;

/** Runs the command that the words name. @returns the exit code */
export async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(usage);
    return name === undefined ? 2 : 0;
  }
  if (!Object.hasOwn(commands, name)) {
    say(`There is no command "${name}".${didYouMean(name, Object.keys(commands))}\n\n${usage}`);
    return 2;
  }
  try {
    const { run } = await commands[name].load();
    return await run(args);
  } catch (error) {
    say(`${explain(error)}\n`);
    return 1;
  }
}
