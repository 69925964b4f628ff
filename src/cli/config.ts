/** `config <preset | env.js | config.json | link>`: prints the whole config as JSON, which `train` takes. */
import { withoutLargeRows } from '../config/rows';
import { parseCommand, type CommandSpec } from './args';
import { modelFlag } from './model-folder';
import { givenRun, runFlags, runPositional, settingsHelp } from './run-config';
import { printJson } from './terminal';

const flags = { ...runFlags, model: modelFlag } as const;
const spec: CommandSpec<typeof flags> = {
  name: 'config',
  positionals: runPositional,
  count: { min: 1, max: 1 },
  flags,
  more: settingsHelp,
};

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { config } = await givenRun(parsed.positionals[0], parsed.flags);
  printJson(await withoutLargeRows(config), 2);
  return 0;
}
