/**
 * One model's training plan over packed micro-batches. Replays forward, loss and backward, adds gradients up, and lets
 * AdamW take a step; scores batches under the current or the reference weights. One submission a micro-batch; after the
 * first step nothing is allocated. Knows no trajectory, no reward and no schedule.
 */
import { Commands, Reader } from '../../device/commands';
import type { Device, Dispatch, KernelTime } from '../../device/device';
import { Tape, type Plan } from '../../device/tape';
import { writeTensor, type Tensor } from '../../device/tensor';
import { assert } from '../../lib/assert';
import { AdamW, type AdamWSettings } from '../../model/adamw';
import { GradientNorms } from '../../model/gradient-norms';
import type { Network, Reference } from '../../model/model';
import type { ParameterStore } from '../../model/parameters';
import { crossEntropy } from '../../ops/cross-entropy';
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
import { needsSlices, sliceLogits } from '../../ops/vocabulary-slices';
import { batchInputs, type BatchInputs } from './batch-inputs';
import { Critic, type CriticSettings } from './critic';
import { lossReport, type LossReport } from './loss-report';
import type { PackedBatch } from './packing';

export interface LearnerOptions {
  /** Positions of a micro-batch (N), and of the longest segment. */
  readonly capacity: number;
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

/** What scoring needs of a loss's settings, beside the temperature. */
const noLoss = { clipLow: 0, clipHigh: 0, dualClip: 1, klCoefficient: 0, entropyCoefficient: 0 };

export class Learner {
  readonly capacity: number;
  readonly optimizer: AdamW;
  readonly critic: Critic | null;
  readonly reference: Reference;
  readonly totals: Tensor; // [12]
  /** Updates of the policy since the last report. */
  unreported = 0;
  /** Updates of the critic since the last report. */
  private criticUpdates = 0;
  private readonly inputs: BatchInputs;
  private readonly norms: GradientNorms;
  private readonly settings: Tensor;
  private readonly totalsReader: Reader;
  private readonly statsReader: Reader;
  private readonly sealed: readonly Plan[];
  private readonly plans: ReturnType<typeof plansOf>;

  /** Await `Device.compiled` before the first step. */
  constructor(
    readonly device: Device,
    private readonly store: ParameterStore,
    network: Network,
    { capacity, terms, critic }: LearnerOptions,
  ) {
    this.capacity = capacity;
    const model = new Tape(device, true);
    // The losses train: of logits in slices they have the gradient.
    const imitation = new Tape(device, true);
    const totals = new Tape(device, false);
    const inputs = (this.inputs = batchInputs(model, capacity, network.patchLength));
    this.settings = policySettings(device);
    this.totals = totals.constant('loss totals', [totalsLength]);
    this.optimizer = new AdamW(device, store);
    this.norms = new GradientNorms(device, store);
    this.reference = network.reference(device, store);
    this.totalsReader = new Reader(device, this.totals);
    this.statsReader = new Reader(device, inputs.stats);
    const trained = network.build(model, store);
    const predicted = trained.atSites(inputs); // [M, D]
    const logits = needsSlices(capacity, network.vocabulary)
      ? sliceLogits(model, predicted, trained.headWeight, inputs.usedSites)
      : trained.logits(predicted, inputs.usedSites); // [M, V]
    this.critic = critic ? new Critic(device, { network, store }, critic, inputs, model, predicted) : null;
    const policyPlan = (training: boolean, hasBonus: boolean) => {
      const tape = new Tape(device, training);
      policyLoss(tape, logits, inputs, this.settings, inputs.usedSites, { ...terms, hasBonus });
      return tape.seal();
    };
    crossEntropy(imitation, logits, inputs, inputs.usedSites);
    lossTotals(totals, inputs.sites, inputs.stats, this.totals, this.optimizer.veto);
    const policyWithBonus = policyPlan(true, true);
    // Only of logits in slices do these differ.
    const [policy, score] =
      'slices' in logits ? [policyPlan(true, false), policyPlan(false, false)] : [policyWithBonus, policyWithBonus];
    const sealed = {
      model: model.seal(),
      policy,
      policyWithBonus,
      score,
      imitation: imitation.seal(),
      totals: totals.seal(),
    };
    this.sealed = [...new Set(Object.values(sealed))];
    this.plans = plansOf(sealed, this.critic);
  }

  /** One optimizer step of the policy loss on a whole mini-batch, and of the critic if there is one. */
  policyStep(batch: PackedBatch, loss: PolicyLossSettings, optimizer: AdamWSettings, critic?: CriticStep): void {
    writePolicySettings(this.device, this.settings, loss);
    this.optimizer.configure(optimizer);
    const plan = loss.entropyCoefficient === 0 ? this.plans.policy : this.plans.policyWithBonus;
    this.step(batch, plan, [...this.norms.dispatches, ...this.optimizer.dispatches], critic);
    this.unreported += Math.min(1, batch.microBatches.length);
  }

