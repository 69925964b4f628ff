/**
 * `env new <name>` writes an environment to start from; `env check <run>` plays one without a GPU, reports problems and
 * measures it.
 */
import { plainText } from '../lib/plain-text';
import { checkEnvironment } from '../environment-check/check';
import { measureEnvironment, type MeasureSize } from '../environment-check/measure';
import type { EnvironmentReport, ReportLine } from '../environment-check/report';
import type { RunConfig } from '../config/config';
import { parseCommand, type CommandSpec } from './args';
import { openSandbox } from './engine';
import { openHostTools, toolsFlag, type HostTools } from './host-tools/tools';
import { writeEnvironment } from './new-environment';
import { commandLine } from './place';
import { givenRun, runFlags, runPositional } from './run-config';
import { withPlace } from './source-place';
import { print, printJson, say } from './terminal';

const measured: MeasureSize = { episodes: 50, tasks: 200 };

const flags = {
  ...runFlags,
  tools: toolsFlag,
  json: { kind: 'flag', help: 'print the report as one JSON object last' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'env',
  positionals: `new <name> | check ${runPositional}`,
  count: { min: 2, max: 2 },
  flags,
};

/** @returns 1 if there is a reason not to train */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const [action, subject] = parsed.positionals;
  if (action === 'new') return writeNew(subject);
  if (action !== 'check')
    throw new Error(
      `env knows no "${action}"; it can write one, ${commandLine('env', ['new', subject])}, and check one, ` +
        `${commandLine('env', ['check', subject])}.`,
    );
  const host = await openHostTools(parsed.flags.tools);
  const { config, source, file } = await givenRun(subject, parsed.flags, host);
  const sandbox = await openSandbox(host);
  const checked = await checkEnvironment(config, sandbox);
  const lines = [...checked.lines, ...(await measureEnvironment(config, sandbox, measured))];
  const report = { ...checked, lines: lines.map((line) => ({ ...line, text: withPlace(line.text, source, file) })) };
  if (parsed.flags.json) printJson(report);
  else print(`${reportText(report)}\n`);
  return hasProblem(report) ? 1 : 0;
}

function writeNew(name: string): number {
  const files = writeEnvironment(name, process.cwd());
  const subject = files.includes(`${name}.js`) ? `${name}.js` : name;
  print(
    `Written: ${files.join(', ')}.\nIt can be trained as it is: change it, check it with "env check ${subject}" and ` +
      `train it with "train ${subject}".\n`,
  );
  return 0;
}

const hasProblem = ({ lines }: EnvironmentReport): boolean => lines.some(({ kind }) => kind === 'problem');

/** `…; rollout.maxTurns is 4: add --set turns=6.` */
function lineText({ text, lifts }: ReportLine): string {
  if (lifts === undefined) return text;
  return `${text.replace(/\.$/, '')}: add ${lifts.map(({ key, value }) => `--set ${key}=${value}`).join(' ')}.`;
}

/** The report, one line each, problems first. */
function reportText({ title, tasks, lines }: EnvironmentReport): string {
  const marks = { problem: 'PROBLEM', note: 'note', good: 'good' };
  const of = (kind: keyof typeof marks) =>
    lines.filter((line) => line.kind === kind).map((line) => `  ${marks[kind].padEnd(8)}${lineText(line)}`);
  return [`${plainText(title, 80)}: ${tasks} tasks were played.`, ...of('problem'), ...of('note'), ...of('good')].join(
    '\n',
  );
}

/**
 * Checks an environment that is not built in and prints the report.
 * @param host tools that it is given
 * @throws if there is a reason not to train
 */
export async function requireSoundEnvironment(
  config: RunConfig,
  file = 'environment.js',
  host: HostTools | null = null,
): Promise<void> {
  const { source } = config.environment;
  if (source === undefined) return;
  const report = await checkEnvironment(config, await openSandbox(host));
  const lines = report.lines.map((line) => ({ ...line, text: withPlace(line.text, source, file) }));
  say(`${reportText({ ...report, lines })}\n`);
  if (hasProblem(report)) throw new Error('Nothing was trained: mend what is marked PROBLEM and start again.');
}
