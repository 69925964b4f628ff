/**
 * Packing: segments to rows of a fixed shape [B, T], several to a row, no padding but the row's tail. Attention stays
 * inside a segment by its start and end; the loss is computed at prediction sites only, one per trained token.
 * Deliberately not: what is in the loss (segments.ts), what a loss is, and any GPU buffer.
 */
import { assert } from '../lib/assert';
import type { RunConfig } from './config';
import type { Segment } from './segments';

export interface PackShape {
  /** Rows of a micro-batch (B). */
  readonly rows: number;
  /** Positions of a row (T). */
  readonly length: number;
  readonly aggregation: RunConfig['algorithm']['aggregation'];
  /** Divisor of `seq-mean-token-sum-norm` in tokens: a constant of the run, such as the context length. */
  readonly horizon: number;
}

/** One micro-batch of flat arrays. Rows are [B, T]; sites are [N], ascending. */
export interface MicroBatch {
  readonly tokens: Uint32Array; // [B, T], 0 in padding
  /** Position inside the segment, from 0. */
  readonly positions: Uint32Array; // [B, T]
  /** Index in the row of the segment's first token. A padding position is a segment of its own. */
  readonly segmentStart: Uint32Array; // [B, T]
  /** Index in the row one past the segment's last token. */
  readonly segmentEnd: Uint32Array; // [B, T]
  /** b * T + t of the position whose logits predict the target. */
  readonly site: Uint32Array; // [N]
  readonly target: Uint32Array; // [N]
  /** 0 where `sampled` is 0, until `fillUnsampled`. */
  readonly oldLogProb: Float32Array; // [N]
  readonly advantage: Float32Array; // [N]
  /** Aggregation weight: the loss of the mini-batch is the sum over its micro-batches of weight · per-token loss. */
  readonly weight: Float32Array; // [N]
  readonly sampled: Uint8Array; // [N]
  /** Back-references of the target: its segment in the list that was packed, and what `Segment` says of it. */
  readonly segment: Uint32Array; // [N]
  readonly trajectory: Uint32Array; // [N]
  readonly step: Uint32Array; // [N]
  readonly index: Uint32Array; // [N]
  /** Positions that are not padding. */
  readonly usedPositions: number;
}

/** One mini-batch: all that one optimizer step learns from. */
export interface PackedBatch {
  readonly microBatches: readonly MicroBatch[];
  /** Prediction sites in all micro-batches. */
  readonly sites: number;
  /** Segments with at least one site: the sequences of the `seq-mean` aggregations. */
  readonly sequences: number;
  /** Positions that are not padding, in all micro-batches. */
  readonly usedPositions: number;
}

/** A segment in its place. `length` counts input positions: the last target is predicted, not read. */
interface Placed {
  readonly segment: Segment;
  /** Index of the segment in the list that is packed. */
  readonly order: number;
  readonly length: number;
  readonly sites: number;
}

/**
 * Packs one mini-batch by first-fit-decreasing; the order is a function of the segments alone.
 * Segments without a token in the loss are left out: they would only cost time.
 */
export function pack(segments: readonly Segment[], shape: PackShape): PackedBatch {
  const placed = segments.map(place).filter((item) => item.sites > 0);
  for (const { length, segment } of placed) {
    assert(
      length <= shape.length,
      `a segment of trajectory ${segment.trajectory} needs ${length} positions, but rows have ${shape.length}: the context limit of rollouts must not exceed it.`,
    );
  }
  const rows = firstFitDecreasing(placed, shape.length);
  const sites = placed.reduce((sum, item) => sum + item.sites, 0);
  const weigh = aggregationWeight(shape, sites, placed.length);
  const microBatches: MicroBatch[] = [];
  for (let first = 0; first < rows.length; first += shape.rows)
    microBatches.push(fill(rows.slice(first, first + shape.rows), shape, weigh));
  return { microBatches, sites, sequences: placed.length, usedPositions: placed.reduce((sum, item) => sum + item.length, 0) };
}

/**
 * Splits whole trajectories into mini-batches of nearly equal size, in the order given.
 * @returns indices of each mini-batch; fewer mini-batches than asked for if there are fewer trajectories
 */
export function splitMiniBatches(order: ArrayLike<number>, miniBatches: number): number[][] {
  const count = Math.min(miniBatches, order.length);
  const bound = (i: number) => Math.floor((i * order.length) / count);
  return Array.from({ length: count }, (_, i) => Array.from(order).slice(bound(i), bound(i + 1)));
}

