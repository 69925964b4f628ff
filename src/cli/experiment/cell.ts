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
import { openSandbox, quietHooks } from '../engine';
import { expertIterations, type CellIteration } from './expert-iteration';
import type { CellReport, ExperimentFolder } from './folder';
import { hasCritic, type ExperimentRow } from './plan';

/**
 * @param name of the cell, under which its agent is kept
 * @param onIteration called after each, with how many there are
 */
export async function runCell(
  device: Device,
  folder: ExperimentFolder,
  name: string,
  { kind, policy }: Pick<ExperimentRow, 'kind' | 'policy'>,
  config: RunConfig,
  onIteration: (done: number) => void,
): Promise<CellReport> {
  if (kind === 'script') return runScript(config, policy!);
  const hooks = kind === 'imitate-successful' ? { ...quietHooks, imitates: succeeds } : quietHooks;
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks);
  try {
    const { start, warm } = await imitate(device, folder, trainer, kind);
    const { rollouts, ...reinforced } = await afterWarmStart(kind, trainer, warm, onIteration);
    if (reinforced.failure === null)
      folder.writeAgent(name, {
        checkpoint: await saveCheckpoint(device, trainer, environmentSource(config)),
        rollouts,
      });
    return {
      result: { seed: config.seed, start, warm, ...reinforced },
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
  onIteration: (done: number) => void,
): Promise<Reinforced & { rollouts: readonly RolloutView[] }> {
  const { temperature } = trainer.setup.config.rollout;
  switch (kind) {
    case 'train':
      return reinforce(trainer, iterations(trainer), onIteration);
    case 'expert-iteration':
      return reinforce(trainer, expertIterations(trainer), onIteration);
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
  folder.writeWarmStart(key, {
    checkpoint: await saveCheckpoint(device, trainer, environmentSource(config)),
    start,
    warm,
  });
  return { start, warm };
}

type Reinforced = Omit<SeedResult, 'seed' | 'start' | 'warm'>;

/** The report of a cell without reinforcement. */
function untrained(): Omit<Reinforced, 'end'> {
  return { curves: { success: [], turns: [] }, sampledTokens: 0, seconds: 0, fingerprint: [], failure: null };
}

async function reinforce(
  trainer: Trainer,
  steps: AsyncGenerator<CellIteration, void, undefined>,
  onIteration: (done: number) => void,
): Promise<Reinforced & { rollouts: readonly RolloutView[] }> {
  const curves = emptyCurves();
  const startMs = performance.now();
  let end: MeasuredMoment | null = null;
  let failure: string | null = null;
  let rollouts: readonly RolloutView[] = [];
  try {
    for await (const done of steps) {
      rollouts = done.rollouts;
      addTo(curves, done.metrics);
      onIteration(trainer.progress.iteration);
    }
    end = await measure(trainer);
  } catch (error) {
    if (!(error instanceof NotFinite)) throw error;
    failure = error.message;
  }
  const { sampledTokens, fingerprint } = trainer.progress;
  const seconds = rounded((performance.now() - startMs) / 1000);
  return { end, failure, curves, sampledTokens, seconds, fingerprint: [...fingerprint], rollouts };
}

const emptyCurves = () => ({
  success: [] as number[],
  turns: [] as number[],
  entropy: [] as (number | null)[],
  kl: [] as (number | null)[],
  clipFraction: [] as (number | null)[],
  gradientNorm: [] as (number | null)[],
  explainedVariance: [] as (number | null)[],
});

function addTo(curves: ReturnType<typeof emptyCurves>, metrics: CellIteration['metrics']): void {
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
export function cellKey({ kind, policy }: Pick<ExperimentRow, 'kind' | 'policy'>, config: RunConfig): string {
  return JSON.stringify({ engineVersion, kind, policy, config, source: environmentSource(config) });
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
