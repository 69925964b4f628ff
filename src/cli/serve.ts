/** `serve <preset | env.js | config.json | link>`: one world on one port, for trainers and chat clients. */
import { plainText } from '../lib/plain-text';
import { engineVersion } from '../config/run-link';
import { parseCommand, type CommandSpec } from './args';
import { givenRun, runFlags, runPositional, settingsHelp } from './run-config';
import { openServed, type Served } from './serve/open';
import { explain, print, printJson, say } from './terminal';

const usualPort = 8080;
const usualTasks = 1024;

const { preset, set, seed, rows } = runFlags;
const flags = {
  preset,
  set,
  seed,
  rows,
  port: { kind: 'integer', help: `port on 127.0.0.1; 0 takes a free one (default ${usualPort})`, min: 0 },
  tasks: {
    kind: 'integer',
    help: `training tasks that are declared (default ${usualTasks}); of other splits at most 256`,
    min: 1,
  },
  token: { kind: 'text', help: 'asked of every client, as X-API-Key or Authorization: Bearer', value: 'TEXT' },
  'step-rewards': {
    kind: 'flag',
    help: 'a reward for each call, for trainers that sum them; without it the last call has the sum of all',
  },
  json: { kind: 'flag', help: 'print what is served as one JSON object' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'serve',
  positionals: runPositional,
  count: { min: 1, max: 1 },
  flags,
  more: settingsHelp,
};

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { port = usualPort, tasks = usualTasks, token, json, 'step-rewards': stepRewards } = parsed.flags;
  if (port > 65_535) throw new Error(`--port is ${port}, but ports end at 65535.`);
  const served = await openServed({
    run: await givenRun(parsed.positionals[0], parsed.flags),
    port,
    tasks,
    stepRewards,
    token,
    version: engineVersion,
    onFault: (error) => say(`${explain(error)}\n`),
  });
  const { world, address } = served;
  for (const notice of world.notices()) say(`${notice}\n`);
  if (json) printJson({ world: world.name, address, splits: world.splits, tools: world.tools });
  else print(aboutText(served));
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await served.close();
  return 0;
}

function aboutText({ world, address }: Served): string {
  const splits = world.splits.map(({ name, count }) => `${count} ${name}`).join(', ');
  return [
    `${plainText(world.description.title, 80)} is served at ${address}. Ctrl+C ends it.`,
    `  tasks   ${splits}`,
    `  tools   ${world.tools.map(({ name }) => name).join(', ')}`,
    `  turns   an episode ends after ${world.maxTurns} calls: let the trainer allow as many`,
    `  Open Reward Standard   OPENREWARD_API_URL=${address} OPENREWARD_SESSION_URL=${address}`,
    `  OpenEnv                ${address}/openenv`,
    `  MCP                    ${address}/mcp`,
    '',
  ].join('\n');
}
