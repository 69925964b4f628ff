/**
 * The learner: one model's training plan over packed micro-batches. Replays forward, loss and backward, adds gradients
 * up, and lets AdamW take a step; scores batches under the current or the reference weights. One submission a
 * micro-batch, and after the first step nothing is allocated. Knows no trajectory, no reward and no schedule.
 */
import { Commands, Reader, type Dispatch } from '../../gpu/commands';
import type { Device } from '../../gpu/device';
import { profile, type KernelTime } from '../../gpu/profiler';
import { Tape, type Plan } from '../../gpu/tape';
import { createTensor, writeTensor, type Tensor } from '../../gpu/tensor';
import { assert } from '../../lib/assert';
import { AdamW, type AdamWSettings } from '../../model/adamw';
import { FrozenWeights } from '../../model/frozen-weights';
import { GradientNorms, type ModelPart } from '../../model/gradient-norms';
import type { ParameterStore } from '../../model/parameters';
import type { ModelShape } from '../../model/shape';
import { attendPacked, head, transformer } from '../../model/transformer';
import { crossEntropy } from '../../ops/cross-entropy';
import { gatherRows } from '../../ops/gather-rows';
import { lossTotals, totalsLength } from '../../ops/loss-totals';
import {
  policyLoss,
  policySettings,
  statsPerSite,
  writePolicySettings,
  type LossTerms,
  type PolicyLossSettings,
} from '../../ops/policy-loss';
import { Critic, type CriticSettings } from './critic';
import type { MicroBatch, PackedBatch } from './packing';

/** Means over the sites of everything learned from since the totals were last taken; null if there was no site. */
export interface LossReport {
  readonly sites: number;
  /** Sum of weighted losses, divided by the number of updates. */
  readonly loss: number;
  readonly entropy: number;
  readonly clipFraction: number;
  /** Of these, clipped with a positive advantage (above) and with another one (below); and cut by the dual clip. */
  readonly clippedAbove: number;
  readonly clippedBelow: number;
  readonly dualClipped: number;
  /** k1 estimate of KL(policy that sampled ‖ policy as it was updated), nats a token. */
  readonly approxKl: number;
  /** Gradient norm before clipping, of the last update that was not skipped. */
  readonly gradientNorm: number;
  /**
   * The same in each part of the model, of the last policy update, 0 before there was one; null if it was not finite.
   */
  readonly partNorms: Partial<Record<ModelPart, number>> | null;
  /** Null without a critic. Loss and share of clipped values, per update. */
  readonly critic: { readonly loss: number; readonly clipFraction: number; readonly gradientNorm: number } | null;
  /** Updates skipped because the loss or the gradient held NaN or infinity. */
  readonly skipped: number;
}

/** What a learner's next step and report depend on, beside the parameter store. */
export interface LearnerState {
  readonly optimizer: Float32Array; // [8]
  readonly totals: Float32Array; // [12]
  /** State of the critic's optimizer, if there is one. */
  readonly critic?: Float32Array; // [8]
  /** Updates in the totals. */
  readonly updates: number;
}

/** What a mini-batch's sites are scored as. */
export interface SiteScores {
  readonly logProbs: Float32Array; // [N]
  readonly entropies: Float32Array; // [N]
}

/** What a learner is made with. */
export interface LearnerOptions {
  readonly onProgress?: (done: number, total: number) => void;
  /** Which policy loss; the clipped one if not given. */
  readonly terms?: LossTerms;
  readonly critic?: CriticSettings;
}

/** How the critic learns in one step. */
export interface CriticStep {
  /** Weight of the value loss. */
  readonly coefficient: number;
  readonly optimizer: AdamWSettings;
}

const unusedSite = 0xffffffff;

export class Learner {
  readonly optimizer: AdamW;
  /** Null if no algorithm asked for one. */
  critic: Critic | null = null;
  private readonly norms: GradientNorms;
  private readonly settings: Tensor;
  private readonly inputs: Inputs;
  readonly totals: Tensor; // [12]
  private readonly totalsReader: Reader;
  private readonly statsReader: Reader;
  /** Weights of the reference policy. */
  readonly reference: FrozenWeights;
  private updates = 0;
  private activeSites = 0;
  private plans!: {
    readonly model: Plan;
    readonly policyLoss: Plan;
    readonly policy: readonly Dispatch[];
    readonly critic: readonly Dispatch[];
    readonly values: readonly Dispatch[];
    readonly crossEntropy: readonly Dispatch[];
    readonly score: readonly Dispatch[];
  };

