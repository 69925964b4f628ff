/**
 * Packs segments one behind the other into micro-batches, with padding at the end only. Segments that begin alike, such
 * as a group's rollouts of one question, share that beginning: it stands there once, before them. Attention stays
 * inside a segment and what it shares; the loss is computed at prediction sites only, one per trained token.
 */
import { assert } from '../../lib/assert';
import { sum } from '../../lib/mean';
import { PatchList, prefixKey } from '../../text/image';
import type { RunConfig } from '../../config/config';
import { groupMembers } from '../../algorithms/episodes/groups';
import type { Segment } from './segments';

export interface PackShape {
  /** Positions of a micro-batch (N). */
  readonly capacity: number;
  readonly aggregation: RunConfig['algorithm']['aggregation'];
  /**
   * Unit of the `seq-mean` aggregations and of losses with one ratio a sequence: a segment if not given. An episode
   * has a segment more for each time its context was rewritten, so it weighs as often.
   */
  readonly sequence?: 'segment' | 'step';
  /** Divisor of `seq-mean-token-sum-norm` in tokens: a constant of the run, such as the context length. */
  readonly lengthNorm: number;
}

/** One micro-batch of flat arrays. Positions are [N]; sites are [M], ascending. */
export type MicroBatch = ReturnType<typeof fill>;

/** One mini-batch: all that one optimizer step learns from. */
export interface PackedBatch {
  readonly microBatches: readonly MicroBatch[];
  /** Prediction sites in all micro-batches. */
  readonly sites: number;
}

interface Placed {
  readonly segment: Segment;
  /** Index of the segment in the list that is packed. */
  readonly order: number;
  /** Input positions: the last target is predicted, not read. */
  readonly length: number;
  /** The trained tokens of each of its sequences. */
  readonly sequences: readonly (readonly number[])[];
}

/** Segments whose first `shared` tokens are the same, and in no loss. */
interface Family {
  readonly shared: number;
  readonly members: readonly Placed[];
  /** Positions of all of it. */
  readonly size: number;
}

/** Packs one mini-batch by first-fit-decreasing. Segments without a token in the loss are left out. */
export function pack(segments: readonly Segment[], shape: PackShape): PackedBatch {
  const placed = segments
    .map((segment, order) => place(segment, order, shape))
    .filter(({ sequences }) => sequences.length > 0);
  const sequences = placed.flatMap((item) => item.sequences);
  const sites = sum(sequences.map((tokens) => tokens.length));
  const criticSites = placed.flatMap(({ segment, sequences }) =>
    sequences.flat().map((t) => segment.critic?.trained[t]),
  );
  const weigh = aggregationWeight(shape, sites, sequences.length);
  const criticWeight = 1 / Math.max(1, sum(criticSites.map((trained) => trained ?? 0)));
  const bins = firstFitDecreasing(familiesOf(placed, shape.capacity), shape.capacity);
  return { microBatches: bins.map((families) => fill(families, shape.capacity, weigh, criticWeight)), sites };
}

/** Indices of whole trajectories in mini-batches of nearly equal size; at most one mini-batch a trajectory. */
export function splitMiniBatches(order: ArrayLike<number>, miniBatches: number): number[][] {
  const count = Math.min(miniBatches, order.length);
  const bound = (i: number) => Math.floor((i * order.length) / count);
  return Array.from({ length: count }, (_, i) => Array.from(order).slice(bound(i), bound(i + 1)));
}

/**
 * Calls `write` for every site of a packed batch.
 * @param numbers one for each site of each micro-batch
 * @param write gets the index of the segment in the packed list and of the predicted token in the segment
 */
export function eachSite(
  { microBatches }: PackedBatch,
  numbers: readonly ArrayLike<number>[],
  write: (segment: number, token: number, value: number) => void,
): void {
  microBatches.forEach(({ site, segment, positions }, i) => {
    site.forEach((at, n) => write(segment[n], positions[at] + 1, numbers[i][n]));
  });
}

/**
 * Gives the environment's tokens an old log-probability, which their ratio needs where the loss mask is off.
 * @param logProbs of every site of every micro-batch, under the weights that sampled the other tokens
 */
export function fillUnsampled(
  segments: readonly Segment[],
  batch: PackedBatch,
  logProbs: readonly Float32Array[],
): void {
  eachSite(batch, logProbs, (segment, token, value) => {
    if (segments[segment].sampled[token] === 0) segments[segment].oldLogProb[token] = value;
  });
}

function place(segment: Segment, order: number, shape: PackShape): Placed {
  const { trajectory, inLoss, step } = segment;
  assert(
    inLoss[0] !== 1,
    `the first token of a segment of trajectory ${trajectory} is in the loss, but nothing predicts it.`,
  );
  const trained = [...inLoss.keys()].filter((token) => inLoss[token] === 1);
  const length = trained.at(-1) ?? 0;
  assert(
    length <= shape.capacity,
    `a segment of trajectory ${trajectory} needs ${length} positions, but micro-batches have ${shape.capacity}.`,
  );
  const members = groupMembers(trained.map((token) => (shape.sequence === 'step' ? step[token] : 0)));
  return { segment, order, length, sequences: [...members.values()].map((own) => own.map((i) => trained[i])) };
}

/**
 * Families by what stands before the position that predicts the first trained token. One that is larger than a
 * micro-batch becomes several.
 */
