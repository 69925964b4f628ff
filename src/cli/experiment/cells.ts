/** The cells of an experiment: a row with a seed each, run one after the other or each by a process of its own. */
import type { Device } from '../../device/device';
import { environmentSource } from '../../config/environment-source';
import { mean } from '../../lib/mean';
import { deviceChoice, openDevice, orCpu } from '../engine';
import { engineCommit } from '../engine-commit';
import { duration, percent, ProgressBar } from '../progress';
import { checkNames, type GivenRun } from '../run-config';
import { say } from '../terminal';
import { cellKey, runCell } from './cell';
import type { Cell, ExperimentFolder } from './folder';
import { baseConfig, rowConfig, seedsOf, type Experiment, type ExperimentRow } from './plan';

export interface PlannedCell {
  readonly row: ExperimentRow;
  readonly config: ReturnType<typeof rowConfig>;
  readonly name: string;
}

/**
 * All rows of a seed, then those of the next, so that a stopped experiment can compare its rows. Scripts run once.
 * @throws a sentence if any config cannot run
 */
export function planCells(
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

/** How cells are run. */
export interface Running {
  /** The value of `--device`; by default the config's, or the CPU. */
  readonly device?: string;
  /** Iterations after which a cell saves its progress; by default it does about once a minute. */
  readonly saveEvery?: number;
}

/** Runs the cells that are not done, one after the other. @returns all by name */
export async function runCells(
  folder: ExperimentFolder,
  cells: readonly PlannedCell[],
  running: Running,
): Promise<Map<string, Cell>> {
  const done = new Map<string, Cell>();
  const cellMs: number[] = [];
  let device: Device | null = null;
  try {
    for (const [at, planned] of cells.entries()) {
      const label = `[${at + 1}/${cells.length}] ${planned.row.title}, seed ${planned.config.seed}`;
      const kept = keptCell(folder, planned);
      if (kept) {
        done.set(planned.name, kept);
        say(`${label}: ${outcome(kept)}, done before\n`);
        continue;
      }
      device ??= await openDevice(
        running.device === undefined ? orCpu(planned.config.device) : deviceChoice(running.device),
      );
      const startMs = performance.now();
      const cell = await runOne(device, folder, planned, label, running.saveEvery);
      done.set(planned.name, cell);
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

/** Null if it is not done. */
export const keptCell = (folder: ExperimentFolder, { row, config, name }: PlannedCell): Cell | null =>
  folder.readCell(name, cellKey(row, config));

/** Other processes may run other cells of the folder meanwhile. */
async function runOne(
  device: Device,
  folder: ExperimentFolder,
  { row, config, name }: PlannedCell,
  label: string,
  saveEvery: number | undefined,
): Promise<Cell> {
  const lock = folder.lockCell(name);
  const bar = process.stderr.isTTY ? new ProgressBar(label, config.iterations) : null;
  try {
    const onIteration = (iteration: number) => bar?.update(iteration);
    const report = await runCell(device, folder, name, row, config, { onIteration, saveEvery });
    const cell = { ...report, adapter: device.adapter.name, commit: engineCommit(), date: new Date().toISOString() };
    folder.writeCell(name, cellKey(row, config), cell);
    return cell;
  } finally {
    bar?.end();
    lock.release();
  }
}

function outcome({ result: { start, warm, end, failure } }: Cell): string {
  if (!end) return `ended early: ${failure}`;
  const path = [start, warm, end].flatMap((moment) => (moment ? percent(moment.inDistribution.success) : []));
  const outside = end.outOfDistribution ? `, out of distribution ${percent(end.outOfDistribution.success)}` : '';
  return path.join(' → ') + outside;
}
