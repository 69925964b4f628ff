/**
 * A training run. One iteration reads as: sample tasks → collect trajectories in lockstep turns → advantages → pack → update →
 * one report. Knows no worker, no page and no file; whoever starts it passes in the device and the sandbox.
 */
import type { Split } from '../agent/environment-client';
import type { LiveStep } from '../agent/flow';
import type { Sandbox } from '../agent/sandbox';
import type { Task, Trajectory } from '../agent/types';
import type { Device } from '../gpu/device';
import { assert } from '../lib/assert';
import { permutation, Purpose } from '../lib/rng';
import { NotFinite } from '../model/not-finite';
import { ParameterStore } from '../model/parameters';
import { Sampler } from '../model/sampler';
import { parameterCount, parameterSpecs } from '../model/shape';
import { fingerprintIterations, iterationDigest } from '../lib/fingerprint';
import { stopTokens } from '../text/chat-template';
import type { Algorithm, Credit } from './algorithms/algorithm';
import { algorithms } from './algorithms/by-name';
import type { RunConfig } from './config';
import { Evaluation, successRate } from './evaluation';
import { Learner } from './learner';
import type { Metrics, RolloutView } from './metrics';
import { fillUnsampled, pack, splitMiniBatches, type PackedBatch } from './packing';
import { rolloutMetrics } from './rollout-metrics';
import { rolloutView } from './rollout-view';
import { learningRateAt } from './schedule';
import { trajectorySegments, type Segment } from './segments';
import { rewardWeights, setStage, type Stage } from './stage';
import { Stopwatch, Waits } from './stopwatch';
import { optimizerSettings, warmStart } from './warm-start';

/** Positions of a packed training row; longer contexts make longer rows. */
const rowLength = 256;
/** Positions of a micro-batch. */
const microBatchTokens = 2048;
/** Most rollouts sampled at once; more run in waves. */
const largestWave = 256;
/** Reports in a row with skipped updates after which a run is not training any more. */
const skipsAllowed = 3;

/** Rows (B) and positions (T) of a micro-batch. */
export function batchShape({ model }: RunConfig): { rows: number; length: number } {
  const length = Math.max(rowLength, model.context);
  return { rows: Math.max(1, Math.floor(microBatchTokens / length)), length };
}

/** Conversations sampled side by side. */
export function samplerSlots({ rollout, evaluation }: RunConfig): number {
  return Math.min(largestWave, Math.max(rollout.tasks * rollout.group, evaluation.tasks));
}

export interface TrainerHooks {
  /** Awaited between GPU submissions: pause by waiting, abort by throwing. */
  readonly between: () => Promise<void>;
  readonly onProgress: (phase: 'compiling' | 'warm-start' | 'evaluating', done: number, total: number) => void;
  /** Mean loss of the warm start since its last report, null if every update in between was skipped; and how many were. */
  readonly onWarmLoss: (step: number, loss: number | null, skipped: number) => void;
  readonly onTurn: (steps: readonly LiveStep[]) => void;
}

export interface IterationResult {
  readonly metrics: Metrics;
  readonly trajectories: readonly Trajectory[];
  readonly rollouts: readonly RolloutView[];
}

/** Where a checkpoint stands: between two steps of the warm start or two iterations. */
export interface Progress {
  /** Steps of the warm start done. */
  warmSteps: number;
  /** Whether the warm start is behind it, or was not asked for. */
  warm: boolean;
  /** Iterations done; 0 after the warm start. */
  iteration: number;
  /** Hex digests of the first iterations. */
  fingerprint: string[];
  sampledTokens: number;
}

export class Trainer {
  readonly parameters: number;
  private whole = true;
  private skips = 0;
  private readonly algorithm: Algorithm;
  private readonly loop;
  private readonly evaluation: Evaluation;

  private constructor(
    readonly stage: Stage,
    readonly store: ParameterStore,
    readonly learner: Learner,
    readonly sampler: Sampler,
    private readonly hooks: TrainerHooks,
    private readonly waits: Waits,
    readonly progress: Progress,
  ) {
    this.parameters = parameterCount(stage.shape);
    this.algorithm = algorithms[stage.config.algorithm.name](stage.config.algorithm);
    this.loop = stage.loop();
    this.evaluation = new Evaluation(stage);
  }

  /** Loads the environment, draws initial weights and compiles; no training yet. */
  static async create(device: Device, sandbox: Sandbox, config: RunConfig, source: string, hooks: TrainerHooks): Promise<Trainer> {
    const stage = await setStage(config, source, sandbox);
    const { rows, length } = batchShape(config);
    const waits = new Waits(hooks.between);
    const onProgress = (done: number, total: number) => hooks.onProgress('compiling', done, total);
    return device.guarded('this run', async () => {
      const store = new ParameterStore(device, parameterSpecs(stage.shape));
      store.initialise(config.seed);
      const learner = await Learner.create(device, store, stage.shape, rows, length, onProgress);
      const options = { slots: samplerSlots(config), contextLength: config.model.context, between: waits.between };
      const sampler = await Sampler.create(device, store, stage.shape, options);
      const progress = { warmSteps: 0, warm: false, iteration: 0, fingerprint: [], sampledTokens: 0 };
      return new Trainer(stage, store, learner, sampler, hooks, waits, progress);
    });
  }

