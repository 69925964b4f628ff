/**
 * The critic: a value before each site's token, and its clipped value loss. Either a head on the policy's last hidden
 * state, or a network of its own that starts as a copy of the policy. It has its own parameters, moments and rate; with
 * a shared trunk its gradient also flows into the policy's.
 */
import { Commands, Reader, type Dispatch } from '../../gpu/commands';
import type { Device } from '../../gpu/device';
import { Tape, type Plan } from '../../gpu/tape';
import { createTensor, viewTensor, writeTensor, type Tensor } from '../../gpu/tensor';
import { assert } from '../../lib/assert';
import { AdamW, type AdamWReport } from '../../model/adamw';
import { ParameterStore } from '../../model/parameters';
import { parameterSpecs, type ModelShape } from '../../model/shape';
import { attendPacked, transformer, valueHead, type PackedPositions } from '../../model/transformer';
import { gatherRows } from '../../ops/gather-rows';
import { valueLoss, valueTotals } from '../../ops/value-loss';
import type { RunConfig } from '../config/config';
import type { MicroBatch } from './packing';

export type CriticSettings = Pick<RunConfig['critic'], 'network' | 'clip'>;

/** What a critic reads of its learner. */
export interface CriticPlace {
  readonly rows: number;
  readonly length: number;
  readonly inputs: PackedPositions & { readonly tokens: Tensor; readonly site: Tensor };
  /** The policy's tape and its hidden states at the sites [M, D]; a shared critic continues them. */
  readonly tape: Tape;
  readonly predicted: Tensor;
}

export class Critic {
  readonly store: ParameterStore;
  readonly optimizer: AdamW;
  private readonly labels: Tensor; // [M, 4]
  private readonly stats: Tensor; // [M, 2]
  private readonly totals: Tensor; // [2]
  private readonly values: Tensor; // [M, 1]
  private readonly readers: { readonly values: Reader; readonly totals: Reader };
  /** Its own trunk; null for a head on the policy's. */
  private readonly network: Plan | null;
  private readonly lossPlan: Plan;

  /** Appends a shared head to the policy's tape, so the tape must not be sealed yet. */
  constructor(
    private readonly device: Device,
    shape: ModelShape,
    { network, clip }: CriticSettings,
    { rows, length, inputs, tape, predicted }: CriticPlace,
  ) {
    const sites = rows * length;
    const specs = parameterSpecs({ ...shape, valueHead: true });
    const shared = network === 'shared';
    this.store = new ParameterStore(device, shared ? specs.filter(({ name }) => name.startsWith('value.')) : specs);
    this.optimizer = new AdamW(device, this.store);
    this.labels = createTensor(device, 'value labels', [sites, 4]);
    this.stats = createTensor(device, 'value statistics', [sites, 2]);
    this.totals = createTensor(device, 'value totals', [2]);
    const own = shared ? null : new Tape(device, true);
    this.values = valueHead(own ?? tape, this.store, own ? this.hidden(own, shape, rows, length, inputs) : predicted);
    this.network = own && own.seal();
    const loss = new Tape(device, false);
    valueLoss(loss, this.values, this.labels, this.stats, clip);
    valueTotals(loss, this.labels, this.stats, this.totals);
    this.lossPlan = loss.seal();
    this.readers = { values: new Reader(device, this.values), totals: new Reader(device, this.totals) };
  }

  private hidden(tape: Tape, shape: ModelShape, rows: number, length: number, inputs: CriticPlace['inputs']): Tensor {
    const hidden = transformer(tape, this.store, shape, inputs.tokens, attendPacked(tape, shape, rows, length, inputs));
    return gatherRows(tape, hidden, inputs.site);
  }

  /** Whether the policy's tape computes the values. */
  get isShared(): boolean {
    return this.network === null;
  }

  /** Values from hidden states; nothing if the policy's own forward pass has them. */
  get forward(): readonly Dispatch[] {
    return this.network?.forward ?? [];
  }

  get loss(): readonly Dispatch[] {
    return this.lossPlan.forward;
  }

  get backward(): readonly Dispatch[] {
    return this.network?.backward ?? [];
  }

  /** To be cleared before each replay. */
  get gradients(): readonly Tensor[] {
    return this.network?.gradients ?? [];
  }

  /** Resets the critic: the policy's trunk if it has a network of its own, a head of zeros, no moments. */
  begin(policy: ParameterStore): void {
    this.store.initialise(0);
    if (this.isShared) return;
    // The value head is two vectors, and vectors come last in a store.
    const own = this.store.ranges();
    const leads = policy.ranges().every(([first], i) => own[i][0] === first);
    assert(leads, 'the critic’s parameters do not begin with the policy’s');
    const trunk = viewTensor(this.store.value, 'critic trunk', 0, [policy.size]);
    new Commands(this.device).copy(policy.value, trunk).submit();
  }

  /** @param coefficient weight of the value loss */
  upload(micro: MicroBatch, coefficient: number): void {
    const labels = new Float32Array(this.labels.sizeBytes / 4);
    for (let n = 0; n < micro.site.length; n++)
      labels.set([micro.value[n], micro.valueTarget[n], coefficient, micro.valueWeight[n]], n * 4);
    writeTensor(this.device, this.labels, labels);
  }

  /** Encodes a readback of the values; `readValues` then gives them. */
  encodeValues(commands: Commands): Commands {
    return commands.read(this.readers.values);
  }

  /** [N] of the last submission that encoded them. */
  async readValues({ site }: MicroBatch): Promise<Float32Array> {
    return (await this.readers.values.result()).slice(0, site.length);
  }

  /** Encodes a readback of the totals and the optimizer for `report`, and clears the totals. */
  encodeReport(commands: Commands): Commands {
    return this.optimizer.encodeReport(commands.read(this.readers.totals)).clear([this.totals]);
  }

  /** Sums of mean loss and clip fraction since the last report, and what the optimizer did. */
  async report(): Promise<{ readonly loss: number; readonly clipFraction: number } & AdamWReport> {
    const [loss, clipFraction] = await this.readers.totals.result();
    return { loss, clipFraction, ...(await this.optimizer.report()) };
  }

  destroy(): void {
    for (const plan of [this.network, this.lossPlan]) plan?.destroy();
    this.optimizer.destroy();
    this.store.destroy();
    for (const reader of Object.values(this.readers)) reader.destroy();
    for (const tensor of [this.labels, this.stats, this.totals]) tensor.buffer.destroy();
  }
}