  private constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
    /** Rows (B) and positions (T) of a micro-batch. */
    readonly rows: number,
    readonly length: number,
  ) {
    const tokens = rows * length;
    const input = (name: string, shape: readonly number[], type: 'u32' | 'f32' = 'u32') =>
      createTensor(device, name, shape, { type });
    this.inputs = {
      tokens: input('tokens', [tokens]),
      positions: input('positions', [tokens]),
      segmentStart: input('segment starts', [tokens]),
      segmentEnd: input('segment ends', [tokens]),
      site: input('sites', [tokens]),
      targets: input('targets', [tokens]),
      sites: input('site labels', [tokens, 4], 'f32'),
      sequences: input('site sequences', [tokens, 2]),
      stats: input('site statistics', [tokens, statsPerSite], 'f32'),
    };
    this.settings = policySettings(device);
    this.totals = createTensor(device, 'loss totals', [totalsLength]);
    this.optimizer = new AdamW(device, store);
    this.norms = new GradientNorms(device, store);
    this.totalsReader = new Reader(device, this.totals);
    this.statsReader = new Reader(device, this.inputs.stats);
    this.reference = new FrozenWeights(device, store);
  }

  /** Builds the plan and waits for its kernels. */
  static async create(
    device: Device,
    store: ParameterStore,
    shape: ModelShape,
    rows: number,
    length: number,
    { onProgress, terms, critic: criticSettings }: LearnerOptions = {},
  ): Promise<Learner> {
    const learner = new Learner(device, store, rows, length);
    const { inputs } = learner;
    const tape = new Tape(device, true);
    const active = () => learner.activeSites;
    // [N, D]
    const hidden = transformer(tape, store, shape, inputs.tokens, attendPacked(tape, shape, rows, length, inputs));
    const predicted = gatherRows(tape, hidden, inputs.site); // [M, D]
    const logits = head(tape, store, shape, predicted, active); // [M, V]
    const critic = criticSettings
      ? new Critic(device, shape, criticSettings, { rows, length, inputs, tape, predicted })
      : null;
    learner.critic = critic;
    const policy = new Tape(device, false);
    policyLoss(policy, logits, inputs, learner.settings, active, terms);
    const imitation = new Tape(device, false);
    crossEntropy(imitation, logits, inputs, active);
    const totals = new Tape(device, false);
    lossTotals(totals, inputs.sites, inputs.stats, learner.totals, learner.optimizer.veto);
    const model = await tape.seal(onProgress);
    const policyPlan = await policy.seal();
    const loss = {
      policy: policyPlan.forward,
      imitation: (await imitation.seal()).forward,
      totals: (await totals.seal()).forward,
    };
    await learner.optimizer.compile();
    await learner.norms.compile();
    await learner.reference.compile();
    await critic?.compile();
    const valueForward = [...(critic?.forward ?? [])];
    const values = critic?.isShared === false ? valueForward : model.forward;
    const valueBackward = [...(critic?.backward ?? [])];
    const valueLoss = [...valueForward, ...(critic?.loss ?? [])];
    learner.plans = {
      model,
      policyLoss: policyPlan,
      policy: [...model.forward, ...loss.policy, ...loss.totals, ...valueLoss, ...model.backward, ...valueBackward],
      critic: critic?.isShared ? [...model.forward, ...valueLoss, ...model.backward] : [...valueLoss, ...valueBackward],
      values,
      crossEntropy: [...model.forward, ...loss.imitation, ...loss.totals, ...model.backward],
      score: [...model.forward, ...loss.policy],
    };
    return learner;
  }

  /** One optimizer step of the policy loss on a whole mini-batch, and of the critic if there is one. */
  policyStep(batch: PackedBatch, loss: PolicyLossSettings, optimizer: AdamWSettings, critic?: CriticStep): void {
    writePolicySettings(this.device, this.settings, loss);
    if (this.critic && critic) this.critic.optimizer.configure(critic.optimizer);
    this.optimizer.configure(optimizer);
    const learning = critic ? (this.critic?.optimizer.dispatches ?? []) : [];
    this.step(batch, this.plans.policy, [...this.norms.dispatches, ...this.optimizer.dispatches, ...learning], critic);
  }

  /** One optimizer step of cross-entropy. */
  imitationStep(batch: PackedBatch, optimizer: AdamWSettings): void {
    this.optimizer.configure(optimizer);
    this.step(batch, this.plans.crossEntropy, this.optimizer.dispatches);
  }

  /** One optimizer step of the critic alone: a trunk that it shares stays as it is. */
  criticStep({ microBatches }: PackedBatch, { coefficient, optimizer }: CriticStep): void {
    const { critic } = this;
    assert(critic, 'this learner has no critic');
    critic.optimizer.configure(optimizer);
    microBatches.forEach((micro, i) => {
      this.upload(micro);
      critic.upload(micro, coefficient);
      const last = i === microBatches.length - 1;
      new Commands(this.device)
        .clear([...this.plans.model.gradients, ...critic.gradients])
        .run(last ? [...this.plans.critic, ...critic.optimizer.dispatches] : this.plans.critic)
        .clear([this.store.gradient])
        .submit();
    });
    if (microBatches.length > 0) this.updates++;
  }

  /** Replays the plan over every micro-batch, and what comes after the last in the same submission. */
  private step(
    { microBatches }: PackedBatch,
    plan: readonly Dispatch[],
    after: readonly Dispatch[],
    criticStep?: CriticStep,
  ): void {
    const critic = criticStep ? this.critic : null;
    microBatches.forEach((micro, i) => {
      this.upload(micro);
      if (criticStep) critic?.upload(micro, criticStep.coefficient);
      const last = i === microBatches.length - 1;
      new Commands(this.device)
        .clear([...this.plans.model.gradients, ...(critic?.gradients ?? [])])
        .run(last ? [...plan, ...after] : plan)
        .submit();
    });
    if (microBatches.length > 0) this.updates++;
  }

  /** The critic's values before the token of every site of every micro-batch. */
  async values({ microBatches }: PackedBatch): Promise<Float32Array[]> {
    const { critic } = this;
    assert(critic, 'this learner has no critic');
    const values: Float32Array[] = [];
    for (const micro of microBatches) {
      this.upload(micro);
      critic.encodeValues(new Commands(this.device).run(this.plans.values)).submit();
      values.push(await critic.readValues(micro));
    }
    return values;
  }

  /**
   * Log-probs and entropies of every site of every micro-batch, at a temperature, under the current or the reference
   * weights.
   */
  async score(
    { microBatches }: PackedBatch,
    temperature: number,
    weights: 'current' | 'reference',
  ): Promise<SiteScores[]> {
    writePolicySettings(this.device, this.settings, {
      temperature,
      clipLow: 0,
      clipHigh: 0,
      dualClip: 1,
      klCoefficient: 0,
      entropyCoefficient: 0,
    });
    const scores: SiteScores[] = [];
    for (const micro of microBatches) {
      this.upload(micro);
      const commands = new Commands(this.device);
      if (weights === 'reference') this.reference.run(commands, this.plans.score);
      else commands.run(this.plans.score);
      commands.read(this.statsReader).submit();
      const stats = await this.statsReader.result();
      const column = (offset: number) => Float32Array.from(micro.site, (_, n) => stats[n * statsPerSite + offset]);
      scores.push({ logProbs: column(0), entropies: column(1) });
    }
    return scores;
  }

  /**
   * GPU time of each kernel in one imitation step of the batch's first micro-batch. The gradients it leaves are not
   * used.
   */
  profile({ microBatches: [micro] }: PackedBatch): Promise<KernelTime[]> {
    this.upload(micro);
    return profile(this.device, this.plans.crossEntropy);
  }

  /**
   * Rounds the current weights to half precision and makes them the reference policy and the critic's first weights.
   * Await before training.
   */
  async setReference(): Promise<void> {
    await this.reference.capture();
    this.critic?.begin(this.store);
  }

  /** Resolves when all submitted steps are done. */
  idle(): Promise<void> {
    return this.device.idle();
  }

  /** Means since the last report, in one readback; waits for all submitted steps. */
  async report(): Promise<LossReport> {
    const commands = new Commands(this.device).read(this.totalsReader).read(this.norms.reader).clear([this.totals]);
    this.optimizer.encodeReport(commands);
    this.critic?.encodeReport(commands);
    commands.submit();
    const [totals, partNorms] = [await this.totalsReader.result(), await this.norms.result()];
    const { gradientNorm, skipped } = await this.optimizer.report();
    const critic = (await this.critic?.report()) ?? null;
    const sites = totals[0];
    const { updates } = this;
    this.updates = 0;
    // A skipped update may have added nothing to the totals.
    const perUpdate = (sum: number, left: number) => sum / Math.max(1, updates - left);
    const mean = (sum: number) => (sites > 0 ? sum / sites : 0);
    return {
      sites,
      loss: perUpdate(totals[1], skipped),
      entropy: mean(totals[3]),
      clipFraction: mean(totals[7]),
      clippedAbove: mean(totals[10]),
      clippedBelow: mean(totals[7] - totals[10]),
      dualClipped: mean(totals[8]),
      approxKl: mean(totals[9]),
      gradientNorm,
      partNorms,
      critic: critic && {
        loss: perUpdate(critic.loss, critic.skipped),
        clipFraction: perUpdate(critic.clipFraction, critic.skipped),
        gradientNorm: critic.gradientNorm,
      },
      skipped: Math.max(skipped, critic?.skipped ?? 0),
    };
  }

  /** `approxKl` of the updates since a point in the totals, and that point's successor. The first point is [0, 0]. */
  async approxKlSince([sitesBefore, sumBefore]: readonly [number, number]): Promise<{
    approxKl: number;
    point: [number, number];
  }> {
    new Commands(this.device).read(this.totalsReader).submit();
    const totals = await this.totalsReader.result();
    const sites = totals[0] - sitesBefore;
    return { approxKl: sites > 0 ? (totals[9] - sumBefore) / sites : 0, point: [totals[0], totals[9]] };
  }

  /** Updates since the last report. */
  get unreported(): number {
    return this.updates;
  }

  /** Goes on from a saved state; parameter stores and `reference` are written by the caller. */
  restore({ optimizer, totals, critic, updates }: LearnerState): void {
    this.optimizer.restore(optimizer);
    writeTensor(this.device, this.totals, totals);
    this.updates = updates;
    if (critic) this.critic?.optimizer.restore(critic);
  }

  private upload(micro: MicroBatch): void {
    const { device, inputs } = this;
    const capacity = this.rows * this.length;
    const N = micro.site.length;
    assert(
      micro.tokens.length === capacity,
      `a micro-batch of ${micro.tokens.length} positions, but the plan has ${capacity}`,
    );
    this.activeSites = Math.max(1, N);
    const site = new Uint32Array(capacity).fill(unusedSite);
    site.set(micro.site);
    const targets = new Uint32Array(capacity);
    targets.set(micro.target);
    const sequences = new Uint32Array(capacity * 2);
    sequences.set(micro.sequence);
    const labels = new Float32Array(capacity * 4);
    for (let n = 0; n < N; n++) {
      labels.set([micro.oldLogProb[n], micro.referenceLogProb[n], micro.advantage[n], micro.weight[n]], n * 4);
    }
    writeTensor(device, inputs.tokens, micro.tokens);
    writeTensor(device, inputs.positions, micro.positions);
    writeTensor(device, inputs.segmentStart, micro.segmentStart);
    writeTensor(device, inputs.segmentEnd, micro.segmentEnd);
    writeTensor(device, inputs.site, site);
    writeTensor(device, inputs.targets, targets);
    writeTensor(device, inputs.sites, labels);
    writeTensor(device, inputs.sequences, sequences);
  }

  destroy(): void {
    this.plans.model.destroy();
    this.plans.policyLoss.destroy();
    this.optimizer.destroy();
    this.norms.destroy();
    this.reference.destroy();
    this.critic?.destroy();
    for (const tensor of [...Object.values(this.inputs), this.settings, this.totals]) tensor.buffer.destroy();
    for (const reader of [this.totalsReader, this.statsReader]) reader.destroy();
  }
}

/** All [B·T], or [B·T, k]. */
interface Inputs {
  readonly tokens: Tensor;
  readonly positions: Tensor;
  readonly segmentStart: Tensor;
  readonly segmentEnd: Tensor;
  readonly site: Tensor;
  readonly targets: Tensor;
  readonly sites: Tensor;
  readonly sequences: Tensor;
  readonly stats: Tensor;
}
