/** `train <preset | env.js | config.json | link>`: trains in a terminal and writes the run's files. */
import { configNotices } from '../config/config';
import { withPretrained } from '../config/for-pretrained';
import { missingModel } from '../config/pretrained';
import { presets } from '../config/presets';
import { readCheckpointHead } from '../rl/checkpoint';
import { parseCommand, type CommandSpec } from './args';
import { openDevice } from './engine';
import { requireSoundEnvironment } from './env';
import { openHostTools, toolsFlag } from './host-tools/tools';
import { commandLine } from './place';
import { modelFlag, modelOfRun } from './model-folder';
import { givenRun, runFlags, runPositional, settingsHelp } from './run-config';
import { withGivenRows } from './rows-file';
import { RunFolder } from './run-folder';
import { beginNotices, endNotices } from './silence';
import { printJson, say } from './terminal';
import { TerminalRun, type TrainingPlan } from './terminal-run';

const flags = {
  ...runFlags,
  out: {
    kind: 'text',
    help: 'folder for the run’s files (default: runs/<preset or environment>-seed<seed>)',
    value: 'DIR',
  },
  tools: toolsFlag,
  model: modelFlag,
  resume: { kind: 'text', help: 'continue the run in this folder from its checkpoint', value: 'DIR' },
  'save-every': { kind: 'integer', help: 'save after every n iterations too, not only after each validation', min: 1 },
  tensorboard: { kind: 'flag', help: 'also write an event file, which TensorBoard shows while the run goes on' },
  json: { kind: 'flag', help: 'print one JSON object last, on standard output' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'train',
  positionals: runPositional,
  count: { min: 0, max: 1 },
  flags,
  more: settingsHelp,
};

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const plan = {
    ...(await planFrom(parsed.positionals[0], parsed.flags)),
    saveEvery: parsed.flags['save-every'] ?? null,
    tensorboard: parsed.flags.tensorboard,
  };
  beginNotices();
  try {
    const device = await openDevice(plan.config.device);
    const report = await new TerminalRun(device, plan, commandLine('train', args)).train();
    if (parsed.flags.json) printJson(report);
    return report.stopped ? 130 : 0;
  } finally {
    endNotices();
    plan.folder.release();
  }
}

type Flags = NonNullable<ReturnType<typeof parseCommand<typeof flags>>>['flags'];

async function planFrom(
  subject: string | undefined,
  given: Flags,
): Promise<Omit<TrainingPlan, 'saveEvery' | 'tensorboard'>> {
  if (given.resume !== undefined) {
    const { preset, set, seed, iterations, scratch, out, device } = given;
    const settings = [subject, preset, seed, iterations, out, device].filter((each) => each !== undefined);
    if (settings.length > 0 || set.length > 0 || scratch) {
      throw new Error('--resume continues a run as it was begun: give no preset and no other setting with it.');
    }
    const folder = RunFolder.open(given.resume);
    return resumed(folder, given).catch((error: unknown) => {
      folder.release();
      throw error;
    });
  }
  if (subject === undefined)
    throw new Error(
      `train needs a preset (${presets.map(({ name }) => name).join(', ')}), ` +
        `an environment's .js file, a JSON file of settings, or a link.`,
    );
  const host = await openHostTools(given.tools);
  const { preset, name, config, file, model } = await givenRun(subject, given, host);
  const { pretrained } = config.model;
  if (pretrained && !model) throw new Error(missingModel(pretrained));
  for (const notice of configNotices(config)) say(`${notice}\n`);
  await requireSoundEnvironment(withPretrained(config, null), file, host);
  const folder = RunFolder.create(given.out, `${name}-seed${config.seed}`);
  host?.record.keepIn(folder.path);
  return { preset, config, folder, host, model, checkpoint: null };
}

async function resumed(
  folder: RunFolder,
  { rows, tools, model: modelPath }: Pick<Flags, 'rows' | 'tools' | 'model'>,
): Promise<Omit<TrainingPlan, 'saveEvery' | 'tensorboard'>> {
  const checkpoint = folder.readCheckpoint();
  const { config: saved } = readCheckpointHead(checkpoint);
  const config = await withGivenRows(saved, rows);
  const model = await modelOfRun(config, modelPath);
  const host = await openHostTools(tools, folder.path);
  host?.record.keepIn(folder.path);
  return { preset: folder.readRecord().preset, config, folder, host, model, checkpoint };
}
