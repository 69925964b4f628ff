/**
 * A training run: one iteration collects trajectories, scores them, estimates advantages, updates and reports.
 * Knows no worker, no page and no file; its caller passes in the device and the sandbox.
 */
import type { Split } from '../agent/environment-client';
import type { LiveStep } from '../agent/flow';
import type { Sandbox } from '../agent/sandbox';
import type { Trajectory } from '../agent/types';
import type { Device } from '../device/device';
import { fingerprintIterations, iterationDigest } from '../lib/fingerprint';
import { PauseClock, Stopwatch } from '../lib/pause-clock';
import { NotFinite } from '../model/not-finite';
import { parameterCount, type ParameterStore } from '../model/parameters';
import type { Sampler } from '../model/sampler';
import { isValidated } from '../share/claim';
import { estimate, type Algorithm } from '../algorithms/algorithm';
import { splitBySteps, zeroCredit, type Credit } from '../algorithms/credit';
import { algorithms } from '../algorithms/table';
import type { RunConfig } from '../config/config';
import { estimatorSettings } from '../config/with-algorithm';
import { echoTrap, noEcho, type EchoMemory } from './diagnostics/echo-trap';
import { explainedVarianceOf } from './diagnostics/explained-variance';
import { taskInformation } from './diagnostics/task-information';
import type { Learner } from './learner/learner';
import { loadRecordedStart, recordedPreset } from './learner/recorded-start';
import { criticLearnsAlone, reinforcementRate } from './learner/schedule';
import { scoreTrajectories, type TrajectoryScores } from './learner/scoring';
import { withCredit } from './learner/segments';
import { buildRun } from './learner/shapes';
import { update, type UpdateReport } from './learner/update';
import { warmStart } from './learner/warm-start';
import { requireFit, type RunSize } from './memory';
import { learnedMetrics, type Metrics } from './report';
import { adaptBeta } from '../algorithms/rewards/kl-penalty';
import { collectRollouts, type Rollouts } from './rollouts/collect';
import { requireSoundEpisodes } from './rollouts/environment-failures';
import { estimatorInput, type TokenScores } from './rollouts/estimator-input';
import { Evaluation, successRate } from './rollouts/evaluation';
import { byTag, rolloutMetrics } from './rollouts/metrics';
import { rolloutSources } from './rollouts/rollout-episodes';
import { prepareRun, rewardWeights, type OpenModel, type RunSetup } from './rollouts/setup';
import { rolloutView, type RolloutView } from './rollouts/view';

/** The run fails after this many reports in a row with skipped updates. */
const maxSkips = 3;

export interface TrainerHooks {
  /** Awaited between GPU submissions and between batches of the sandbox: pause by waiting, abort by throwing. */
  readonly beforeSubmit: () => Promise<void>;
  readonly onProgress: (phase: 'compiling' | 'warm-start' | 'evaluating', done: number, total: number) => void;
  /** Called before the run takes anything of the device, which can hold it. */
  readonly onSize?: (size: RunSize) => void;
  /** Mean loss of the warm start since its last report (null if every update was skipped), and skipped updates. */
  readonly onWarmLoss: (step: number, loss: number | null, skipped: number) => void;
  /** Which demonstrations the warm start imitates; all if not given. */
  readonly imitates?: (demonstration: Trajectory) => boolean;
  readonly onTurn: (steps: readonly LiveStep[]) => void;
  /** Called after an iteration's update, before its validation. */
  readonly onLearned?: (result: Omit<IterationResult, 'validated'>) => void;
  /** Bytes of a preset's recorded warm start; rejects with a sentence if there are none. */
  readonly readRecordedStart: (preset: string) => Promise<Uint8Array>;
  /** Not given: no pretrained model can be trained. */
  readonly openModel?: OpenModel;
}

export interface IterationResult {
  readonly metrics: Metrics;
  readonly trajectories: readonly Trajectory[];
  readonly rollouts: readonly RolloutView[];
  /** Greedy attempts at the validation tasks, in their order; empty where the iteration does not validate. */
  readonly validated: readonly Trajectory[];
}

