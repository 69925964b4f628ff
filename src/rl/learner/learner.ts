/**
 * One model's training plan over packed micro-batches. Replays forward, loss and backward, adds gradients up, and lets
 * AdamW take a step; scores batches under the current or the reference weights. One submission a micro-batch; after the
 * first step nothing is allocated. Knows no trajectory, no reward and no schedule.
 */
import { Commands, Reader, type Dispatch } from '../../gpu/commands';
import type { Device } from '../../gpu/device';
import { profile, type KernelTime } from '../../gpu/profiler';
import { Tape, type Plan } from '../../gpu/tape';
import { createTensor, writeTensor, type Tensor } from '../../gpu/tensor';
import { assert } from '../../lib/assert';
import { AdamW, type AdamWSettings } from '../../model/adamw';
import { FrozenWeights } from '../../model/frozen-weights';
import { GradientNorms } from '../../model/gradient-norms';
import type { ParameterStore } from '../../model/parameters';
import type { ModelShape } from '../../model/shape';
import { attendPacked, head, transformer } from '../../model/transformer';
import { crossEntropy } from '../../ops/cross-entropy';
import { gatherRows } from '../../ops/gather-rows';
import { lossTotals, readTotals, totalsLength } from '../../ops/loss-totals';
import {
  policyLoss,
  policySettings,
  statColumn,
  statsPerSite,
  writePolicySettings,
  type LossTerms,
  type PolicyLossSettings,
} from '../../ops/policy-loss';
import { BatchInputs } from './batch-inputs';
import { Critic, type CriticSettings } from './critic';
import { lossReport, type LossReport } from './loss-report';
import type { PackedBatch } from './packing';

/** What a learner's next step and report depend on, beside the parameter store. */
export interface LearnerState {
  readonly optimizer: Float32Array; // [8]
  readonly totals: Float32Array; // [12]
  /** State of the critic's optimizer, if there is one. */
  readonly critic?: Float32Array; // [8]
  /** Updates in the totals. */
  readonly updates: number;
}

/** Scores of a micro-batch's sites. */
export interface SiteScores {
  readonly logProbs: Float32Array; // [N]
  readonly entropies: Float32Array; // [N]
}

export interface LearnerOptions {
  /** Rows (B) and positions (T) of a micro-batch. */
  readonly rows: number;
  readonly length: number;
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

/** Dispatches of one micro-batch, by what it is for. */
interface Plans {
  readonly policy: readonly Dispatch[];
  readonly critic: readonly Dispatch[];
  readonly values: readonly Dispatch[];
  readonly crossEntropy: readonly Dispatch[];
  readonly score: readonly Dispatch[];
}

export class Learner {
  readonly rows: number;
  readonly length: number;
  readonly optimizer: AdamW;
  readonly critic: Critic | null;
  /** Weights of the reference policy. */
  readonly reference: FrozenWeights;
  readonly totals: Tensor; // [12]
  private readonly inputs: BatchInputs;
  private readonly norms: GradientNorms;
  private readonly settings: Tensor;
  private readonly totalsReader: Reader;
  private readonly statsReader: Reader;
  private readonly sealed: readonly Plan[];
  /** Of activations, to be cleared before each replay. */
  private readonly gradients: readonly Tensor[];
  private readonly plans: Plans;
  private updates = 0;

  /** Await `Device.compiled` before the first step. */
  constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
    shape: ModelShape,
    { rows, length, terms, critic }: LearnerOptions,
  ) {
    this.rows = rows;
    this.length = length;
    const inputs = (this.inputs = new BatchInputs(device, rows * length));
    this.settings = policySettings(device);
    this.totals = createTensor(device, 'loss totals', [totalsLength]);
    this.optimizer = new AdamW(device, store);
    this.norms = new GradientNorms(device, store);
    this.reference = new FrozenWeights(device, store);
    this.totalsReader = new Reader(device, this.totals);
    this.statsReader = new Reader(device, inputs.stats);
    const model = new Tape(device, true);
    const [policy, imitation, totals] = Array.from({ length: 3 }, () => new Tape(device, false));
    const active = () => inputs.activeSites;
    // [N, D]
    const hidden = transformer(model, store, shape, inputs.tokens, attendPacked(model, shape, rows, length, inputs));
    const predicted = gatherRows(model, hidden, inputs.site); // [M, D]
    const logits = head(model, store, shape, predicted, active); // [M, V]
    this.critic = critic ? new Critic(device, shape, critic, { rows, length, inputs, tape: model, predicted }) : null;
    policyLoss(policy, logits, inputs, this.settings, active, terms);
    crossEntropy(imitation, logits, inputs, active);
    lossTotals(totals, inputs.sites, inputs.stats, this.totals, this.optimizer.veto);

    this.sealed = [model, policy, imitation, totals].map((tape) => tape.seal());
    this.gradients = this.sealed[0].gradients;
    this.plans = plansOf(this.sealed, this.critic);
  }