/**
 * Writes into the segments the log-probabilities of tokens that no policy sampled, which a ratio needs where the loss mask is off.
 * @param batch the segments as packed
 * @param logProbs of every site of every micro-batch, under the weights that sampled the other tokens
 */
export function fillUnsampled(segments: readonly Segment[], batch: PackedBatch, logProbs: readonly Float32Array[]): void {
  batch.microBatches.forEach(({ site, sampled, segment, positions }, i) => {
    site.forEach((at, n) => {
      if (sampled[n] === 0) segments[segment[n]].oldLogProb[positions[at] + 1] = logProbs[i][n];
    });
  });
}

function place(segment: Segment, order: number): Placed {
  assert(
    segment.inLoss[0] !== 1,
    `the first token of a segment of trajectory ${segment.trajectory} is in the loss, but nothing predicts it.`,
  );
  let sites = 0;
  for (const flag of segment.inLoss) sites += flag;
  return { segment, order, length: Math.max(0, segment.inLoss.lastIndexOf(1)), sites };
}

/** Longest first (ties in input order), each into the first row with room. */
function firstFitDecreasing(items: readonly Placed[], length: number): Placed[][] {
  const rows: Placed[][] = [];
  const room: number[] = [];
  for (const item of [...items].sort((a, b) => b.length - a.length)) {
    let row = room.findIndex((free) => free >= item.length);
    if (row < 0) {
      row = rows.push([]) - 1;
      room.push(length);
    }
    rows[row].push(item);
    room[row] -= item.length;
  }
  return rows;
}

/** Weight of a token's loss, with the denominators of the whole mini-batch: micro-batches then add up to the unsplit loss. */
function aggregationWeight(shape: PackShape, sites: number, sequences: number): (item: Placed) => number {
  switch (shape.aggregation) {
    case 'token-mean':
      return () => 1 / sites;
    case 'seq-mean-token-mean':
      return (item) => 1 / (sequences * item.sites);
    case 'seq-mean-token-sum':
      return () => 1 / sequences;
    case 'seq-mean-token-sum-norm':
      return () => 1 / (sequences * shape.horizon);
  }
}

function fill(rows: readonly Placed[][], { rows: B, length: T }: PackShape, weigh: (item: Placed) => number): MicroBatch {
  const N = rows.flat().reduce((sum, item) => sum + item.sites, 0);
  const batch = emptyMicroBatch(
    B,
    T,
    N,
    rows.flat().reduce((sum, item) => sum + item.length, 0),
  );
  let n = 0;
  rows.forEach((row, b) => {
    let start = 0;
    for (const item of row) {
      n = fillSegment(batch, item, b * T, start, n, weigh(item));
      start += item.length;
    }
  });
  return batch;
}

/** Writes one segment at `start` of the row that begins at `base`; returns the next free site. */
function fillSegment(
  batch: MicroBatch,
  { segment, order, length }: Placed,
  base: number,
  start: number,
  n: number,
  weight: number,
): number {
  for (let i = 0; i < length; i++) {
    const at = base + start + i;
    batch.tokens[at] = segment.tokens[i];
    batch.positions[at] = i;
    batch.segmentStart[at] = start;
    batch.segmentEnd[at] = start + length;
    const target = i + 1;
    if (segment.inLoss[target] === 0) continue;
    batch.site[n] = at;
    batch.target[n] = segment.tokens[target];
    batch.oldLogProb[n] = segment.oldLogProb[target];
    batch.advantage[n] = segment.advantage[target];
    batch.weight[n] = weight;
    batch.sampled[n] = segment.sampled[target];
    batch.segment[n] = order;
    batch.trajectory[n] = segment.trajectory;
    batch.step[n] = segment.step[target];
    batch.index[n] = segment.index[target];
    n++;
  }
  return n;
}

function emptyMicroBatch(B: number, T: number, N: number, usedPositions: number): MicroBatch {
  return {
    tokens: new Uint32Array(B * T),
    positions: new Uint32Array(B * T),
    segmentStart: Uint32Array.from({ length: B * T }, (_, i) => i % T),
    segmentEnd: Uint32Array.from({ length: B * T }, (_, i) => (i % T) + 1),
    site: new Uint32Array(N),
    target: new Uint32Array(N),
    oldLogProb: new Float32Array(N),
    advantage: new Float32Array(N),
    weight: new Float32Array(N),
    sampled: new Uint8Array(N),
    segment: new Uint32Array(N),
    trajectory: new Uint32Array(N),
    step: new Uint32Array(N),
    index: new Uint32Array(N),
    usedPositions,
  };
}
