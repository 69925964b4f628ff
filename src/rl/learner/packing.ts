/**
 * Packs segments into rows of a fixed shape [B, T], several to a row, with padding at the row's end only. Attention
 * stays inside a segment; the loss is computed at prediction sites only, one per trained token.
 */
import { assert } from '../../lib/assert';
import type { RunConfig } from '../config/config';
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
  /** `oldLogProb` where the segment knows no reference. */
  readonly referenceLogProb: Float32Array; // [N]
  readonly advantage: Float32Array; // [N]
  /** A critic's estimate, return and weight; 0 without a critic. The weights of a mini-batch add up to 1. */
  readonly value: Float32Array; // [N]
  readonly valueTarget: Float32Array; // [N]
  readonly valueWeight: Float32Array; // [N]
  /** The loss of a mini-batch is the sum of weight · per-token loss over its micro-batches. */
  readonly weight: Float32Array; // [N]
  readonly sampled: Uint8Array; // [N]
  /** First site of the site's sequence and one past its last. */
  readonly sequence: Uint32Array; // [N, 2]
  /** Where the target came from: index in the packed list, and the segment's columns. */
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
  /** Sequences with at least one site: what the `seq-mean` aggregations divide by. */
  readonly sequences: number;
  /** Positions that are not padding, in all micro-batches. */
  readonly usedPositions: number;
}

/** `length` counts input positions: the last target is predicted, not read. */
interface Placed {
  readonly segment: Segment;
  /** Index of the segment in the list that is packed. */
  readonly order: number;
  readonly length: number;
  /** Sites of each of its sequences, in order. */
  readonly sequences: readonly number[];
}

/** Packs one mini-batch by first-fit-decreasing. Segments without a token in the loss are left out. */
export function pack(segments: readonly Segment[], shape: PackShape): PackedBatch {
  const placed = segments
    .map((segment, order) => place(segment, order, shape.sequence))
    .filter((item) => item.sequences.length > 0);
  for (const { length, segment } of placed) {
    assert(
      length <= shape.length,
      `a segment of trajectory ${segment.trajectory} needs ${length} positions, but rows have ${shape.length}: the context limit of rollouts must not exceed it.`,
    );
  }
  const rows = firstFitDecreasing(placed, shape.length);
  const sites = sum(placed.flatMap((item) => item.sequences));
  const sequences = sum(placed.map((item) => item.sequences.length));
  const weigh = aggregationWeight(shape, sites, sequences);
  const criticWeight = 1 / Math.max(1, sum(placed.map(({ segment }) => criticSites(segment))));
  const microBatches: MicroBatch[] = [];
  for (let first = 0; first < rows.length; first += shape.rows)
    microBatches.push(fill(rows.slice(first, first + shape.rows), shape, weigh, criticWeight));
  return { microBatches, sites, sequences, usedPositions: sum(placed.map((item) => item.length)) };
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
  batch: PackedBatch,
  numbers: readonly ArrayLike<number>[],
  write: (segment: number, token: number, value: number, sampled: boolean) => void,
): void {
  batch.microBatches.forEach(({ site, sampled, segment, positions }, i) => {
    site.forEach((at, n) => write(segment[n], positions[at] + 1, numbers[i][n], sampled[n] === 1));
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
  eachSite(batch, logProbs, (segment, token, value, sampled) => {
    if (!sampled) segments[segment].oldLogProb[token] = value;
  });
}

function place(segment: Segment, order: number, unit: PackShape['sequence']): Placed {
  assert(
    segment.inLoss[0] !== 1,
    `the first token of a segment of trajectory ${segment.trajectory} is in the loss, but nothing predicts it.`,
  );
  const sequences: number[] = [];
  let last = -1;
  segment.inLoss.forEach((flag, i) => {
    if (flag === 0) return;
    const sequence = unit === 'step' ? segment.step[i] : 0;
    if (sequence !== last) sequences.push(0);
    sequences[sequences.length - 1]++;
    last = sequence;
  });
  return { segment, order, length: Math.max(0, segment.inLoss.lastIndexOf(1)), sequences };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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

/** Tokens of a segment that a critic learns at. */
function criticSites({ critic, inLoss }: Segment): number {
  return critic ? critic.trained.reduce((count, flag, i) => count + flag * inLoss[i], 0) : 0;
}

function fill(
  rows: readonly Placed[][],
  { rows: B, length: T }: PackShape,
  weigh: (own: number) => number,
  criticWeight: number,
): MicroBatch {
  const items = rows.flat();
  const batch = emptyMicroBatch(
    B,
    T,
    sum(items.flatMap((item) => item.sequences)),
    sum(items.map((item) => item.length)),
  );
  let n = 0;
  rows.forEach((row, b) => {
    let start = 0;
    for (const item of row) {
      n = fillSegment(batch, item, { base: b * T, start, n, weigh, criticWeight });
      start += item.length;
    }
  });
  return batch;
}

/** Where a segment goes: at `start` of the row that begins at `base`, its first site being number `n`. */
interface Destination {
  readonly base: number;
  readonly start: number;
  readonly n: number;
  readonly weigh: (own: number) => number;
  readonly criticWeight: number;
}

/** Writes one segment; returns the next free site. */
function fillSegment(batch: MicroBatch, { segment, order, length, sequences }: Placed, to: Destination): number {
  const { base, start, weigh } = to;
  let n = to.n;
  let sequence = 0;
  let first = n;
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
    batch.referenceLogProb[n] = (segment.reference ?? segment.oldLogProb)[target];
    batch.advantage[n] = segment.advantage[target];
    if (segment.critic) {
      batch.value[n] = segment.critic.value[target];
      batch.valueTarget[n] = segment.critic.target[target];
      batch.valueWeight[n] = to.criticWeight * segment.critic.trained[target];
    }
    batch.weight[n] = weigh(sequences[sequence]);
    batch.sequence.set([first, first + sequences[sequence]], n * 2);
    batch.sampled[n] = segment.sampled[target];
    batch.segment[n] = order;
    batch.trajectory[n] = segment.trajectory;
    batch.step[n] = segment.step[target];
    batch.index[n] = segment.index[target];
    n++;
    if (n === first + sequences[sequence]) {
      first = n;
      sequence++;
    }
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
    referenceLogProb: new Float32Array(N),
    advantage: new Float32Array(N),
    value: new Float32Array(N),
    valueTarget: new Float32Array(N),
    valueWeight: new Float32Array(N),
    weight: new Float32Array(N),
    sampled: new Uint8Array(N),
    sequence: new Uint32Array(N * 2),
    segment: new Uint32Array(N),
    trajectory: new Uint32Array(N),
    step: new Uint32Array(N),
    index: new Uint32Array(N),
    usedPositions,
  };
}