  /** One optimizer step of the policy loss on a whole mini-batch, and of the critic if there is one. */
  policyStep(batch: PackedBatch, loss: PolicyLossSettings, optimizer: AdamWSettings, critic?: CriticStep): void {
    writePolicySettings(this.device, this.settings, loss);
    this.optimizer.configure(optimizer);
    this.step(batch, this.plans.policy, [...this.norms.dispatches, ...this.optimizer.dispatches], critic);
  }

  /** One optimizer step of cross-entropy. */
  imitationStep(batch: PackedBatch, optimizer: AdamWSettings): void {
    this.optimizer.configure(optimizer);
    this.step(batch, this.plans.crossEntropy, this.optimizer.dispatches);
  }

  /** One optimizer step of the critic alone: a trunk that it shares stays as it is. */
  criticStep(batch: PackedBatch, critic: CriticStep): void {
    this.step(batch, this.plans.critic, [], critic, [this.store.gradient]);
  }

  /**
   * Replays a plan over every micro-batch, and the optimizers after the last in the same submission.
   * @param unused gradients to clear after each micro-batch
   */
  private step(
    { microBatches }: PackedBatch,
    plan: readonly Dispatch[],
    optimizers: readonly Dispatch[],
    criticStep?: CriticStep,
    unused: readonly Tensor[] = [],
  ): void {
    const critic = criticStep ? this.critic : null;
    if (criticStep) critic?.optimizer.configure(criticStep.optimizer);
    microBatches.forEach((micro, i) => {
      this.inputs.upload(micro);
      if (criticStep) critic?.upload(micro, criticStep.coefficient);
      const last = i === microBatches.length - 1 ? [...optimizers, ...(critic?.optimizer.dispatches ?? [])] : [];
      new Commands(this.device)
        .clear([...this.gradients, ...(critic?.gradients ?? [])])
        .run([...plan, ...last])
        .clear(unused)
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
      this.inputs.upload(micro);
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
      this.inputs.upload(micro);
      const commands = new Commands(this.device);
      if (weights === 'reference') this.reference.run(commands, this.plans.score);
      else commands.run(this.plans.score);
      commands.read(this.statsReader).submit();
      const stats = await this.statsReader.result();
      const column = (offset: number) => Float32Array.from(micro.site, (_, n) => stats[n * statsPerSite + offset]);
      scores.push({ logProbs: column(statColumn.logProb), entropies: column(statColumn.entropy) });
    }
    return scores;
  }

  /** GPU time of each kernel in one imitation step of the batch's first micro-batch. Leaves unused gradients. */
  profile({ microBatches: [micro] }: PackedBatch): Promise<KernelTime[]> {
    this.inputs.upload(micro);
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
    const { updates } = this;
    const totals = readTotals(await this.totalsReader.result());
    const partNorms = await this.norms.result();
    const optimizer = await this.optimizer.report();
    const critic = (await this.critic?.report()) ?? null;
    this.updates = 0;
    return lossReport({ updates, totals, optimizer, partNorms, critic });
  }

  /** `approxKl` of the updates since a point in the totals, and that point's successor. The first point is [0, 0]. */
  async approxKlSince([sitesBefore, sumBefore]: readonly [number, number]): Promise<{
    approxKl: number;
    point: [number, number];
  }> {
    new Commands(this.device).read(this.totalsReader).submit();
    const { sites, approxKl: sum } = readTotals(await this.totalsReader.result());
    const count = sites - sitesBefore;
    return { approxKl: count > 0 ? (sum - sumBefore) / count : 0, point: [sites, sum] };
  }

  /** Updates since the last report. */
  get unreported(): number {
    return this.updates;
  }

  /** Continues from a saved state; parameter stores and `reference` are written by the caller. */
  restore({ optimizer, totals, critic, updates }: LearnerState): void {
    this.optimizer.restore(optimizer);
    writeTensor(this.device, this.totals, totals);
    this.updates = updates;
    if (critic) this.critic?.optimizer.restore(critic);
  }

  destroy(): void {
    for (const part of [this.optimizer, this.norms, this.reference, this.critic, this.inputs]) part?.destroy();
    for (const plan of this.sealed) plan.destroy();
    for (const reader of [this.totalsReader, this.statsReader]) reader.destroy();
    for (const { buffer } of [this.settings, this.totals]) buffer.destroy();
  }
}

function plansOf([model, policy, imitation, totals]: readonly Plan[], critic: Critic | null): Plans {
  const valueForward = critic?.forward ?? [];
  const valueBackward = critic?.backward ?? [];
  const valueLoss = [...valueForward, ...(critic?.loss ?? [])];
  const backward = [...model.backward, ...valueBackward];
  return {
    policy: [...model.forward, ...policy.forward, ...totals.forward, ...valueLoss, ...backward],
    critic: critic?.isShared ? [...model.forward, ...valueLoss, ...model.backward] : [...valueLoss, ...valueBackward],
    values: critic?.isShared === false ? valueForward : model.forward,
    crossEntropy: [...model.forward, ...imitation.forward, ...totals.forward, ...model.backward],
    score: [...model.forward, ...policy.forward],
  };
}
