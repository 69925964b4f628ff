/**
 * One cell of an experiment: a configuration trained from its seed and measured at random weights, after the warm start
 * and at the end; or a scripted policy on the same tasks. Cells that differ only after the warm start share it.
 */
import type { Trajectory } from '../../agent/types';
import type { Split } from '../../agent/environment-client';
import type { Device } from '../../device/device';
import { mean, sum } from '../../lib/mean';
import { NotFinite } from '../../model/not-finite';
import { restoreCheckpoint, saveCheckpoint } from '../../rl/checkpoint';
import type { RunConfig } from '../../config/config';
import { environmentSource } from '../../config/environment-source';
import { Evaluation, solvedByCalls, solvedOnceRate, type Attempts } from '../../rl/rollouts/evaluation';
import type { RolloutView } from '../../rl/rollouts/view';
import { rolloutMetrics } from '../../rl/rollouts/metrics';
import { engineVersion } from '../../config/run-link';
import { prepareRun, type RunSetup } from '../../rl/rollouts/setup';
import { requireHealthyDevice, iterations, warmUp } from '../../rl/run';
import { Trainer } from '../../rl/trainer';
import type { Measured, MeasuredMoment, SeedResult } from '../../share/results';
import { openSandbox } from '../engine';
import { quietHooks } from '../recorded-start';
import { expertIterations, type CellIteration } from './expert-iteration';
import { FolderLock } from '../folder-lock';
import { say } from '../terminal';
import type { CellProgress, CellReport, ExperimentFolder } from './folder';
import { hasCritic, type ExperimentRow } from './plan';

export interface CellHooks {
  /** Called after each iteration, with how many there are. */
  readonly onIteration: (done: number) => void;
  /** Iterations after which the progress is saved; about once a minute if it is left out. */
  readonly saveEvery?: number;
}

/** What decides how a cell is played, beside its config. */
type Played = Pick<ExperimentRow, 'kind' | 'policy' | 'attempts'>;

/** A cell that was stopped goes on from its saved progress. @param name of the cell, under which its agent is kept */
export async function runCell(
  device: Device,
  folder: ExperimentFolder,
  name: string,
  { kind, policy, attempts }: Played,
  config: RunConfig,
  { onIteration, saveEvery }: CellHooks,
): Promise<CellReport> {
  if (kind === 'script') return runScript(config, policy!);
  const hooks = kind === 'imitate-successful' ? { ...quietHooks, imitates: succeeds } : quietHooks;
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks);
  try {
    const { start, warm } = await imitate(device, folder, trainer, kind);
    const solvedBefore = attempts === undefined ? null : await solvedAttempts(trainer, attempts);
    const key = `${cellKey({ kind, policy, attempts }, config)} ${device.adapter.name}`;
    const save = async (curves: Curves, seconds: number) =>
      folder.writeProgress(name, key, {
        checkpoint: await saveCheckpoint(device, trainer, environmentSource(config)),
        iteration: trainer.progress.iteration,
        curves,
        seconds,
      });
    const progress = { saved: folder.readProgress(name, key), saver: new ProgressSaver(save, saveEvery), onIteration };
    const { rollouts, ...reinforced } = await afterWarmStart(kind, trainer, warm, progress);
    const isWhole = reinforced.failure === null;
    const tried = solvedBefore && {
      each: attempts!,
      warm: solvedBefore,
      end: isWhole ? await solvedAttempts(trainer, attempts!) : null,
    };
    folder.removeProgress(name);
    if (isWhole)
      folder.writeAgent(name, {
        checkpoint: await saveCheckpoint(device, trainer, environmentSource(config)),
        rollouts,
      });
    return {
      result: { seed: config.seed, start, warm, ...reinforced, ...(tried && { attempts: tried }) },
      outOfDistribution: outOfDistribution(trainer.setup),
    };
  } finally {
    trainer.destroy();
  }
}

const succeeds = ({ success }: Trajectory): boolean => success;

/** Attempts at a task of the kind `best-of-8`, sampled as rollouts are. */
const bestOf = 8;

