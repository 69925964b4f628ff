/**
 * `experiment <name | file.json>`: trains configurations × seeds and writes a table as Markdown and JSON. Finished
 * cells are kept: a second start continues where the first was stopped.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Device } from '../device/device';
import { mean } from '../lib/mean';
import { didYouMean } from '../lib/nearest';
import type { RunConfig } from '../config/config';
import { withoutLargeRows } from '../config/rows';
import { environmentSource } from '../config/environment-source';
import { engineVersion } from '../config/run-link';
import type { Results } from '../share/results';
import { parseCommand, type CommandSpec } from './args';
import { deviceChoice, deviceFlag, openDevice, orCpu } from './engine';
import { requireSoundEnvironment } from './env';
import { cellKey, runCell } from './experiment/cell';
import { engineCommit } from './engine-commit';
import { FolderLock } from './folder-lock';
import { ExperimentFolder, type Cell } from './experiment/folder';
import {
  baseConfig,
  configChanges,
  readExperiment,
  rowConfig,
  seedsOf,
  updatesOf,
  type Experiment,
  type ExperimentFile,
  type ExperimentRow,
} from './experiment/plan';
import { resultRow, resultsMarkdown } from './experiment/table';
import { commandLine } from './place';
import { duration, percent, ProgressBar } from './progress';
import { readJson } from './read-file';
import { checkNames, givenRun, type GivenRun } from './run-config';
import { print, say } from './terminal';

const flags = {
  seeds: {
    kind: 'integer',
    help: 'seeds of each configuration, counted from the base’s (default: the file’s, else 3)',
    min: 1,
  },
  out: {
    kind: 'text',
    help: 'folder for its files (default: runs/experiment-<name>); finished parts in it are kept',
    value: 'DIR',
  },
  device: deviceFlag,
  publish: { kind: 'flag', help: 'copy the table to public/results, where the page shows it' },
} as const;
const builtIn = import.meta.glob<ExperimentFile>('./experiments/*.ts', { eager: true, import: 'experiment' });
const names = Object.keys(builtIn).map((path) => basename(path, '.ts'));
const spec: CommandSpec<typeof flags> = {
  name: 'experiment',
  positionals: `<${names.join(' | ')} | file.json>`,
  count: { min: 1, max: 1 },
  flags,
  more: () => fileHelp,
};

const fileHelp = `A file is JSON:
  name, title, question   name: small letters, digits and -
  finding                 a sentence on what came out, for the table and the page (optional)
  base                    a preset, a link, or an environment's .js or a config's .json beside the file
  changes                 fields that differ from the base in every row: {"iterations": 20, "rewards.asked": 0.5}
  reference               name of the row that others are compared with, seed by seed (default: the first that trains)
  grid                    fields and the values to try, all combinations: {"lr": [1e-4, 3e-4], "rollout.group": [8, 16]}
  seeds                   how many, or which: 3 or [1, 2, 3]
  rows                    [{"name", "title", "kind": "train" | "imitate" | "imitate-successful" |
                            "best-of-8" | "expert-iteration" | "script", "algorithm",
                            "changes", "policy", "reference"}];
                          may be left out beside a grid
Each cell keeps its agent and last rollouts in cells/<row>-seed<n>, a folder that eval and estimators take.`;

/** The page's tables. */
const published = join('public', 'results');

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { experiment, base } = await findExperiment(parsed.positionals[0]);
  await requireSoundEnvironment(base.config);
  const folder = new ExperimentFolder(parsed.flags.out ?? join('runs', `experiment-${experiment.name}`));
  const cells = planCells(experiment, base, parsed.flags.seeds);
  const lock = FolderLock.take(folder.path);
  const done = await runCells(folder, cells, parsed.flags.device).finally(() => lock.release());
  const results = await collect(experiment, base.config, cells, done, commandLine('experiment', args));
  const markdown = resultsMarkdown(results);
  const json = `${JSON.stringify(results)}\n`;
  const paths = [folder.write(`${experiment.name}.md`, markdown), folder.write(`${experiment.name}.json`, json)];
  if (parsed.flags.publish) paths.push(publish(experiment.name, json));
  print(markdown);
  say(`Wrote ${paths.join(', ')}.\n`);
  return 0;
}

/** The experiment and its base; files are found beside the experiment's own. */
async function findExperiment(given: string): Promise<{ experiment: Experiment; base: GivenRun }> {
  const experiment = readExperiment(builtIn[`./experiments/${given}.ts`] ?? readFile(given));
  const { base } = experiment;
  return { experiment, base: await givenRun(/\.(m?js|json)$/.test(base) ? join(dirname(given), base) : base) };
}

function readFile(given: string): unknown {
  if (given.endsWith('.json')) return readJson(given);
  throw new Error(
    `There is no experiment called ${given}; there is ${names.join(', ')}, ` +
      `or name a JSON file.${didYouMean(given, names)}`,
  );
}