  /**
   * Does what is left of the imitation that the config asks for; the weights after it are those that KL is measured from.
   * @throws NotFinite once three reports in a row had skipped updates
   */
  async warmStart(): Promise<void> {
    const { progress, hooks, waits } = this;
    if (progress.warm) return;
    await warmStart(this.stage, this.learner, progress.warmSteps, {
      between: waits.between,
      onStep: (done, total) => {
        progress.warmSteps = done;
        hooks.onProgress('warm-start', done, total);
      },
      onReport: (step, loss, skipped, rate) => {
        hooks.onWarmLoss(step, loss, skipped);
        this.noteSkips(skipped, `step ${step} of the warm start`, rate);
      },
    });
    this.learner.rememberStart();
    progress.warm = true;
  }

  /** Whether the weights are those that `progress` tells, so that a checkpoint can be taken: always but within an update. */
  get isWhole(): boolean {
    return this.whole;
  }

  /** Whether the last report had skipped updates: what comes next will tell whether the run is still sound. */
  get isDoubtful(): boolean {
    return this.skips > 0;
  }

  private noteSkips(skipped: number, where: string, rate: number): void {
    this.skips = skipped > 0 ? this.skips + 1 : 0;
    if (this.skips >= skipsAllowed)
      throw new NotFinite(
        `Up to ${where}, loss or gradient were not finite ${skipsAllowed} times in a row. Lower the learning rate (now ${rate.toPrecision(2)}).`,
      );
  }

  /** Greedy success on the held-out tasks of a split, 0 … 1. Throws a sentence if the environment has no such split. */
  async validate(split: Split = 'validation'): Promise<number> {
    this.sampler.forget();
    this.hooks.onProgress('evaluating', 0, 1);
    const success = successRate(await this.evaluation.run(this.sampler, this.waits.between, split));
    this.hooks.onProgress('evaluating', 1, 1);
    return success;
  }

  /**
   * One iteration. If it throws, the weights may be between two updates: go back to a checkpoint.
   * @throws NotFinite if the weights hold such numbers, or once three iterations in a row had skipped updates
   */
  async iterate(): Promise<IterationResult> {
    const { config } = this.stage;
    const iteration = this.progress.iteration + 1;
    const clock = new Stopwatch(this.waits);
    const { trajectories, times } = await this.collect(iteration);
    clock.lap();
    const credits = this.algorithm.advantages(trajectories);
    const rate = learningRateAt(config.optimizer, iteration, config.iterations);
    this.whole = false;
    const update = await this.update(trajectories, credits, iteration, rate);
    const trainMs = clock.lap();
    const due = iteration === 1 || iteration % config.evaluation.every === 0 || iteration === config.iterations;
    const validationSuccess = due ? await this.validate() : null;
    const evaluateMs = clock.lap();
    const rollout = rolloutMetrics(trajectories);
    const metrics: Metrics = {
      iteration,
      validationSuccess,
      ...rollout,
      kl: update.kl,
      clipFraction: update.clipFraction,
      policyLoss: update.loss,
      gradientNorm: update.gradientNorm,
      skippedUpdates: update.skipped,
      learningRate: rate,
      trainedTokens: update.trainedTokens,
      sampleTokensPerSecond: (1000 * rollout.sampledTokens) / times.policyMs,
      trainTokensPerSecond: (1000 * update.trainedTokens) / trainMs,
      sampleMs: times.policyMs,
      environmentMs: times.environmentMs,
      trainMs,
      evaluateMs,
    };
    await this.sign(metrics, trajectories);
    this.progress.iteration = iteration;
    this.whole = true;
    this.progress.sampledTokens += rollout.sampledTokens;
    const rollouts = trajectories.map((trajectory, index) =>
      rolloutView(trajectory, { iteration, index }, credits[index], config.algorithm.lossMask),
    );
    return { metrics, trajectories, rollouts };
  }

  private async collect(iteration: number) {
    const { config, client } = this.stage;
    const { rollout } = config;
    const waitedBeforeMs = this.waits.totalMs;
    const tasks = await client.tasks('train', config.seed, (iteration - 1) * rollout.tasks, rollout.tasks, config.environment.options);
    const attempts = tasks.flatMap((task: Task, group) => Array.from({ length: rollout.group }, () => ({ task, group })));
    const { temperature, topK, topP, maxTokens, maxTurns } = rollout;
    let times = { policyMs: 0, environmentMs: 0 };
    this.sampler.forget();
    const trajectories = await this.loop.run(attempts, this.sampler, {
      sampling: { temperature, topK, topP, maxTokens, stopTokens, seed: config.seed, iteration },
      maxTurns,
      rewardWeights: rewardWeights(this.stage),
      onTurn: this.hooks.onTurn,
      onTime: (time) => (times = time),
    });
    for (const { task, reward } of trajectories) assert(Number.isFinite(reward), `the reward of task ${task.id} is ${reward}`);
    // The sampler alone waits in here, so what was waited is the policy's.
    const policyMs = Math.max(0.001, times.policyMs - (this.waits.totalMs - waitedBeforeMs));
    return { trajectories, times: { ...times, policyMs } };
  }