/** What a kind of row does with the agent of its warm start; returns also the rollouts of the last iteration. */
async function afterWarmStart(
  kind: ExperimentRow['kind'],
  trainer: Trainer,
  warm: MeasuredMoment,
  progress: Progress,
): Promise<Reinforced & { rollouts: readonly RolloutView[] }> {
  const { temperature } = trainer.setup.config.rollout;
  switch (kind) {
    case 'train':
      return reinforce(trainer, iterations(trainer), progress);
    case 'expert-iteration':
      return reinforce(trainer, expertIterations(trainer), progress);
    case 'best-of-8':
      return { ...untrained(), end: await measure(trainer, { samples: bestOf, temperature }), rollouts: [] };
    default:
      return { ...untrained(), end: warm, rollouts: [] };
  }
}

async function runScript(config: RunConfig, policy: string): Promise<CellReport> {
  const setup = await prepareRun(config, environmentSource(config), await openSandbox());
  const evaluation = new Evaluation(setup);
  const end = await moment(setup, (split) => evaluation.runScript(policy, split));
  const result = { seed: config.seed, start: null, warm: null, ...untrained(), end };
  return { result, outOfDistribution: outOfDistribution(setup) };
}

/** The folder's warm start, computed if it is missing. */
async function imitate(
  device: Device,
  folder: ExperimentFolder,
  trainer: Trainer,
  kind: ExperimentRow['kind'],
): Promise<{ start: MeasuredMoment; warm: MeasuredMoment }> {
  const { config } = trainer.setup;
  const key = warmStartKey(config, device.adapter.name, kind === 'imitate-successful');
  const waits = () => say('Another process makes the warm start of this seed: waiting for it.\n');
  const lock = await FolderLock.wait(folder.warmStartFolder(key), waits);
  try {
    const kept = folder.readWarmStart(key);
    if (kept) {
      restoreCheckpoint(trainer, kept.checkpoint);
      trainer.progress.klCoefficient = config.algorithm.klCoefficient;
      return kept;
    }
    const start = await measure(trainer);
    await warmUp(trainer);
    const warm = await measure(trainer);
    requireHealthyDevice(device);
    const checkpoint = await saveCheckpoint(device, trainer, environmentSource(config));
    folder.writeWarmStart(key, { checkpoint, start, warm });
    return { start, warm };
  } finally {
    lock.release();
  }
}

type Reinforced = Omit<SeedResult, 'seed' | 'start' | 'warm'>;

/** The report of a cell without reinforcement. */
function untrained(): Omit<Reinforced, 'end'> {
  return { curves: { success: [], turns: [] }, sampledTokens: 0, seconds: 0, fingerprint: [], failure: null };
}

async function reinforce(
  trainer: Trainer,
  steps: AsyncGenerator<CellIteration, void, undefined>,
  { saved, saver, onIteration }: Progress,
): Promise<Reinforced & { rollouts: readonly RolloutView[] }> {
  if (saved) restoreCheckpoint(trainer, saved.checkpoint);
  const curves = { ...emptyCurves(), ...saved?.curves };
  const startMs = performance.now();
  const secondsSoFar = () => rounded((saved?.seconds ?? 0) + (performance.now() - startMs) / 1000);
  let end: MeasuredMoment | null = null;
  let failure: string | null = null;
  let rollouts: readonly RolloutView[] = [];
  try {
    for await (const done of steps) {
      rollouts = done.rollouts;
      addTo(curves, done.metrics);
      onIteration(trainer.progress.iteration);
      await saver.maybe(trainer.progress.iteration, curves, secondsSoFar());
    }
    end = await measure(trainer);
  } catch (error) {
    if (!(error instanceof NotFinite)) throw error;
    failure = error.message;
  }
  const { sampledTokens, fingerprint } = trainer.progress;
  const seconds = secondsSoFar();
  return { end, failure, curves, sampledTokens, seconds, fingerprint: [...fingerprint], rollouts };
}

/** What a cell starts from and reports. */
interface Progress {
  readonly saved: CellProgress | null;
  readonly saver: ProgressSaver;
  readonly onIteration: CellHooks['onIteration'];
}

/** Saves a cell now and then. */
class ProgressSaver {
  private lastMs = performance.now();

  constructor(
    private readonly save: (curves: Curves, seconds: number) => Promise<void>,
    private readonly every: number | undefined,
  ) {}

