/**
 * Packs segments into rows of a fixed shape [B, T], several to a row, with padding at the row's end only. Attention
 * stays inside a segment; the loss is computed at prediction sites only, one per trained token.
 */
import { assert } from '../../lib/assert';
import { sum } from '../../lib/mean';
import type { RunConfig } from '../config/config';
import { groupMembers } from '../episodes/groups';
import type { Segment } from './segments';

export interface PackShape {
  /** Rows of a micro-batch (B). */
  readonly rows: number;
  /** Positions of a row (T). */
  readonly length: number;
  readonly aggregation: RunConfig['algorithm']['aggregation'];
  /** Unit of the `seq-mean` aggregations and of losses with one ratio a sequence: a segment if not given. */
  readonly sequence?: 'segment' | 'step';
  /** Divisor of `seq-mean-token-sum-norm` in tokens: a constant of the run, such as the context length. */
  readonly lengthNorm: number;
}

/** One micro-batch of flat arrays. Rows are [B, T]; sites are [N], ascending. */
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

/** Packs one mini-batch by first-fit-decreasing. Segments without a token in the loss are left out. */
export function pack(segments: readonly Segment[], shape: PackShape): PackedBatch {
  const placed = segments
    .map((segment, order) => place(segment, order, shape))
    .filter(({ sequences }) => sequences.length > 0);
  const rows = firstFitDecreasing(placed, shape.length);
  const sequences = placed.flatMap((item) => item.sequences);
  const sites = sum(sequences.map((tokens) => tokens.length));
  const criticSites = placed.flatMap(({ segment, sequences }) =>
    sequences.flat().map((t) => segment.critic?.trained[t]),
  );
  const weigh = aggregationWeight(shape, sites, sequences.length);
  const criticWeight = 1 / Math.max(1, sum(criticSites.map((trained) => trained ?? 0)));
  const microBatches: MicroBatch[] = [];
  for (let first = 0; first < rows.length; first += shape.rows)
    microBatches.push(fill(rows.slice(first, first + shape.rows), shape, weigh, criticWeight));
  return { microBatches, sites };
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
    length <= shape.length,
    `a segment of trajectory ${trajectory} needs ${length} positions, but rows have ${shape.length}.`,
  );
  const members = groupMembers(trained.map((token) => (shape.sequence === 'step' ? step[token] : 0)));
  return { segment, order, length, sequences: [...members.values()].map((own) => own.map((i) => trained[i])) };
}

/** Longest first (ties in input order), each into the first row with room. */
function firstFitDecreasing(items: readonly Placed[], length: number): Placed[][] {
  const rows: { readonly items: Placed[]; room: number }[] = [];
  for (const item of items.toSorted((a, b) => b.length - a.length)) {
    let row = rows.find(({ room }) => room >= item.length);
    if (!row) rows.push((row = { items: [], room: length }));
    row.items.push(item);
    row.room -= item.length;
  }
  return rows.map((row) => row.items);
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

/** The micro-batch of up to B rows. @param criticWeight of each site that a critic learns at */
function fill(
  rows: readonly (readonly Placed[])[],
  { rows: B, length: T }: PackShape,
  weigh: (own: number) => number,
  criticWeight: number,
) {
  const tokens = new Uint32Array(B * T);
  const positions = new Uint32Array(B * T);
  const segmentStart = Uint32Array.from(tokens, (_, i) => i % T);
  const segmentEnd = segmentStart.map((t) => t + 1);
  const sites: { at: number; order: number; segment: Segment; token: number; first: number; own: number }[] = [];
  rows.forEach((row, b) => {
    let start = 0;
    for (const { segment, order, length, sequences } of row) {
      const base = b * T + start;
      tokens.set(segment.tokens.subarray(0, length), base);
      for (let i = 0; i < length; i++) positions[base + i] = i;
      segmentStart.fill(start, base, base + length);
      segmentEnd.fill(start + length, base, base + length);
      for (const own of sequences) {
        const first = sites.length;
        for (const token of own) sites.push({ at: base + token - 1, order, segment, token, first, own: own.length });
      }
      start += length;
    }
  });
  const column = (value: (segment: Segment, token: number) => number | undefined) =>
    Float32Array.from(sites, ({ segment, token }) => value(segment, token) ?? 0);
  return {
    /** 0 in padding. */
    tokens, // [B, T]
    /** Position inside the segment, from 0. */
    positions, // [B, T]
    /** Index in the row of the segment's first token. A padding position is a segment of its own. */
    segmentStart, // [B, T]
    /** Index in the row one past the segment's last token. */
    segmentEnd, // [B, T]
    /** b * T + t of the position whose logits predict the target. */
    site: Uint32Array.from(sites, ({ at }) => at), // [N]
    /** Index in the packed list of the segment that the target came from. */
    segment: Uint32Array.from(sites, ({ order }) => order), // [N]
    target: Uint32Array.from(sites, ({ segment, token }) => segment.tokens[token]), // [N]
    /** 0 where the token was not sampled, until `fillUnsampled`. */
    oldLogProb: column(({ oldLogProb }, t) => oldLogProb[t]), // [N]
    /** `oldLogProb` where the segment knows no reference. */
    referenceLogProb: column(({ oldLogProb, reference = oldLogProb }, t) => reference[t]), // [N]
    advantage: column(({ advantage }, t) => advantage[t]), // [N]
    /** The loss of a mini-batch is the sum of weight · per-token loss over its micro-batches. */
    weight: Float32Array.from(sites, ({ own }) => weigh(own)), // [N]
    /** First site of the site's sequence and one past its last. */
    sequence: Uint32Array.from(sites.flatMap(({ first, own }) => [first, first + own])), // [N, 2]
    /** A critic's estimate, return and weight; 0 without a critic. The weights of a mini-batch add up to 1. */
    value: column(({ critic }, t) => critic?.value[t]), // [N]
    valueTarget: column(({ critic }, t) => critic?.target[t]), // [N]
    valueWeight: column(({ critic }, t) => critic && criticWeight * critic.trained[t]), // [N]
  };
}