  private async update(trajectories: readonly Trajectory[], credits: readonly Credit[], iteration: number, rate: number) {
    const { config } = this.stage;
    const { epochs, miniBatches } = config.algorithm;
    const segments = await this.segments(trajectories, credits);
    let trainedTokens = 0;
    let kl: number | null = null;
    for (let epoch = 0; epoch < epochs; epoch++) {
      const order = permutation(trajectories.length, config.seed, Purpose.shuffle, iteration, epoch);
      for (const chosen of splitMiniBatches(order, miniBatches)) {
        await this.waits.between();
        const batch = this.pack(chosen.flatMap((i) => segments[i]));
        if (batch.sites === 0) continue;
        const reference = await this.reference(batch, kl === null);
        kl ??= meanKl(batch, reference);
        this.learner.policyStep(
          batch,
          { ...this.algorithm.loss, temperature: config.rollout.temperature },
          optimizerSettings(config, rate),
          reference,
        );
        trainedTokens += batch.sites;
      }
    }
    const report = await this.learner.report();
    this.noteSkips(report.skipped, `iteration ${iteration}`, rate);
    if (kl !== null && !Number.isFinite(kl)) throw new NotFinite('The model’s probabilities are not numbers any more.');
    return { ...report, trainedTokens, kl: kl ?? 0 };
  }

  /** The segments of each trajectory. With the loss mask off, tokens nobody sampled get the log-probs they have before the first update. */
  private async segments(trajectories: readonly Trajectory[], credits: readonly Credit[]): Promise<Segment[][]> {
    const { lossMask } = this.stage.config.algorithm;
    const segments = trajectories.map((trajectory, i) => trajectorySegments(trajectory, i, credits[i], lossMask));
    if (lossMask) return segments;
    const batch = this.pack(segments.flat());
    const scores = await this.learner.score(batch, this.stage.config.rollout.temperature, 'current');
    fillUnsampled(
      segments.flat(),
      batch,
      scores.map((score) => score.logProbs),
    );
    return segments;
  }

  private pack(segments: readonly Segment[]): PackedBatch {
    const { algorithm, model } = this.stage.config;
    return pack(segments, {
      rows: this.learner.rows,
      length: this.learner.length,
      aggregation: algorithm.aggregation,
      horizon: model.context,
    });
  }

  /** Log-probs of the starting weights: for every site where the loss needs them, else for one micro-batch, as a measurement. */
  private async reference(batch: PackedBatch, measure: boolean): Promise<Float32Array[] | undefined> {
    if (!this.algorithm.needsReference && !measure) return undefined;
    const scored = this.algorithm.needsReference ? batch : { ...batch, microBatches: batch.microBatches.slice(0, 1) };
    const scores = await this.learner.score(scored, this.stage.config.rollout.temperature, 'start');
    return scores.map((score) => score.logProbs);
  }

  /** Adds this iteration's digest while the fingerprint is short. */
  private async sign(metrics: Metrics, trajectories: readonly Trajectory[]): Promise<void> {
    const { fingerprint } = this.progress;
    if (fingerprint.length >= fingerprintIterations) return;
    const tokens = trajectories.map(({ steps }) => steps.flatMap((step) => step.action.tokens));
    const { policyLoss, gradientNorm, entropy, kl, clipFraction } = metrics;
    fingerprint.push(
      await iterationDigest({
        tokens,
        rewards: trajectories.map((each) => each.reward),
        metrics: [policyLoss, gradientNorm, entropy, kl, clipFraction],
      }),
    );
  }

  destroy(): void {
    this.sampler.destroy();
    this.learner.destroy();
    this.store.destroy();
  }
}

/** Mean k3 of KL(policy that sampled ‖ starting weights) over the sampled sites that have a reference (Schulman, "Approximating KL"). */
function meanKl(batch: PackedBatch, reference: readonly Float32Array[] | undefined): number {
  let sum = 0;
  let count = 0;
  reference?.forEach((logProbs, i) => {
    const { oldLogProb, sampled } = batch.microBatches[i];
    logProbs.forEach((logProb, n) => {
      if (sampled[n] === 0) return;
      const z = logProb - oldLogProb[n];
      sum += Math.exp(z) - z - 1;
      count++;
    });
  });
  return count === 0 ? 0 : sum / count;
}