function familiesOf(placed: readonly Placed[], capacity: number): Family[] {
  const prefixOf = ({ sequences }: Placed) => sequences[0][0] - 1;
  const families: Family[] = [];
  for (const indices of groupMembers(placed.map((each) => prefixKey(each.segment, prefixOf(each)))).values()) {
    const shared = prefixOf(placed[indices[0]]);
    let [members, size]: [Placed[], number] = [[], shared];
    for (const i of indices) {
      const own = placed[i].length - shared;
      if (size + own > capacity) {
        families.push({ shared, members, size });
        [members, size] = [[], shared];
      }
      members.push(placed[i]);
      size += own;
    }
    families.push({ shared, members, size });
  }
  return families;
}

/** Largest first (ties in input order), each into the first micro-batch with room. */
function firstFitDecreasing(families: readonly Family[], capacity: number): Family[][] {
  const bins: { readonly families: Family[]; room: number }[] = [];
  for (const family of families.toSorted((a, b) => b.size - a.size)) {
    let bin = bins.find(({ room }) => room >= family.size);
    if (!bin) bins.push((bin = { families: [], room: capacity }));
    bin.families.push(family);
    bin.room -= family.size;
  }
  return bins.map((bin) => bin.families);
}

/** Weight of a token's loss by the sites of its sequence; denominators are those of the whole mini-batch. */
function aggregationWeight(shape: PackShape, sites: number, sequences: number): (own: number) => number {
  switch (shape.aggregation) {
    case 'token-mean':
      return () => 1 / sites;
    case 'seq-mean-token-mean':
      return (own) => 1 / (sequences * own);
    case 'seq-mean-token-sum':
      return () => 1 / sequences;
    case 'seq-mean-token-sum-norm':
      return () => 1 / (sequences * shape.lengthNorm);
  }
}

/** The micro-batch of these families. @param criticWeight of each site that a critic learns at */
function fill(families: readonly Family[], capacity: number, weigh: (own: number) => number, criticWeight: number) {
  const [tokens, positions] = [new Uint32Array(capacity), new Uint32Array(capacity)];
  const ranges = Uint32Array.from({ length: capacity * 4 }, (_, i) => (i % 4 === 3 ? 0 : i >> 2));
  const sites: { at: number; order: number; segment: Segment; token: number; first: number; own: number }[] = [];
  const images = new PatchList();
  let used = 0;
  /** Lays down the tokens `from` … `to` of a segment. @param seenUntil one past the last position that sees them */
  const lay = (segment: Segment, from: number, to: number, prefix: number, seenUntil: number) => {
    const start = used;
    tokens.set(segment.tokens.subarray(from, to), start);
    images.add(segment, from, to, start);
    for (let t = from; t < to; t++, used++) {
      positions[used] = t;
      ranges.set([prefix, prefix + from, start, seenUntil], used * 4);
    }
    return start;
  };
  for (const { shared, members, size } of families) {
    const prefix = lay(members[0].segment, 0, shared, used, used + size);
    for (const { segment, order, length, sequences } of members) {
      const start = lay(segment, shared, length, prefix, used + length - shared);
      for (const own of sequences) {
        const first = sites.length;
        for (const token of own)
          sites.push({ at: start + token - 1 - shared, order, segment, token, first, own: own.length });
      }
    }
  }
  const column = (value: (segment: Segment, token: number) => number | undefined) =>
    Float32Array.from(sites, ({ segment, token }) => value(segment, token) ?? 0);
  return {
    ...images.between(0, used),
    /** Leading positions that are no padding. */
    used,
    /** 0 in padding. */
    tokens, // [N]
    /** Position in the segment, from 0; what is shared is part of it. */
    positions, // [N]
    /** What each position sees, as `attention` takes it. A padding position sees itself, and no gradient reaches it. */
    ranges, // [N, 4]
    /** The position whose logits predict the target. */
    site: Uint32Array.from(sites, ({ at }) => at), // [M]
    /** Index in the packed list of the segment that the target came from. */
    segment: Uint32Array.from(sites, ({ order }) => order), // [M]
    target: Uint32Array.from(sites, ({ segment, token }) => segment.tokens[token]), // [M]
    /** 0 where the token was not sampled, until `fillUnsampled`. */
    oldLogProb: column(({ oldLogProb }, t) => oldLogProb[t]), // [M]
    /** `oldLogProb` where the segment knows no reference. */
    referenceLogProb: column(({ oldLogProb, reference = oldLogProb }, t) => reference[t]), // [M]
    advantage: column(({ advantage }, t) => advantage[t]), // [M]
    /** The loss of a mini-batch is the sum of weight · per-token loss over its micro-batches. */
    weight: Float32Array.from(sites, ({ own }) => weigh(own)), // [M]
    /** First site of the site's sequence and one past its last. */
    sequence: Uint32Array.from(sites.flatMap(({ first, own }) => [first, first + own])), // [M, 2]
    /** A critic's estimate, return and weight; 0 without a critic. The weights of a mini-batch add up to 1. */
    value: column(({ critic }, t) => critic?.value[t]), // [M]
    valueTarget: column(({ critic }, t) => critic?.target[t]), // [M]
    valueWeight: column(({ critic }, t) => critic && criticWeight * critic.trained[t]), // [M]
  };
}