/** Progress between two steps of the warm start or two iterations. */
export interface TrainerProgress {
  /** Steps of the warm start done. */
  warmSteps: number;
  /** Whether the warm start is done, or was not asked for. */
  warm: boolean;
  /** Iterations done; 0 after the warm start. */
  iteration: number;
  /** Hex digests of the first iterations. */
  fingerprint: string[];
  sampledTokens: number;
  /** Current weight of the KL term. */
  klCoefficient: number;
  /** Iterations in which the critic learned alone; absent in what engines before 0.9 saved. */
  criticAlone?: number;
  /** State of the alarm for echo traps. */
  echo: EchoMemory;
}

export class Trainer {
  readonly parameters: number;
  /** Whether the weights belong to `progress`, so that a checkpoint can be taken. */
  isBetweenUpdates = true;
  private skips = 0;
  private readonly algorithm: Algorithm;
  private readonly loop;
  private readonly evaluation: Evaluation;

  private constructor(
    readonly device: Device,
    readonly setup: RunSetup,
    readonly store: ParameterStore,
    readonly learner: Learner,
    readonly sampler: Sampler,
    private readonly hooks: TrainerHooks,
    private readonly pauses: PauseClock,
    readonly progress: TrainerProgress,
  ) {
    this.parameters = parameterCount(setup.model.specs);
    this.algorithm = algorithms[setup.config.algorithm.name];
    this.loop = setup.loop();
    this.evaluation = new Evaluation(setup);
  }

  /** Loads the environment, draws initial weights and compiles; no training yet. */
  static async create(
    device: Device,
    sandbox: Sandbox,
    config: RunConfig,
    source: string,
    hooks: TrainerHooks,
  ): Promise<Trainer> {
    const setup = await prepareRun(config, source, sandbox, hooks.openModel);
    const size = requireFit(device, config, setup.model);
    hooks.onSize?.(size);
    const pauses = new PauseClock(hooks.beforeSubmit);
    const onProgress = (done: number, total: number) => hooks.onProgress('compiling', done, total);
    return device.guarded('this run', async () => {
      const { store, sampler, learner } = buildRun(device, config, setup.model, pauses.beforeSubmit);
      store.initialise(config.seed);
      await setup.model.loadBase?.(device, store);
      await device.compiled(onProgress);
      const { klCoefficient } = config.algorithm;
      const counts = { warmSteps: 0, warm: false, iteration: 0, fingerprint: [], sampledTokens: 0, criticAlone: 0 };
      const progress = { ...counts, klCoefficient, echo: noEcho };
      return new Trainer(device, setup, store, learner, sampler, hooks, pauses, progress);
    });
  }

  /**
   * Loads the recorded warm start, or finishes the imitation. The weights after it become the reference policy.
   * @throws NotFinite once three reports in a row had skipped updates
   */
  async warmStart(): Promise<void> {
    const { progress, setup } = this;
    if (progress.warm) return;
    const recorded = this.hooks.imitates ? null : recordedPreset(setup.config);
    if (recorded === null) await this.imitate();
    else await loadRecordedStart(await this.hooks.readRecordedStart(recorded), this.store, setup.model.tokenizer);
    await this.learner.setReference();
    if (setup.config.optimizer.fresh) this.learner.optimizer.resetMoments();
    progress.warm = true;
  }