  /** One optimizer step of cross-entropy. */
  imitationStep(batch: PackedBatch, optimizer: AdamWSettings): void {
    this.optimizer.configure(optimizer);
    this.step(batch, this.plans.imitation, this.optimizer.dispatches);
    this.unreported += Math.min(1, batch.microBatches.length);
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
        .clear([...this.plans.gradients, ...(critic?.network?.gradients ?? [])])
        .run([...plan, ...last])
        .clear(unused)
        .submit();
    });
    if (critic && microBatches.length > 0) this.criticUpdates++;
  }

  /** The critic's values before the token of every site of every micro-batch. */
  async values({ microBatches }: PackedBatch): Promise<Float32Array[]> {
    const { critic } = this;
    assert(critic, 'this learner has no critic');
    const values: Float32Array[] = [];
    for (const micro of microBatches) {
      this.inputs.upload(micro);
      new Commands(this.device).run(this.plans.values).read(critic.values).submit();
      values.push((await critic.values.result()).slice(0, micro.site.length));
    }
    return values;
  }

  /**
   * Log-probs and entropies [N] of the sites of every micro-batch, at a temperature, under the current or the reference
   * weights.
   */
  async score({ microBatches }: PackedBatch, temperature: number, weights: 'current' | 'reference') {
    writePolicySettings(this.device, this.settings, { ...noLoss, temperature });
    const scores: { readonly logProbs: Float32Array; readonly entropies: Float32Array }[] = [];
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
    return this.device.profile(this.plans.imitation);
  }

  /**
   * Rounds the current weights to half precision and makes them the reference policy and the critic's first weights.
   * Await before training.
   */
  async setReference(): Promise<void> {
    await this.reference.capture();
    this.critic?.begin(this.store);
  }

  /** Means since the last report, in one readback; waits for all submitted steps. */
  async report(): Promise<LossReport> {
    const commands = new Commands(this.device).read(this.totalsReader).read(this.norms.reader).clear([this.totals]);
    commands.read(this.optimizer.reader);
    this.critic?.encodeReport(commands);
    commands.submit();
    const updates = { policy: this.unreported, critic: this.criticUpdates };
    const totals = readTotals(await this.totalsReader.result());
    const norms = await this.norms.result();
    const optimizer = await this.optimizer.report();
    const critic = await this.critic?.report();
    this.unreported = 0;
    this.criticUpdates = 0;
    return lossReport(updates, totals, norms, optimizer, critic);
  }

  /** Sums over the sites learned from since the last report, by the names of the shader's fields. */
  async sums(): Promise<Record<string, number>> {
    new Commands(this.device).read(this.totalsReader).submit();
    return readTotals(await this.totalsReader.result());
  }

  /**
   * Continues from a saved state; parameter stores and `reference` are written by the caller.
   * @param saved states of the optimizer [8], of the critic's [8], the totals [12] and the updates in them
   */
  restore(saved: { optimizer: Float32Array; totals: Float32Array; critic?: Float32Array; updates: number }): void {
    this.optimizer.restore(saved.optimizer);
    if (saved.critic) this.critic?.optimizer.restore(saved.critic);
    writeTensor(this.device, this.totals, saved.totals);
    this.unreported = saved.updates;
  }

  destroy(): void {
    const { optimizer, norms, reference, critic, sealed, totalsReader, statsReader } = this;
    for (const part of [optimizer, norms, reference, critic, ...sealed, totalsReader, statsReader]) part?.destroy();
    this.settings.buffer.destroy();
  }
}

type Sealed = Readonly<Record<'model' | 'policy' | 'policyWithBonus' | 'score' | 'imitation' | 'totals', Plan>>;

/** The dispatches of a micro-batch for each kind of step and of score. */
function plansOf({ model, policy, policyWithBonus, score, imitation, totals }: Sealed, critic: Critic | null) {
  const network = critic?.network ?? model;
  const separate = critic?.network ?? { forward: [], backward: [] };
  const valueLoss = critic?.loss.forward ?? [];
  const policyStep = (loss: Plan) => [
    ...model.forward,
    ...loss.forward,
    ...totals.forward,
    ...separate.forward,
    ...valueLoss,
    ...loss.backward,
    ...model.backward,
    ...separate.backward,
  ];
  return {
    policy: policyStep(policy),
    policyWithBonus: policyStep(policyWithBonus),
    critic: [...network.forward, ...valueLoss, ...network.backward],
    imitation: [...model.forward, ...imitation.forward, ...totals.forward, ...imitation.backward, ...model.backward],
    values: network.forward,
    score: [...model.forward, ...score.forward],
    /** To be cleared before each replay. */
    gradients: model.gradients,
  };
}
