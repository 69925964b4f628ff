/**
 * `experiment <name | file.json>`: trains configurations × seeds and writes a table as Markdown and JSON. Finished
 * cells are kept: a second start continues where the first was stopped.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { didYouMean } from '../lib/nearest';
import type { RunConfig } from '../config/config';
import { withoutLargeRows } from '../config/rows';
import { engineVersion } from '../config/run-link';
import type { Results } from '../share/results';
import { parseCommand, type CommandSpec } from './args';
import { deviceFlag } from './engine';
import { requireSoundEnvironment } from './env';
import { keptCell, planCells, runCells, type PlannedCell, type Running } from './experiment/cells';
import { FolderLock } from './folder-lock';
import { ExperimentFolder, type Cell } from './experiment/folder';
import { cellsCsv, curvesSvg } from './experiment/files';
import {
  baseConfig,
  configChanges,
  readExperiment,
  updatesOf,
  type Experiment,
  type ExperimentFile,
} from './experiment/plan';
import { resultRow, resultsMarkdown } from './experiment/table';
import { commandLine } from './place';
import { readJson } from './read-file';
import { givenRun, type GivenRun } from './run-config';
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
  'save-every': {
    kind: 'integer',
    help: 'save the progress of a cell after every n-th iteration (default: about once a minute)',
    min: 1,
  },
  count: { kind: 'flag', help: 'print how many cells there are, a row with a seed each, and run none' },
  cell: {
    kind: 'integer',
    help:
      'run this cell alone, counted from 0, and write no table; by default the index that Slurm gives a task of an ' +
      'array, or Kubernetes a pod of an indexed job',
    min: 0,
  },
  collect: { kind: 'flag', help: 'run no cell: write the table of cells that other processes have run' },
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
                            "changes", "policy", "reference", "attempts"}];
                          may be left out beside a grid; "attempts": 256 samples each task so often, for pass@k
Each cell keeps its agent and last rollouts in cells/<row>-seed<n>, a folder that eval and estimators take.`;

/** The page's tables. */
const published = join('public', 'results');

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { experiment, base } = await findExperiment(parsed.positionals[0]);
  await requireSoundEnvironment(base.config);
  const cells = planCells(experiment, base, parsed.flags.seeds);
  if (parsed.flags.count) {
    print(`${cells.length}\n`);
    return 0;
  }
  const folder = new ExperimentFolder(folderOf(experiment, parsed.flags.out));
  const only = cellIndex(parsed.flags, process.env);
  const running = { device: parsed.flags.device, saveEvery: parsed.flags['save-every'] };
  if (only !== null) {
    await runCells(folder, [cellAt(cells, only)], running);
    return 0;
  }
  const done = parsed.flags.collect ? keptCells(folder, cells) : await runAll(folder, cells, running);
  const results = await collect(experiment, base.config, cells, done, commandLine('experiment', args));
  const markdown = resultsMarkdown(results);
  const json = `${JSON.stringify(results)}\n`;
  const paths = [folder.write(`${experiment.name}.md`, markdown), folder.write(`${experiment.name}.json`, json)];
  paths.push(folder.write('cells.csv', cellsCsv(results)));
  const picture = curvesSvg(results);
  if (picture !== null) paths.push(folder.write(`${experiment.name}.svg`, picture));
  if (parsed.flags.publish) paths.push(publish(experiment.name, json));
  print(markdown);
  say(`Wrote ${paths.join(', ')}.\n`);
  return 0;
}

type Flags = NonNullable<ReturnType<typeof parseCommand<typeof flags>>>['flags'];

/** The cell that `--cell` or the scheduler that started this process names; null for all. */
function cellIndex({ cell, collect }: Flags, env: Readonly<Record<string, string | undefined>>): number | null {
  if (collect) return null;
  if (cell !== undefined) return cell;
  const index = env.SLURM_ARRAY_TASK_ID ?? env.JOB_COMPLETION_INDEX;
  return index === undefined ? null : Number(index);
}

function cellAt(cells: readonly PlannedCell[], index: number): PlannedCell {
  const cell = cells.at(index);
  if (cell && index >= 0) return cell;
  throw new Error(`There is no cell ${index}: this experiment has ${cells.length}, counted from 0.`);
}

async function runAll(folder: ExperimentFolder, cells: readonly PlannedCell[], running: Running) {
  const lock = FolderLock.take(folder.path);
  return runCells(folder, cells, running).finally(() => lock.release());
}

/** @throws a sentence that names those that are missing */
function keptCells(folder: ExperimentFolder, cells: readonly PlannedCell[]): Map<string, Cell> {
  const done = cells.map((cell) => [cell.name, keptCell(folder, cell)] as const);
  const missing = done.flatMap(([name, cell], index) => (cell ? [] : [`${index} (${name})`]));
  if (missing.length === 0) return new Map(done.map(([name, cell]) => [name, cell!]));
  const named = missing.slice(0, 8).join(', ') + (missing.length > 8 ? ' and others' : '');
  throw new Error(`${missing.length} of ${cells.length} cells are not done in ${folder.path}: ${named}.`);
}

/** Where its files are. */
export const folderOf = ({ name }: Experiment, asked: string | undefined): string =>
  asked ?? join('runs', `experiment-${name}`);

/** The experiment and its base; files are found beside the experiment's own. */
export async function findExperiment(given: string): Promise<{ experiment: Experiment; base: GivenRun }> {
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
