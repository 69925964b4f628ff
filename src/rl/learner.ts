/**
 * The learner: one model's training plan over packed micro-batches. Replays forward, loss and backward, adds gradients up, and
 * lets AdamW take a step; scores batches under the current or the starting weights. One submission a micro-batch, and after the
 * first step nothing is allocated. Knows no trajectory, no reward and no schedule.
 */
import { Commands, Reader, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { profile, type KernelTime } from '../gpu/profiler';
import { Tape, type Plan } from '../gpu/tape';
import { createTensor, writeTensor, type Tensor } from '../gpu/tensor';
import { assert } from '../lib/assert';
import { AdamW, type AdamWSettings } from '../model/adamw';
import type { ParameterStore } from '../model/parameters';
import type { ModelShape } from '../model/shape';
import { attendPacked, head, transformer } from '../model/transformer';
import { crossEntropy } from '../ops/cross-entropy';
import { gatherRows } from '../ops/gather-rows';
import { lossTotals, totalsLength } from '../ops/loss-totals';
import { policyLoss, policySettings, statsPerSite, writePolicySettings, type LossTerms, type PolicyLossSettings } from '../ops/policy-loss';
import type { MicroBatch, PackedBatch } from './packing';

/** Means over the sites of everything learned from since the totals were last taken; null if there was no site. */
export interface LossReport {
  readonly sites: number;
  /** Sum of weighted losses, divided by the number of updates. */
  readonly loss: number;
  readonly entropy: number;
  readonly clipFraction: number;
  /** Gradient norm before clipping, of the last update that was not skipped. */
  readonly gradientNorm: number;
  /** Updates skipped because the loss or the gradient held NaN or infinity. */
  readonly skipped: number;
}

/** What a learner's next step and report depend on, beside the parameter store. */
export interface LearnerState {
  readonly optimizer: Float32Array; // [8]
  readonly totals: Float32Array; // [12]
  /** Updates in the totals. */
  readonly updates: number;
}

/** What a mini-batch's sites are scored as. */
export interface SiteScores {
  readonly logProbs: Float32Array; // [N]
  readonly entropies: Float32Array; // [N]
}

const unusedSite = 0xffffffff;
/** Skipped updates in the optimizer's state. */
const skippedColumn = 5;

export class Learner {
  readonly optimizer: AdamW;
  private readonly settings: Tensor;
  private readonly inputs: Inputs;
  readonly totals: Tensor; // [12]
  private readonly totalsReader: Reader;
  private readonly stateReader: Reader;
  private readonly statsReader: Reader;
  private readonly saved: Tensor;
  /** Weights that KL is measured from. */
  readonly start: Tensor;
  private updates = 0;
  /** Skipped updates that were reported. */
  private skippedBefore = 0;
  private activeSites = 0;
  private plans!: {
    readonly model: Plan;
    readonly policyLoss: Plan;
    readonly policy: readonly Dispatch[];
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
    const input = (name: string, shape: readonly number[], type: 'u32' | 'f32' = 'u32') => createTensor(device, name, shape, { type });
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
    this.totalsReader = new Reader(device, this.totals);
    this.stateReader = new Reader(device, this.optimizer.state);
    this.statsReader = new Reader(device, this.inputs.stats);
    this.saved = createTensor(device, 'weights while others are scored', [store.size]);
    this.start = createTensor(device, 'starting weights', [store.size]);
  }

  /** Builds the plan and waits for its kernels, reporting (done, total). `terms` say which policy loss; the clipped one if not given. */
  static async create(
    device: Device,
    store: ParameterStore,
    shape: ModelShape,
    rows: number,
    length: number,
    onProgress?: (done: number, total: number) => void,
    terms?: LossTerms,
  ): Promise<Learner> {
    const learner = new Learner(device, store, rows, length);
    const { inputs } = learner;
    const tape = new Tape(device, true);
    const active = () => learner.activeSites;
    const hidden = transformer(tape, store, shape, inputs.tokens, attendPacked(tape, shape, rows, length, inputs)); // [N, D]
    const predicted = gatherRows(tape, hidden, inputs.site); // [M, D]
    const logits = head(tape, store, shape, predicted, active); // [M, V]
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
    learner.plans = {
      model,
      policyLoss: policyPlan,
      policy: [...model.forward, ...loss.policy, ...loss.totals, ...model.backward],
      crossEntropy: [...model.forward, ...loss.imitation, ...loss.totals, ...model.backward],
      score: [...model.forward, ...loss.policy],
    };
    return learner;
  }

  /** One optimizer step of the policy loss on a whole mini-batch. `reference` fills in log-probs of the starting weights for KL. */
  policyStep(batch: PackedBatch, loss: PolicyLossSettings, optimizer: AdamWSettings, reference?: readonly Float32Array[]): void {
    writePolicySettings(this.device, this.settings, loss);
    this.step(batch, this.plans.policy, optimizer, reference);
  }

  /** One optimizer step of cross-entropy. */
  imitationStep(batch: PackedBatch, optimizer: AdamWSettings): void {
    this.step(batch, this.plans.crossEntropy, optimizer);
  }

  private step(
    { microBatches }: PackedBatch,
    plan: readonly Dispatch[],
    optimizer: AdamWSettings,
    reference?: readonly Float32Array[],
  ): void {
    this.optimizer.configure(optimizer);
    microBatches.forEach((micro, i) => {
      this.upload(micro, reference?.[i]);
      const last = i === microBatches.length - 1;
      new Commands(this.device)
        .clear(this.plans.model.gradients)
        .run(last ? [...plan, ...this.optimizer.dispatches] : plan)
        .submit();
    });
    if (microBatches.length > 0) this.updates++;
  }

  /** Log-probs and entropies of every site of every micro-batch, at a temperature, under the current or the starting weights. */
  async score({ microBatches }: PackedBatch, temperature: number, weights: 'current' | 'start'): Promise<SiteScores[]> {
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
      if (weights === 'start') commands.copy(this.store.value, this.saved).copy(this.start, this.store.value);
      commands.run(this.plans.score).read(this.statsReader);
      if (weights === 'start') commands.copy(this.saved, this.store.value);
      commands.submit();
      const stats = await this.statsReader.result();
      const column = (offset: number) => Float32Array.from(micro.site, (_, n) => stats[n * statsPerSite + offset]);
      scores.push({ logProbs: column(0), entropies: column(1) });
    }
    return scores;
  }

  /** GPU time of each kernel in one imitation step of the batch's first micro-batch. The gradients it leaves are not used. */
  profile({ microBatches: [micro] }: PackedBatch): Promise<KernelTime[]> {
    this.upload(micro);
    return profile(this.device, this.plans.crossEntropy);
  }

  /** Makes the current weights those that KL is measured from. */
  rememberStart(): void {
    new Commands(this.device).copy(this.store.value, this.start).submit();
  }

  /** Means since the last report, in one readback; waits for all submitted steps. */
  async report(): Promise<LossReport> {
    new Commands(this.device).read(this.totalsReader).read(this.stateReader).clear([this.totals]).submit();
    const [totals, state] = [await this.totalsReader.result(), await this.stateReader.result()];
    const sites = totals[0];
    const skipped = state[skippedColumn] - this.skippedBefore;
    this.skippedBefore = state[skippedColumn];
    // A skipped update may have added nothing to the totals.
    const updates = Math.max(1, this.updates - skipped);
    this.updates = 0;
    const mean = (sum: number) => (sites > 0 ? sum / sites : 0);
    return {
      sites,
      loss: totals[1] / updates,
      entropy: mean(totals[3]),
      clipFraction: mean(totals[7]),
      gradientNorm: state[2],
      skipped,
    };
  }

  /** Updates since the last report. */
  get unreported(): number {
    return this.updates;
  }

  /** Goes on from a saved state; the parameter store and `start` are written by the caller. */
  restore({ optimizer, totals, updates }: LearnerState): void {
    writeTensor(this.device, this.optimizer.state, optimizer);
    writeTensor(this.device, this.totals, totals);
    this.updates = updates;
    this.skippedBefore = optimizer[skippedColumn];
  }

  private upload(micro: MicroBatch, reference?: Float32Array): void {
    const { device, inputs } = this;
    const capacity = this.rows * this.length;
    const N = micro.site.length;
    assert(micro.tokens.length === capacity, `a micro-batch of ${micro.tokens.length} positions, but the plan has ${capacity}`);
    this.activeSites = Math.max(1, N);
    const site = new Uint32Array(capacity).fill(unusedSite);
    site.set(micro.site);
    const targets = new Uint32Array(capacity);
    targets.set(micro.target);
    const sequences = new Uint32Array(capacity * 2);
    sequences.set(micro.sequence);
    const labels = new Float32Array(capacity * 4);
    for (let n = 0; n < N; n++) {
      const old = micro.oldLogProb[n];
      labels.set([old, reference ? reference[n] : old, micro.advantage[n], micro.weight[n]], n * 4);
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
    for (const tensor of [...Object.values(this.inputs), this.settings, this.totals, this.saved, this.start]) tensor.buffer.destroy();
    for (const reader of [this.totalsReader, this.stateReader, this.statsReader]) reader.destroy();
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
