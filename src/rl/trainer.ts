/**
 * A training run. One iteration reads as: sample tasks → collect trajectories in lockstep turns → advantages → pack →
 * update → one report. Knows no worker, no page and no file; whoever starts it passes in the device and the sandbox.
 */
import type { Split } from '../agent/environment-client';
import type { LiveStep } from '../agent/flow';
import type { Sandbox } from '../agent/sandbox';
import type { Trajectory } from '../agent/types';
import type { Device } from '../gpu/device';
import { NotFinite } from '../model/not-finite';
import { ParameterStore } from '../model/parameters';
import { Sampler } from '../model/sampler';
import { parameterCount, parameterSpecs } from '../model/shape';
import { fingerprintIterations, iterationDigest } from '../lib/fingerprint';
import { estimate, type Algorithm } from './algorithms/algorithm';
import { algorithms } from './algorithms/table';
import type { RunConfig } from './config/config';
import { splitBySteps, zeroCredit } from './algorithms/credit';
import { estimatorInput } from './rollouts/estimator-input';
import { explainedVarianceOf } from './diagnostics/explained-variance';
import { estimatorSettings } from './config/with-algorithm';
import { echoTrap, noEcho, type EchoMemory } from './diagnostics/echo-trap';
import { taskInformation } from './diagnostics/task-information';
import { Evaluation, successRate } from './rollouts/evaluation';
import { Learner, type LearnerOptions } from './learner/learner';
import { measure } from './learner/scoring';
import type { Metrics, RolloutView } from './report';
import { adaptBeta } from './rewards/kl-penalty';
import { rolloutMetrics } from './rollouts/metrics';
import { rolloutView } from './rollouts/view';
import { collectRollouts, type Rollouts } from './rollouts/collect';
import { learningRateAt } from './learner/schedule';
import { withCredit } from './learner/segments';
import { loadRecordedStart, recordedPreset } from './learner/recorded-start';
import { rewardWeights, setStage, type Stage } from './rollouts/setup';
import { Stopwatch, PauseClock } from '../lib/pause-clock';
import { demandSoundEpisodes } from './rollouts/environment-failures';
import { update, type UpdateReport } from './learner/update';
import { warmStart } from './learner/warm-start';

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
  /** Awaited between GPU submissions and between batches of the sandbox: pause by waiting, abort by throwing. */
  readonly beforeSubmit: () => Promise<void>;
  readonly onProgress: (phase: 'compiling' | 'warm-start' | 'evaluating', done: number, total: number) => void;
  /**
   * Mean loss of the warm start since its last report, null if every update in between was skipped; and how many were.
   */
  readonly onWarmLoss: (step: number, loss: number | null, skipped: number) => void;
  readonly onTurn: (steps: readonly LiveStep[]) => void;
  /** An iteration has learned and is not validated yet, nor done. */
  readonly onLearned?: (result: IterationResult) => void;
  /** Bytes of a preset's recorded warm start. Rejects with a sentence if they cannot be had. */
  readonly readRecordedStart: (preset: string) => Promise<Uint8Array>;
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
  /** Of the KL term, as it was adapted so far. */
  klCoefficient: number;
  /** What the alarm for echo traps remembers. */
  echo: EchoMemory;
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
    private readonly pauses: PauseClock,
    readonly progress: Progress,
  ) {
    this.parameters = parameterCount(stage.shape);
    this.algorithm = algorithms[stage.config.algorithm.name];
    this.loop = stage.loop();
    this.evaluation = new Evaluation(stage);
  }

  /** Loads the environment, draws initial weights and compiles; no training yet. */
  static async create(
    device: Device,
    sandbox: Sandbox,
    config: RunConfig,
    source: string,
    hooks: TrainerHooks,
  ): Promise<Trainer> {
    const stage = await setStage(config, source, sandbox);
    const { rows, length } = batchShape(config);
    const pauses = new PauseClock(hooks.beforeSubmit);
    const onProgress = (done: number, total: number) => hooks.onProgress('compiling', done, total);
    return device.guarded('this run', async () => {
      const store = new ParameterStore(device, parameterSpecs(stage.shape));
      store.initialise(config.seed);
      const options = {
        slots: samplerSlots(config),
        contextLength: config.model.context,
        beforeSubmit: pauses.beforeSubmit,
      };
      // Both ask for their kernels before either waits, so that all compile at once and are counted together.
      const [sampler, learner] = await Promise.all([
        Sampler.create(device, store, stage.shape, options),
        Learner.create(device, store, stage.shape, rows, length, { ...learnerOptions(config), onProgress }),
      ]);
      const { klCoefficient } = config.algorithm;
      const progress = {
        warmSteps: 0,
        warm: false,
        iteration: 0,
        fingerprint: [],
        sampledTokens: 0,
        klCoefficient,
        echo: noEcho,
      };
      return new Trainer(stage, store, learner, sampler, hooks, pauses, progress);
    });
  }

  /**
   * Loads the recorded warm start, or does what is left of the imitation, as the config asks. The weights after it,
   * rounded to half precision, are those that KL is measured from.
   * @throws NotFinite once three reports in a row had skipped updates
   */
  async warmStart(): Promise<void> {
    const { progress, stage } = this;
    if (progress.warm) return;
    const recorded = recordedPreset(stage.config);
    if (recorded === null) await this.imitate();
    else await loadRecordedStart(await this.hooks.readRecordedStart(recorded), this.store, stage.tokenizer);
    await this.learner.rememberStart();
    if (stage.config.optimizer.fresh) this.learner.optimizer.resetMoments();
    progress.warm = true;
  }

  private async imitate(): Promise<void> {
    const { progress, hooks, pauses } = this;
    await warmStart(this.stage, this.learner, progress.warmSteps, {
      beforeSubmit: pauses.beforeSubmit,
      onStep: (done, total) => {
        progress.warmSteps = done;
        hooks.onProgress('warm-start', done, total);
      },
      onReport: (step, loss, skipped, rate) => {
        hooks.onWarmLoss(step, loss, skipped);
        this.noteSkips(skipped, `step ${step} of the warm start`, rate);
      },
    });
  }

  /**
   * Whether the weights are those that `progress` tells, so that a checkpoint can be taken: always but within an
   * update.
   */
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
    return successRate(await this.evaluate(split));
  }

  /** Greedy play of the held-out tasks of a split. */
  async evaluate(split: Split): Promise<Trajectory[]> {
    this.sampler.clearCache();
    const onEnded = (ended: number, total: number) => this.hooks.onProgress('evaluating', ended, total);
    onEnded(0, this.stage.config.evaluation.tasks);
    return this.evaluation.run(this.sampler, { beforeSubmit: this.pauses.beforeSubmit, onEnded }, split);
  }

  /**
   * One iteration. If it throws, the weights may be between two updates: go back to a checkpoint. It throws a sentence
   * before any update if the environment failed in more than half of the episodes.
   * @throws NotFinite if the weights hold such numbers, or once three iterations in a row had skipped updates
   */
  async iterate(): Promise<IterationResult> {
    const { config } = this.stage;
    const iteration = this.progress.iteration + 1;
    const clock = new Stopwatch(this.pauses);
    const rollouts = await this.collect(iteration);
    const { trajectories } = rollouts;
    demandSoundEpisodes(trajectories, `iteration ${iteration}`);
    clock.lap();
    const rate = learningRateAt(config.optimizer, iteration, config.optimizer.span || config.iterations);
    this.whole = false;
    const due = validates(config, iteration);
    const learnt = await this.learn(rollouts, iteration, rate, due);
    const trainMs = clock.lap();
    const rollout = rolloutMetrics(trajectories);
    const echo = echoTrap(this.progress.echo, rollout);
    const learned: Metrics = {
      iteration,
      validationSuccess: null,
      ...rollout,
      kl: learnt.kl,
      clipFraction: learnt.report.clipFraction,
      policyLoss: learnt.report.loss,
      gradientNorm: learnt.report.gradientNorm,
      skippedUpdates: learnt.report.skipped,
      learningRate: rate,
      trainedTokens: learnt.report.trainedTokens,
      sampleTokensPerSecond: (1000 * rollout.sampledTokens) / rollouts.policyMs,
      trainTokensPerSecond: (1000 * learnt.report.trainedTokens) / trainMs,
      sampleMs: rollouts.policyMs,
      environmentMs: rollouts.environmentMs,
      trainMs,
      evaluateMs: 0,
      diagnostics: {
        ...updateDiagnostics(learnt.report),
        learnedFrom: rollouts.kept.length / trajectories.length,
        explainedVariance: learnt.explainedVariance,
        klCoefficient: this.progress.klCoefficient,
        information: null,
        echoTrap: echo.alarm,
      },
    };
    const views = trajectories.map((trajectory, index) =>
      rolloutView(trajectory, { iteration, index }, learnt.credits[index], config.algorithm.lossMask),
    );
    this.hooks.onLearned?.({ metrics: learned, trajectories, rollouts: views });
    const metrics = due ? await this.judge(learned, trajectories, clock) : learned;
    await this.sign(metrics, trajectories);
    this.progress.echo = echo.memory;
    this.progress.klCoefficient = this.nextKlCoefficient(learnt.kl, trajectories.length);
    this.progress.iteration = iteration;
    this.whole = true;
    this.progress.sampledTokens += rollout.sampledTokens;
    return { metrics, trajectories, rollouts: views };
  }

  /** Adds to an iteration's metrics what is measured only now and then. */
  private async judge(learned: Metrics, trajectories: readonly Trajectory[], clock: Stopwatch): Promise<Metrics> {
    const validationSuccess = await this.validate();
    const information = await taskInformation(trajectories, this.learner, this.stage.config);
    return {
      ...learned,
      validationSuccess,
      evaluateMs: clock.lap(),
      diagnostics: { ...learned.diagnostics!, information },
    };
  }

  private async collect(iteration: number): Promise<Rollouts> {
    const waitedBeforeMs = this.pauses.totalMs;
    this.sampler.clearCache();
    const besides = new PauseClock(this.pauses.beforeSubmit);
    const hooks = {
      greedy: this.algorithm.greedyBaseline,
      onTurn: this.hooks.onTurn,
      beforeSubmit: besides.beforeSubmit,
    };
    const rollouts = await collectRollouts(this.stage, this.loop, this.sampler, iteration, hooks);
    // The policy's time has in it what the sampler waited, and nothing of what was waited besides.
    const samplerWaitedMs = this.pauses.totalMs - waitedBeforeMs - besides.totalMs;
    return { ...rollouts, policyMs: Math.max(0.001, rollouts.policyMs - samplerWaitedMs) };
  }

  /**
   * Credit and update. @param due whether the iteration validates @returns a credit for each trajectory, 0 where the
   * filter left it out
   */
  private async learn({ trajectories, kept, greedy }: Rollouts, iteration: number, rate: number, due: boolean) {
    const { algorithm, learner, stage } = this;
    const { config } = stage;
    const { klCoefficient } = this.progress;
    const inReward = config.algorithm.klPlace === 'reward';
    const chosen = kept.map((i) => trajectories[i]);
    const measured = await measure(chosen, learner, { config, algorithm, compareAll: klCoefficient > 0 || due });
    if (!Number.isFinite(measured.kl)) throw new NotFinite('The model’s probabilities are not numbers any more.');
    const batch = estimatorInput(
      {
        trajectories: chosen,
        ...(greedy && { greedy: kept.map((i) => greedy[i]) }),
        weights: rewardWeights(stage),
        klCoefficient: inReward ? klCoefficient : 0,
        scores: measured.scores,
      },
      config,
    );
    const credits = splitBySteps(
      chosen,
      batch,
      estimate(algorithm, batch, estimatorSettings(config)),
      algorithm.critic,
    );
    const { lossMask } = config.algorithm;
    const segments = measured.segments.map((own, i) => own.map((segment) => withCredit(segment, credits[i], lossMask)));
    const beforeSubmit = this.pauses.beforeSubmit;
    const inputs = { config, algorithm, iteration, rate, klCoefficient: inReward ? 0 : klCoefficient, beforeSubmit };
    const report = await update(learner, segments, inputs);
    this.noteSkips(report.skipped, `iteration ${iteration}`, rate);
    const all = trajectories.map(zeroCredit);
    kept.forEach((i, at) => (all[i] = credits[at]));
    return { credits: all, report, kl: measured.kl, explainedVariance: explainedVarianceOf(credits) };
  }

  private nextKlCoefficient(kl: number, samples: number): number {
    const { klTarget: target, klHorizon: horizon } = this.stage.config.algorithm;
    const { klCoefficient } = this.progress;
    return target > 0 ? adaptBeta(klCoefficient, kl, samples, { target, horizon }) : klCoefficient;
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

/** Whether an iteration ends with a validation, and with what else is measured only now and then. */
function validates({ evaluation, iterations }: RunConfig, iteration: number): boolean {
  return iteration === 1 || iteration % evaluation.every === 0 || iteration === iterations;
}

/** What a config makes of its learner: the kernel of its algorithm's loss, and a critic if that needs one. */
export function learnerOptions({ algorithm, critic }: RunConfig): LearnerOptions {
  const { loss: kind, critic: level } = algorithms[algorithm.name];
  return { terms: { kind, kl: algorithm.klEstimator }, ...(level && { critic }) };
}

function updateDiagnostics({
  clippedAbove,
  clippedBelow,
  dualClipped,
  shift,
  epochs,
  partNorms,
  critic,
}: UpdateReport) {
  return { clippedAbove, clippedBelow, dualClipped, shift, epochs, partNorms, critic };
}
