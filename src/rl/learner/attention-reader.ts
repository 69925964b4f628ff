/**
 * Reads where the heads look as the weights of a store predict one token of a rollout, and what they predict there: a
 * forward pass with a plan of its own, so no tensor of the learner changes. Built on first use.
 */
import { Commands, readTensor } from '../../device/commands';
import type { Device } from '../../device/device';
import { Tape, type Plan } from '../../device/tape';
import { writeTensor, type Tensor } from '../../device/tensor';
import { assert } from '../../lib/assert';
import { exp } from '../../lib/portable-math';
import type { Network } from '../../model/model';
import type { ParameterStore } from '../../model/parameters';
import type { HeadLayout } from '../../ops/attention';
import { Rows } from '../../ops/rows';
import { batchInputs, type BatchInputs } from './batch-inputs';
import { pack } from './packing';
import { trajectorySegments, type SampledStep } from './segments';
import { logProbsOf, readingOf, type TokenReading } from './token-reader';

/** Which token of the agent: its step, and its place among the action tokens of that step. From 0. */
export interface TokenPlace {
  readonly step: number;
  readonly index: number;
}

/** What is asked of the place of a token. */
export interface TokenQuestion extends TokenPlace {
  /** Another token, which might have been written there. */
  readonly rival?: number;
  /** Of the logits: that of practice if not given. Greedy answers log their tokens by 1. */
  readonly temperature?: number;
}

/** What was predicted in the place of a token, and where the heads looked for it. */
export interface AttentionReading extends Omit<TokenReading, 'reference'> {
  /** Log-probability of the rival; null without one. */
  readonly rival: number | null;
  /** Its prompt begins the segment: tokens of earlier steps are not seen. */
  readonly firstStep: number;
  /** [layers][heads], each of the tokens of the segment before the predicted one; a row adds up to 1. */
  readonly weights: readonly (readonly Float32Array[])[];
}

export class AttentionReader {
  private readonly inputs: BatchInputs;
  private readonly site: Tensor; // u32 [1]
  private readonly logits: Tensor; // [1, V]
  private readonly plan: Plan;
  /** What the attention of each layer reads, once so many dispatches have run: the next layer may write over it. */
  private readonly watched: { readonly qkv: Tensor; readonly layout: HeadLayout; readonly dispatches: number }[] = [];

  /** Await `Device.compiled` before the first reading. @param capacity positions of the longest segment */
  constructor(
    private readonly device: Device,
    store: ParameterStore,
    private readonly network: Network,
    private readonly capacity: number,
  ) {
    const tape = new Tape(device, false);
    const inputs = (this.inputs = batchInputs(tape, capacity, network.patchLength));
    const site = (this.site = tape.constant('site', [1], 'u32'));
    const usedSites = new Rows(tape, 1);
    const recorded = network.build(tape, store);
    const hidden = recorded.atSites({ ...inputs, site, usedSites }, (qkv, layout) =>
      this.watched.push({ qkv, layout, dispatches: tape.dispatches }),
    );
    this.logits = recorded.logits(hidden, usedSites);
    this.plan = tape.seal();
  }

  async read(
    steps: readonly SampledStep[],
    { step, index, rival }: Omit<TokenQuestion, 'temperature'>,
    temperature: number,
  ): Promise<AttentionReading> {
    const segment = trajectorySegments({ steps }, 0, true).findLast((each) => each.step[0] <= step);
    assert(segment, () => `the rollout has no step ${step}`);
    const at = segment.sampled.findIndex(
      (own, i) => own === 1 && segment.step[i] === step && segment.index[i] === index,
    );
    assert(at > 0, () => `step ${step} has no token ${index} of the agent`);
    const inLoss = segment.inLoss.map((_, i) => Number(i === at));
    const shape = { capacity: this.capacity, aggregation: 'token-mean', lengthNorm: 1 } as const;
    const [micro] = pack([{ ...segment, inLoss }], shape).microBatches;
    this.inputs.upload(micro);
    writeTensor(this.device, this.site, Uint32Array.from(micro.site));
    const weights: Float32Array[][] = [];
    let done = 0;
    for (const { qkv, layout, dispatches } of this.watched) {
      this.run(done, dispatches);
      done = dispatches;
      weights.push(attentionRows(await readTensor(this.device, qkv), micro.site[0], layout));
    }
    this.run(done);
    const logits = await readTensor(this.device, this.logits);
    const logProbs = logProbsOf(logits, 0, this.network.vocabulary, temperature);
    const asked = rival === undefined ? null : logProbs[rival];
    return { ...readingOf(logProbs, segment.tokens[at]), rival: asked, firstStep: segment.step[0], weights };
  }

  private run(from: number, to?: number): void {
    new Commands(this.device).run(this.plan.forward.slice(from, to)).submit();
  }

  destroy(): void {
    this.plan.destroy();
  }
}

/** The softmax of each head from one token over those up to it, in float64. @param qkv [N, (H+2Hk)E], rotated */
function attentionRows(qkv: Float32Array, query: number, { heads, kvHeads, headSize }: HeadLayout): Float32Array[] {
  const width = (heads + 2 * kvHeads) * headSize;
  return Array.from({ length: heads }, (_, head) => {
    const asked = query * width + head * headSize;
    const key = (heads + Math.floor(head / (heads / kvHeads))) * headSize;
    const scores = Float64Array.from({ length: query + 1 }, (_, token) => {
      let sum = 0;
      for (let i = 0; i < headSize; i++) sum += qkv[asked + i] * qkv[token * width + key + i];
      return sum / Math.sqrt(headSize);
    });
    const most = scores.reduce((a, b) => (a > b ? a : b));
    const shares = scores.map((score) => exp(score - most));
    const all = shares.reduce((sum, share) => sum + share, 0);
    return Float32Array.from(shares, (share) => share / all);
  });
}
