/** `config <preset | env.js | config.json | link>`: prints the whole config as JSON, which `train` takes. */
import { readJson } from '../lib/stored-tensors';
import { withoutLargeRows } from '../config/rows';
import { parseCommand, type CommandSpec } from './args';
import { modelFlag } from './model-folder';
import { sayBill } from './models/bill';
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
  const { config, model } = await givenRun(parsed.positionals[0], parsed.flags);
  if (model) await sayBill(config, await readJson(model.files, 'config.json'), model.licence);
  printJson(await withoutLargeRows(config), 2);
  return 0;
}
