/** A micro-batch on the GPU: what the learner's kernels read of it, and the statistics of its sites that they write. */
import type { Device } from '../../gpu/device';
import { createTensor, writeTensor, type Tensor } from '../../gpu/tensor';
import { assert } from '../../lib/assert';
import { statsPerSite } from '../../ops/policy-loss';
import type { MicroBatch } from './packing';

const unusedSite = 0xffffffff;

/** All [B·T], or [B·T, k]. */
export class BatchInputs {
  readonly tokens: Tensor;
  readonly positions: Tensor;
  readonly segmentStart: Tensor;
  readonly segmentEnd: Tensor;
  readonly site: Tensor;
  readonly targets: Tensor;
  /** Old log-prob, reference log-prob, advantage, weight. */
  readonly sites: Tensor;
  readonly sequences: Tensor;
  readonly stats: Tensor;
  /** Leading sites that kernels compute. */
  activeSites = 0;

  constructor(
    private readonly device: Device,
    private readonly capacity: number,
  ) {
    const tensor = (name: string, width = 1, type: 'u32' | 'f32' = 'u32') =>
      createTensor(device, name, width === 1 ? [capacity] : [capacity, width], { type });
    this.tokens = tensor('tokens');
    this.positions = tensor('positions');
    this.segmentStart = tensor('segment starts');
    this.segmentEnd = tensor('segment ends');
    this.site = tensor('sites');
    this.targets = tensor('targets');
    this.sites = tensor('site labels', 4, 'f32');
    this.sequences = tensor('site sequences', 2);
    this.stats = tensor('site statistics', statsPerSite, 'f32');
  }

  upload(micro: MicroBatch): void {
    const { device, capacity } = this;
    const { tokens, positions, segmentStart, segmentEnd, oldLogProb, referenceLogProb, advantage, weight } = micro;
    assert(tokens.length === capacity, `a micro-batch of ${tokens.length} positions, but the plan has ${capacity}`);
    this.activeSites = Math.max(1, micro.site.length);
    const site = new Uint32Array(capacity).fill(unusedSite);
    site.set(micro.site);
    const targets = new Uint32Array(capacity);
    targets.set(micro.target);
    const sequences = new Uint32Array(capacity * 2);
    sequences.set(micro.sequence);
    const sites = new Float32Array(capacity * 4);
    micro.site.forEach((_, n) => sites.set([oldLogProb[n], referenceLogProb[n], advantage[n], weight[n]], n * 4));
    const numbers = { tokens, positions, segmentStart, segmentEnd, site, targets, sites, sequences };
    for (const [name, data] of Object.entries(numbers)) writeTensor(device, this[name as keyof typeof numbers], data);
  }

  destroy(): void {
    const { tokens, positions, segmentStart, segmentEnd, site, targets, sites, sequences, stats } = this;
    for (const { buffer } of [tokens, positions, segmentStart, segmentEnd, site, targets, sites, sequences, stats])
      buffer.destroy();
  }
}
