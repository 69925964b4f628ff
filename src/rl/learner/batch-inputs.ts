/** A micro-batch on the GPU: what the learner's kernels read of it, and the statistics of its sites that they write. */
import type { Tape } from '../../device/tape';
import { writeTensor } from '../../device/tensor';
import { assert } from '../../lib/assert';
import { Patches } from '../../ops/patch-embedding';
import { statsPerSite } from '../../ops/policy-loss';
import { Rows } from '../../ops/rows';
import type { MicroBatch } from './packing';

const unusedSite = 0xffffffff;

export type BatchInputs = ReturnType<typeof batchInputs>;

/**
 * @param tape owns the tensors @param capacity N. All tensors are [N], or [N, k]
 * @param patchLength of a model that sees images
 */
export function batchInputs(tape: Tape, capacity: number, patchLength?: number) {
  const tensor = (name: string, width = 1, type: 'u32' | 'f32' = 'u32') =>
    tape.constant(name, width === 1 ? [capacity] : [capacity, width], type);
  const tensors = {
    tokens: tensor('tokens'),
    positions: tensor('positions'),
    ranges: tensor('ranges', 4),
    site: tensor('sites'),
    targets: tensor('targets'),
    /** Old log-prob, reference log-prob, advantage, weight. */
    sites: tensor('site labels', 4, 'f32'),
    sequences: tensor('site sequences', 2),
    stats: tensor('site statistics', statsPerSite, 'f32'),
  };
  const usedPositions = new Rows(tape, capacity);
  const usedSites = new Rows(tape, capacity);
  const patches = patchLength === undefined ? null : new Patches(tape, capacity, patchLength);
  return {
    ...tensors,
    usedPositions,
    usedSites,
    patches,
    upload(micro: MicroBatch): void {
      const { used, tokens, positions, ranges, oldLogProb, referenceLogProb, advantage, weight } = micro;
      assert(tokens.length === capacity, `a micro-batch of ${tokens.length} positions, but the plan has ${capacity}`);
      usedPositions.set(used);
      usedSites.set(micro.site.length);
      patches?.set(micro.patches, micro.patchPlaces);
      const site = new Uint32Array(capacity).fill(unusedSite);
      site.set(micro.site);
      const targets = new Uint32Array(capacity);
      targets.set(micro.target);
      const sequences = new Uint32Array(capacity * 2);
      sequences.set(micro.sequence);
      const sites = new Float32Array(capacity * 4);
      micro.site.forEach((_, n) => sites.set([oldLogProb[n], referenceLogProb[n], advantage[n], weight[n]], n * 4));
      const numbers = { tokens, positions, ranges, site, targets, sites, sequences };
      for (const [name, data] of Object.entries(numbers))
        writeTensor(tape.device, tensors[name as keyof typeof numbers], data);
    },
  };
}