  private async imitate(): Promise<void> {
    const { progress, hooks, pauses } = this;
    await warmStart(this.setup, this.learner, progress.warmSteps, {
      beforeSubmit: pauses.beforeSubmit,
      imitates: hooks.imitates,
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

  /** Whether the last report had skipped updates, so that the run may be failing. */
  get lastUpdateSkipped(): boolean {
    return this.skips > 0;
  }

  private noteSkips(skipped: number, where: string, rate: number): void {
    this.skips = skipped > 0 ? this.skips + 1 : 0;
    if (this.skips >= maxSkips)
      throw new NotFinite(
        `Up to ${where}, loss or gradient were not finite ${maxSkips} times in a row. ` +
          `Lower the learning rate (now ${rate.toPrecision(2)}).`,
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
    onEnded(0, this.setup.config.evaluation.tasks);
    return this.evaluation.run(this.sampler, { beforeSubmit: this.pauses.beforeSubmit, onEnded }, split);
  }

  /**
   * One iteration. If it throws, the weights may be within an update: go back to a checkpoint.
   * @throws a sentence, before any update, if the environment failed in more than half of the episodes; NotFinite if
   * the weights are not finite, or once three iterations in a row had skipped updates
   */
  async iterate(): Promise<IterationResult> {
    const iteration = this.progress.iteration + 1;
    const rollouts = await this.collect(iteration);
    const clock = new Stopwatch(this.pauses);
    this.isBetweenUpdates = false;
    const chosen = rollouts.kept.map((i) => rollouts.trajectories[i]);
    const scores = await this.score(chosen, iteration);
    const credits = this.estimate(chosen, rollouts, scores);
    const explainedVariance = explainedVarianceOf(credits);
    const rate = this.policyRate(iteration, explainedVariance);
    const report = await this.update(scores, credits, iteration, rate);
    return this.report(iteration, rollouts, scores, credits, { ...report, rate, explainedVariance }, clock);
  }

  /** Samples the iteration's tasks. */
  private async collect(iteration: number): Promise<Rollouts> {
    const pausedBeforeMs = this.pauses.totalMs;
    this.sampler.clearCache();
    const outside = new PauseClock(this.pauses.beforeSubmit);
    const { greedyBaseline: greedy = false } = this.algorithm;
    const hooks = { greedy, onTurn: this.hooks.onTurn, beforeSubmit: outside.beforeSubmit };
    const rollouts = await collectRollouts(this.setup, this.loop, this.sampler, iteration, hooks);
    requireSoundEpisodes(rollouts.trajectories, `iteration ${iteration}`);
    // The sampler's pauses are part of the policy's time; pauses outside it are not.
    const samplerPausedMs = this.pauses.totalMs - pausedBeforeMs - outside.totalMs;
    return { ...rollouts, policyMs: Math.max(0.001, rollouts.policyMs - samplerPausedMs) };
  }

  /** Scores the kept trajectories under the policy, the reference and the critic. */
  private async score(chosen: readonly Trajectory[], iteration: number): Promise<TrajectoryScores> {
    const { algorithm, learner } = this;
    const { config } = this.setup;
    const compare = this.progress.klCoefficient > 0 || isValidated(config, iteration);
    const scores = await scoreTrajectories(chosen, learner, config, algorithm, compare);
    if (!Number.isFinite(scores.kl ?? 0)) throw new NotFinite('The model’s probabilities are not numbers any more.');
    return scores;
  }

  /** Advantages of the kept trajectories, as a credit each. */
  private estimate(chosen: readonly Trajectory[], { kept, greedy }: Rollouts, { scores }: TrajectoryScores): Credit[] {
    const { algorithm, setup } = this;
    const { config } = setup;
    const batch = {
      rollouts: rolloutSources(chosen),
      ...(greedy && { greedy: rolloutSources(kept.map((i) => greedy[i])) }),
      weights: rewardWeights(setup),
      klCoefficient: this.klCoefficientIn('reward'),
      scores,
    };
    const input = estimatorInput(batch, config);
    return splitBySteps(chosen, input, estimate(algorithm, input, estimatorSettings(config)), algorithm.critic);
  }

  /** The policy's learning rate; null where the critic learns alone. @param explained variance, by the critic */
  private policyRate(iteration: number, explained: number | null): number | null {
    const { config } = this.setup;
    const alone = this.progress.criticAlone ?? 0;
    const waits = this.learner.critic !== null && criticLearnsAlone(config, iteration, alone, explained);
    return waits ? null : reinforcementRate(config, iteration, alone);
  }

  /** Epochs of optimizer steps on the kept trajectories. @param rate of the policy; null: the critic learns alone */
  private async update(
    scores: TrajectoryScores,
    credits: readonly Credit[],
    iteration: number,
    rate: number | null,
  ): Promise<UpdateReport> {
    const { algorithm, learner } = this;
    const { config } = this.setup;
    const credited = (lossMask: boolean) =>
      scores.segments.map((own, i) => own.map((each) => withCredit(each, credits[i], lossMask)));
    const segments = credited(config.algorithm.lossMask);
    const report = await update(learner, segments, {
      config,
      algorithm,
      criticSegments: config.critic.onResults ? credited(false) : segments,
      iteration,
      rate,
      klCoefficient: this.klCoefficientIn('loss'),
      beforeSubmit: this.pauses.beforeSubmit,
    });
    this.noteSkips(report.skipped, `iteration ${iteration}`, rate ?? config.critic.learningRate);
    return report;
  }

  /** Metrics and views of the iteration, validated where that is due; then it is done. */
  private async report(
    iteration: number,
    collected: Rollouts,
    { kl, estimatedKl, scores }: TrajectoryScores,
    credits: readonly Credit[],
    updated: UpdateReport & { readonly rate: number | null; readonly explainedVariance: number | null },
    clock: Stopwatch,
  ): Promise<IterationResult> {
    const { progress, setup } = this;
    const { trajectories } = collected;
    const rollout = rolloutMetrics(trajectories);
    const echo = echoTrap(progress.echo, rollout);
    const learned = learnedMetrics({
      iteration,
      rollouts: collected,
      rollout,
      update: updated,
      kl,
      learningRate: updated.rate ?? 0,
      trainMs: clock.lap(),
      explainedVariance: updated.explainedVariance,
      klCoefficient: progress.klCoefficient,
      echoTrap: echo.alarm,
    });
    const references = kl === null ? null : scores.referenceLogProbs;
    const rollouts = this.views(iteration, collected, credits, references);
    this.hooks.onLearned?.({ metrics: learned, trajectories, rollouts });
    let metrics: Metrics = learned;
    let validated: readonly Trajectory[] = [];
    if (isValidated(setup.config, iteration)) {
      validated = await this.evaluate('validation');
      const information = await taskInformation(trajectories, this.learner, setup.config);
      const diagnostics = { ...learned.diagnostics, information };
      const validation = { validationSuccess: successRate(validated), ...byTag('validationByTag', validated) };
      metrics = { ...learned, ...validation, diagnostics, evaluateMs: clock.lap() };
    }
    await this.sign(metrics, trajectories);
    progress.echo = echo.memory;
    progress.klCoefficient = this.nextKlCoefficient(estimatedKl, trajectories.length);
    progress.iteration = iteration;
    if (updated.rate === null) progress.criticAlone = (progress.criticAlone ?? 0) + 1;
    progress.sampledTokens += rollout.sampledTokens;
    this.isBetweenUpdates = true;
    return { metrics, trajectories, rollouts, validated };
  }

  /** @param references log-probabilities of the kept trajectories' tokens; null if they were not compared */
  private views(
    iteration: number,
    { trajectories, kept }: Rollouts,
    credits: readonly Credit[],
    references: TokenScores['referenceLogProbs'] | null,
  ): RolloutView[] {
    const { lossMask } = this.setup.config.algorithm;
    return trajectories.map((each, index) => {
      const at = kept.lastIndexOf(index);
      const credit = credits[at] ?? zeroCredit(each);
      return rolloutView(each, { iteration, index }, credit, lossMask, references?.[at]);
    });
  }

  private klCoefficientIn(place: 'loss' | 'reward'): number {
    return this.setup.config.algorithm.klPlace === place ? this.progress.klCoefficient : 0;
  }

  private nextKlCoefficient(kl: number | null, samples: number): number {
    const { klTarget: target, klHorizon: horizon } = this.setup.config.algorithm;
    const { klCoefficient } = this.progress;
    return target > 0 && kl !== null ? adaptBeta(klCoefficient, kl, samples, { target, horizon }) : klCoefficient;
  }

  /** Adds this iteration's digest while the fingerprint is short. */
  private async sign(metrics: Metrics, trajectories: readonly Trajectory[]): Promise<void> {
    const { fingerprint } = this.progress;
    if (fingerprint.length >= fingerprintIterations) return;
    const tokens = trajectories.map(({ steps }) => steps.flatMap((step) => step.action.tokens));
    const rewards = trajectories.map(({ reward }) => reward);
    const { policyLoss, gradientNorm, entropy, kl, clipFraction } = metrics;
    const numbers = [policyLoss, gradientNorm, entropy, kl, clipFraction].map((value) => value ?? 0);
    fingerprint.push(await iterationDigest({ tokens, rewards, metrics: numbers }));
  }

  destroy(): void {
    this.sampler.destroy();
    this.learner.destroy();
    this.store.destroy();
  }
}
