/**
 * Reads what the weights of a run say of each token of one rollout, beside training: a forward pass with a plan of its
 * own, so no tensor of the learner changes. Built on first use; knows no reward and no loss.
 */
import { Commands, Reader } from '../../device/commands';
import type { Device } from '../../device/device';
import { Tape, type Plan } from '../../device/tape';
import { exp, log } from '../../lib/portable-math';
import type { Network, Reference } from '../../model/model';
import type { ParameterStore } from '../../model/parameters';
import { batchInputs, type BatchInputs } from './batch-inputs';
import { pack, type MicroBatch } from './packing';
import { trajectorySegments, type SampledStep } from './segments';

/** What the weights say of one token. Probabilities are those of softmax(logits / temperature). */
export interface TokenReading {
  readonly logProb: number;
  /** Log-probability under the reference. */
  readonly reference: number;
  /** The likeliest tokens, the best first. */
  readonly likeliest: readonly { readonly id: number; readonly probability: number }[];
}

/** How many of the likeliest tokens are read: five others, and the token itself if it is among them. */
const listed = 6;

export class TokenReader {
  private readonly inputs: BatchInputs;
  private readonly plan: Plan;
  private readonly reader: Reader;

  /** Await `Device.compiled` before the first reading. @param capacity positions of the longest segment */
  constructor(
    private readonly device: Device,
    store: ParameterStore,
    private readonly reference: Reference,
    private readonly network: Network,
    private readonly capacity: number,
  ) {
    const tape = new Tape(device, false);
    const inputs = (this.inputs = batchInputs(tape, capacity, network.patchLength));
    const recorded = network.build(tape, store);
    const logits = recorded.logits(recorded.atSites(inputs), inputs.usedSites); // [M, V]
    this.plan = tape.seal();
    this.reader = new Reader(device, logits);
  }

  /** Every action token. @returns [steps][action tokens] */
  async read(steps: readonly SampledStep[], temperature: number): Promise<TokenReading[][]> {
    const segments = trajectorySegments({ steps }, 0, true);
    const readings = steps.map(({ action }) => new Array<TokenReading>(action.tokens.length));
    const shape = { capacity: this.capacity, aggregation: 'token-mean', lengthNorm: 1 } as const;
    const { vocabulary } = this.network;
    for (const micro of pack(segments, shape).microBatches) {
      const now = await this.logits(micro, false);
      const start = await this.logits(micro, true);
      micro.site.forEach((at, n) => {
        const { step, index } = segments[micro.segment[n]];
        const token = micro.positions[at] + 1;
        const target = micro.target[n];
        const reference = logProbsOf(start, n, vocabulary, temperature)[target];
        const reading = readingOf(logProbsOf(now, n, vocabulary, temperature), target);
        readings[step[token]][index[token]] = { ...reading, reference };
      });
    }
    return readings;
  }

  /** Logits of the sites under the current or the reference weights. [M, V] */
  private async logits(micro: MicroBatch, reference: boolean): Promise<Float32Array> {
    this.inputs.upload(micro);
    const commands = new Commands(this.device);
    if (reference) this.reference.run(commands, this.plan.forward);
    else commands.run(this.plan.forward);
    commands.read(this.reader).submit();
    return this.reader.result();
  }

  destroy(): void {
    this.plan.destroy();
    this.reader.destroy();
  }
}

/** Log-probabilities of all tokens at a site, in float64. */
export function logProbsOf(logits: Float32Array, site: number, vocabulary: number, temperature: number): Float64Array {
  const row = Float64Array.from(logits.subarray(site * vocabulary, (site + 1) * vocabulary), (x) => x / temperature);
  const most = row.reduce((a, b) => (a > b ? a : b));
  const logSum = most + log(row.reduce((sum, x) => sum + exp(x - most), 0));
  return row.map((x) => x - logSum);
}

export function readingOf(logProbs: Float64Array, target: number): Omit<TokenReading, 'reference'> {
  const order = [...logProbs.keys()].sort((a, b) => logProbs[b] - logProbs[a]);
  return {
    logProb: logProbs[target],
    likeliest: order.slice(0, listed).map((id) => ({ id, probability: exp(logProbs[id]) })),
  };
}
