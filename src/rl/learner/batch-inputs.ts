/** A micro-batch on the GPU: what the learner's kernels read of it, and the statistics of its sites that they write. */
import type { Tape } from '../../gpu/tape';
import { writeTensor } from '../../gpu/tensor';
import { assert } from '../../lib/assert';
import { statsPerSite } from '../../ops/policy-loss';
import type { MicroBatch } from './packing';

const unusedSite = 0xffffffff;

export type BatchInputs = ReturnType<typeof batchInputs>;

/** @param tape owns the tensors @param capacity B·T. All tensors are [B·T], or [B·T, k] */
export function batchInputs(tape: Tape, capacity: number) {
  const tensor = (name: string, width = 1, type: 'u32' | 'f32' = 'u32') =>
    tape.constant(name, width === 1 ? [capacity] : [capacity, width], type);
  const tensors = {
    tokens: tensor('tokens'),
    positions: tensor('positions'),
    segmentStart: tensor('segment starts'),
    segmentEnd: tensor('segment ends'),
    site: tensor('sites'),
    targets: tensor('targets'),
    /** Old log-prob, reference log-prob, advantage, weight. */
    sites: tensor('site labels', 4, 'f32'),
    sequences: tensor('site sequences', 2),
    stats: tensor('site statistics', statsPerSite, 'f32'),
  };
  let activeSites = 0;
  return {
    ...tensors,
    /** Leading sites that kernels compute. */
    activeSites: () => activeSites,
    upload(micro: MicroBatch): void {
      const { tokens, positions, segmentStart, segmentEnd, oldLogProb, referenceLogProb, advantage, weight } = micro;
      assert(tokens.length === capacity, `a micro-batch of ${tokens.length} positions, but the plan has ${capacity}`);
      activeSites = Math.max(1, micro.site.length);
      const site = new Uint32Array(capacity).fill(unusedSite);
      site.set(micro.site);
      const targets = new Uint32Array(capacity);
      targets.set(micro.target);
      const sequences = new Uint32Array(capacity * 2);
      sequences.set(micro.sequence);
      const sites = new Float32Array(capacity * 4);
      micro.site.forEach((_, n) => sites.set([oldLogProb[n], referenceLogProb[n], advantage[n], weight[n]], n * 4));
      const numbers = { tokens, positions, segmentStart, segmentEnd, site, targets, sites, sequences };
      for (const [name, data] of Object.entries(numbers))
        writeTensor(tape.device, tensors[name as keyof typeof numbers], data);
    },
  };
}
