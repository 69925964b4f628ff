/**
 * The critic: a value before each site's token, and its clipped value loss. Either a head on the policy's last hidden
 * state, or a network of its own that starts as a copy of the policy. It has its own parameters, moments and rate; with
 * a shared trunk its gradient also flows into the policy's.
 */
import { Commands, Reader } from '../../device/commands';
import type { Device } from '../../device/device';
import { Tape, type Plan } from '../../device/tape';
import { viewTensor, writeTensor, type Tensor } from '../../device/tensor';
import { assert } from '../../lib/assert';
import { AdamW } from '../../model/adamw';
import { ParameterStore } from '../../model/parameters';
import type { Network, PackedTokens } from '../../model/model';
import { valueHead, valueSpecs } from '../../model/value-head';
import { valueLoss, valueTotals } from '../../ops/value-loss';
import type { RunConfig } from '../../config/config';
import type { MicroBatch } from './packing';

export type CriticSettings = Pick<RunConfig['critic'], 'network' | 'clip'>;

export class Critic {
  readonly store: ParameterStore;
  readonly optimizer: AdamW;
  /** Reads the value before each site's token. [M] */
  readonly values: Reader;
  /** Of its own network; null if the policy's tape computes the values. */
  readonly network: Plan | null;
  readonly loss: Plan;
  private readonly labels: Tensor; // [M, 4]
  private readonly totals: Tensor; // [2]
  private readonly totalsReader: Reader;

  /**
   * Appends a shared head to the policy's tape, so the tape must not be sealed yet.
   * @param batch the policy's, whose sites it values
   * @param tape the policy's
   * @param predicted the policy's hidden states at the sites [M, D]
   */
  constructor(
    private readonly device: Device,
    policy: { readonly network: Network; readonly store: ParameterStore },
    { network, clip }: CriticSettings,
    batch: PackedTokens,
    tape: Tape,
    predicted: Tensor,
  ) {
    const head = valueSpecs(policy.network.width);
    this.store =
      network === 'shared'
        ? new ParameterStore(device, head)
        : new ParameterStore(device, [...policy.network.specs, ...head], policy.store);
    this.optimizer = new AdamW(device, this.store);
    const own = network === 'shared' ? null : new Tape(device, true);
    const hidden = own ? policy.network.build(own, this.store).atSites(batch) : predicted;
    const values = valueHead(own ?? tape, this.store, hidden);
    this.network = own && own.seal();
    const loss = new Tape(device, false);
    const [sites] = batch.site.shape;
    this.labels = loss.constant('value labels', [sites, 4]);
    this.totals = loss.constant('value totals', [2]);
    const stats = loss.constant('value statistics', [sites, 2]);
    valueLoss(loss, values, this.labels, stats, clip);
    valueTotals(loss, this.labels, stats, this.totals);
    this.loss = loss.seal();
    this.values = new Reader(device, values);
    this.totalsReader = new Reader(device, this.totals);
  }

  /** Resets the critic: the policy's trunk if it has a network of its own, a head of zeros, no moments. */
  begin(policy: ParameterStore): void {
    this.store.initialise(0);
    if (!this.network) return;
    // The value head is two vectors, and vectors come last in a store.
    const own = this.store.ranges();
    const leads = policy.ranges().every(([first], i) => own[i][0] === first);
    assert(leads, 'the critic’s parameters do not begin with the policy’s');
    const trunk = viewTensor(this.store.value, 'critic trunk', 0, [policy.size]);
    new Commands(this.device).copy(policy.value, trunk).submit();
  }

  /** @param coefficient weight of the value loss */
  upload({ value, valueTarget, valueWeight }: MicroBatch, coefficient: number): void {
    const labels = new Float32Array(this.labels.sizeBytes / 4);
    value.forEach((old, n) => labels.set([old, valueTarget[n], coefficient, valueWeight[n]], n * 4));
    writeTensor(this.device, this.labels, labels);
  }

  /** Encodes a readback of the totals and the optimizer for `report`, and clears the totals. */
  encodeReport(commands: Commands): void {
    commands.read(this.totalsReader).read(this.optimizer.reader).clear([this.totals]);
  }

  /** Sums of mean loss and clip fraction since the last report, and what the optimizer did. */
  async report() {
    const [loss, clipFraction] = await this.totalsReader.result();
    return { loss, clipFraction, ...(await this.optimizer.report()) };
  }

  destroy(): void {
    const { network, loss, optimizer, store, values, totalsReader } = this;
    for (const part of [network, loss, optimizer, store, values, totalsReader]) part?.destroy();
  }
}