interface PlannedCell {
  readonly row: ExperimentRow;
  readonly config: ReturnType<typeof rowConfig>;
  readonly name: string;
}

/**
 * All rows of a seed, then those of the next, so that a stopped experiment can compare its rows. Scripts run once.
 * @throws a sentence if any config cannot run
 */
function planCells(
  experiment: Experiment,
  { config: base, source, description }: GivenRun,
  asked: number | undefined,
): PlannedCell[] {
  return seedsOf(experiment, baseConfig(experiment, base).seed, asked).flatMap((seed, at) =>
    experiment.rows
      .filter(({ kind }) => at === 0 || kind !== 'script')
      .map((row) => {
        const config = rowConfig(experiment, base, row, seed);
        if (environmentSource(config) === source) checkNames(config, description);
        return { row, config, name: `${row.name}-seed${seed}` };
      }),
  );
}

async function runCells(
  folder: ExperimentFolder,
  cells: readonly PlannedCell[],
  asked?: string,
): Promise<Map<string, Cell>> {
  const commit = engineCommit();
  const done = new Map<string, Cell>();
  const cellMs: number[] = [];
  let device: Device | null = null;
  try {
    for (const [at, { row, config, name }] of cells.entries()) {
      const label = `[${at + 1}/${cells.length}] ${row.title}, seed ${config.seed}`;
      const kept = folder.readCell(name, cellKey(row, config));
      if (kept) {
        done.set(name, kept);
        say(`${label}: ${outcome(kept)}, done before\n`);
        continue;
      }
      device ??= await openDevice(asked === undefined ? orCpu(config.device) : deviceChoice(asked));
      const startMs = performance.now();
      const bar = process.stderr.isTTY ? new ProgressBar(label, config.iterations) : null;
      const report = await runCell(device, folder, name, row, config, (iteration) => bar?.update(iteration));
      const cell = { ...report, adapter: device.adapter.name, commit, date: new Date().toISOString() };
      folder.writeCell(name, cellKey(row, config), cell);
      done.set(name, cell);
      bar?.end();
      const ms = performance.now() - startMs;
      cellMs.push(ms);
      const leftMs = mean(cellMs) * (cells.length - at - 1);
      say(`${label}: ${outcome(cell)}, ${duration(ms)}${leftMs > 0 ? `; likely ${duration(leftMs)} left` : ''}\n`);
    }
  } finally {
    device?.destroy();
  }
  return done;
}

function outcome({ result: { start, warm, end, failure } }: Cell): string {
  if (!end) return `ended early: ${failure}`;
  const path = [start, warm, end].flatMap((moment) => (moment ? percent(moment.inDistribution.success) : []));
  const outside = end.outOfDistribution ? `, out of distribution ${percent(end.outOfDistribution.success)}` : '';
  return path.join(' → ') + outside;
}

async function collect(
  experiment: Experiment,
  given: RunConfig,
  cells: readonly PlannedCell[],
  done: ReadonlyMap<string, Cell>,
  command: string,
): Promise<Results> {
  const base = baseConfig(experiment, given);
  const all = [...done.values()];
  const { name, title, question, finding, paper = null } = experiment;
  return {
    format: 1,
    name,
    title,
    question,
    ...(finding !== undefined && { finding }),
    paper,
    base: experiment.base,
    changes: configChanges(given, base),
    config: await withoutLargeRows(base),
    tasks: base.evaluation.tasks,
    outOfDistribution: all[0].outOfDistribution,
    engineVersion,
    adapters: [...new Set(all.map(({ adapter }) => adapter))],
    commits: [...new Set(all.map(({ commit }) => commit))],
    date: all.map(({ date }) => date).reduce((latest, date) => (date > latest ? date : latest)),
    command,
    rows: experiment.rows.map((row) => {
      const own = cells.filter((cell) => cell.row === row);
      const changes = row.kind === 'script' ? [] : configChanges(base, own[0].config);
      const { name, title, paper = null, reference } = row;
      const about = {
        name,
        title,
        paper,
        changes,
        ...(reference !== undefined && { reference }),
        ...((row.kind === 'train' || row.kind === 'expert-iteration') && { updates: updatesOf(own[0].config) }),
      };
      return resultRow(
        about,
        own.map((cell) => done.get(cell.name)!.result),
      );
    }),
  };
}

/** Copies the table and lists all that are there. @returns its path */
function publish(name: string, json: string): string {
  mkdirSync(published, { recursive: true });
  const path = join(published, `${name}.json`);
  writeFileSync(path, json);
  const all = readdirSync(published).filter((file) => file.endsWith('.json') && file !== 'index.json');
  writeFileSync(
    join(published, 'index.json'),
    `${JSON.stringify(all.map((file) => basename(file, '.json')).sort())}\n`,
  );
  return path;
}