  async maybe(iteration: number, curves: Curves, seconds: number): Promise<void> {
    const isDue = this.every === undefined ? performance.now() - this.lastMs > 60_000 : iteration % this.every === 0;
    if (!isDue) return;
    await this.save(curves, seconds);
    this.lastMs = performance.now();
  }
}

type Curves = ReturnType<typeof emptyCurves>;

const emptyCurves = () => ({
  success: [] as number[],
  turns: [] as number[],
  entropy: [] as (number | null)[],
  kl: [] as (number | null)[],
  clipFraction: [] as (number | null)[],
  gradientNorm: [] as (number | null)[],
  explainedVariance: [] as (number | null)[],
});

function addTo(curves: Curves, metrics: CellIteration['metrics']): void {
  const { success, turns, entropy, kl, clipFraction, gradientNorm, diagnostics } = metrics;
  const values = { entropy, kl, clipFraction, gradientNorm, explainedVariance: diagnostics?.explainedVariance ?? null };
  curves.success.push(rounded(success));
  curves.turns.push(rounded(turns));
  for (const [name, value] of Object.entries(values))
    curves[name as keyof typeof values].push(value === null ? null : rounded(value));
}

/** Play of the current agent, greedily if not given. A task counts as solved if one attempt solves it. */
function measure({ setup, sampler }: Trainer, attempts?: Attempts): Promise<MeasuredMoment> {
  const evaluation = new Evaluation(setup);
  return moment(setup, (split) => {
    sampler.clearCache();
    return evaluation.run(sampler, quietHooks, split, attempts);
  });
}

/** How many of the attempts at each validation task solve it, sampled as rollouts are. [tasks] */
async function solvedAttempts({ setup, sampler }: Trainer, samples: number): Promise<number[]> {
  sampler.clearCache();
  const { temperature } = setup.config.rollout;
  const tried = await new Evaluation(setup).run(sampler, quietHooks, 'validation', { samples, temperature });
  const solved = Array<number>(setup.config.evaluation.tasks).fill(0);
  for (const { group, success } of tried) if (success) solved[group]++;
  return solved;
}

async function moment(setup: RunSetup, play: (split: Split) => Promise<Trajectory[]>): Promise<MeasuredMoment> {
  return {
    inDistribution: measured(await play('validation')),
    outOfDistribution: outOfDistribution(setup) === null ? null : measured(await play('out-of-distribution')),
  };
}

function measured(trajectories: readonly Trajectory[]): Measured {
  const { rewardMean, turns, responseLength } = rolloutMetrics(trajectories);
  return {
    success: solvedOnceRate(trajectories),
    reward: rounded(rewardMean),
    turns: rounded(turns),
    tokens: rounded(responseLength),
    promptTokens: rounded(mean(trajectories.map(({ steps }) => sum(steps.map(({ prompt }) => prompt.length))))),
    // Calls of several attempts at a task do not add up to tasks.
    ...(new Set(trajectories.map(({ group }) => group)).size === trajectories.length && {
      solvedByCalls: solvedByCalls(trajectories),
    }),
  };
}

const outOfDistribution = ({ description }: RunSetup): string | null => description.outOfDistribution ?? null;
const rounded = (value: number): number => Number(value.toPrecision(5));

/** Everything that decides a cell's numbers except the adapter; the table names its adapters. */
export function cellKey({ kind, policy, attempts }: Played, config: RunConfig): string {
  return JSON.stringify({ engineVersion, kind, policy, attempts, config, source: environmentSource(config) });
}

/**
 * Everything that may decide a warm start and its measurements: the config without the settings that cannot, so that a
 * future setting separates warm starts by default. A critic is part of the checkpoint.
 */
function warmStartKey(config: RunConfig, adapter: string, successfulOnly: boolean): string {
  const later: readonly string[] = ['iterations', 'algorithm', 'shaping', 'filter', 'mistakes', 'critic', 'optimizer'];
  const pace: readonly string[] = ['learningRate', 'schedule', 'span', 'warmup'];
  return JSON.stringify({
    engineVersion,
    adapter,
    successfulOnly,
    source: environmentSource(config),
    config: without(config, later),
    optimizer: without(config.optimizer, pace),
    critic: hasCritic(config) ? config.critic : null,
  });
}

const without = (object: object, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
