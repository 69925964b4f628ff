import { describe, expect, test } from 'vitest';
import { Purpose, uniform } from '../../src/lib/rng';
import { fillUnsampled, pack, splitMiniBatches, type MicroBatch, type PackShape } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import { appended, creditedSegments, rewritten, step, trajectory } from '../helpers/trajectories';

const shape: PackShape = { rows: 2, length: 16, aggregation: 'token-mean', lengthNorm: 32 };

/** Segments of random lengths, turns and masks; the same every time. */
function randomSegments(count: number): Segment[] {
  let draws = 0;
  const upTo = (n: number): number => 1 + Math.floor(n * uniform(3, Purpose.task, draws++));
  return Array.from({ length: count }, (_, i) => {
    const steps = [
      step(
        Array.from({ length: upTo(4) }, () => upTo(90)),
        Array.from({ length: upTo(4) }, () => upTo(90)),
      ),
    ];
    if (i % 3 === 0)
      steps.push(
        step(
          [...steps[0].prompt, ...steps[0].action.tokens, upTo(90), upTo(90)],
          Array.from({ length: upTo(5) }, () => upTo(90)),
        ),
      );
    const actions = steps.map(({ action }) => new Float64Array(action.tokens.length).fill(i));
    return creditedSegments(
      trajectory(i, 1, steps),
      i,
      { advantage: i, actions, environment: steps.map(() => new Float64Array(9).fill(-i)) },
      i % 2 === 0,
    );
  }).flat();
}

const total = (batches: readonly MicroBatch[], column: (batch: MicroBatch) => ArrayLike<number>): number =>
  batches.reduce((sum, batch) => sum + Array.from(column(batch)).reduce((part, value) => part + value, 0), 0);

/** Positions that are not padding. A segment's last position always predicts. */
const usedPositions = (batches: readonly MicroBatch[]): number =>
  total(batches, ({ site, segmentEnd }) =>
    segmentEnd.map((end, at) => (site.includes(at - (at % shape.length) + end - 1) ? 1 : 0)),
  );
/** Sequences with at least one site. */
const sequencesOf = (batches: readonly MicroBatch[]): number =>
  total(batches, ({ sequence }) =>
    Array.from(sequence)
      .filter((first, n) => n % 2 === 0 && first === n / 2)
      .map(() => 1),
  );

describe('rows', () => {
  const segments = randomSegments(40);
  const packed = pack(segments, shape);

  test('every trained token has one site, and it predicts that token', () => {
    expect(packed.sites).toBe(
      segments.reduce((sum, { inLoss }) => sum + inLoss.reduce((part, flag) => part + flag, 0), 0),
    );
    expect(packed.microBatches.reduce((sum, { site }) => sum + site.length, 0)).toBe(packed.sites);
    const seen = new Set<string>();
    for (const batch of packed.microBatches) {
      batch.site.forEach((site, n) => {
        const source = segments[batch.segment[n]];
        const position = batch.positions[site];
        expect(source.tokens.slice(0, position + 1)).toEqual(batch.tokens.slice(site - position, site + 1));
        expect(batch.target[n]).toBe(source.tokens[position + 1]);
        expect(source.inLoss[position + 1]).toBe(1);
        expect(batch.advantage[n]).toBe(source.advantage[position + 1]);
        expect(batch.oldLogProb[n]).toBe(Math.fround(source.oldLogProb[position + 1]));
        seen.add(`${batch.segment[n]} ${position}`);
      });
    }
    expect(seen.size).toBe(packed.sites);
  });

  test('positions, starts and ends agree, and segments do not overlap', () => {
    for (const batch of packed.microBatches) {
      expect(batch.tokens).toHaveLength(shape.rows * shape.length);
      for (let at = 0; at < batch.tokens.length; at++) {
        const t = at % shape.length;
        const [start, end] = [batch.segmentStart[at], batch.segmentEnd[at]];
        expect(batch.positions[at]).toBe(t - start);
        expect(start).toBeLessThanOrEqual(t);
        expect(end).toBeGreaterThan(t);
        expect(end).toBeLessThanOrEqual(shape.length);
        for (let other = at - t + start; other < at - t + end; other++)
          expect([batch.segmentStart[other], batch.segmentEnd[other]]).toEqual([start, end]);
      }
    }
  });

  test('a row is full but for its tail, and fewer rows are used than segments', () => {
    expect(packed.microBatches.length * shape.rows).toBeLessThan(segments.length);
    const used = usedPositions(packed.microBatches);
    expect(used).toBe(segments.reduce((sum, { inLoss }) => sum + inLoss.lastIndexOf(1), 0));
    expect(used / (packed.microBatches.length * shape.rows * shape.length)).toBeGreaterThan(0.85);
    for (const batch of packed.microBatches) expect([...batch.site]).toEqual([...batch.site].sort((a, b) => a - b));
  });

  test('packing is a function of its input', () => {
    expect(pack(randomSegments(40), shape)).toEqual(packed);
  });
});

test('a padding position is a segment of its own', () => {
  const segments = creditedSegments(
    trajectory(0, 1, [step([7, 8], [9])]),
    0,
    { advantage: 1, actions: [Float64Array.of(1)], environment: [] },
    true,
  );
  const [batch] = pack(segments, { ...shape, rows: 1, length: 4 }).microBatches;
  expect([...batch.tokens]).toEqual([7, 8, 0, 0]);
  expect([...batch.positions]).toEqual([0, 1, 0, 0]);
  expect([...batch.segmentStart]).toEqual([0, 0, 2, 3]);
  expect([...batch.segmentEnd]).toEqual([2, 2, 3, 4]);
  expect([...batch.site]).toEqual([1]);
  expect([...batch.target]).toEqual([9]);
});

test('merging changes what is computed, not what is trained', () => {
  const credit = { advantage: 1, actions: [Float64Array.of(1, 1), Float64Array.of(1)], environment: [] };
  const merged = pack(creditedSegments(trajectory(0, 1, appended), 0, credit, true), shape);
  const separate = pack(creditedSegments(trajectory(0, 1, rewritten), 0, credit, true), shape);
  expect([merged, separate].map(({ microBatches }) => sequencesOf(microBatches))).toEqual([1, 2]);
  expect([merged.sites, separate.sites]).toEqual([3, 3]);
  expect([merged, separate].map(({ microBatches }) => usedPositions(microBatches))).toEqual([7, 6]);
  expect([...merged.microBatches[0].target].sort()).toEqual([...separate.microBatches[0].target].sort());
});

describe('weights', () => {
  const segments = randomSegments(30);
  const { sites } = pack(segments, shape);

  test.each([
    ['token-mean', 1],
    ['seq-mean-token-mean', 1],
    ['seq-mean-token-sum', sites / segments.length],
    ['seq-mean-token-sum-norm', sites / (segments.length * shape.lengthNorm)],
  ] as const)('%s adds up over micro-batches to the unsplit aggregation', (aggregation, expected) => {
    const { microBatches } = pack(segments, { ...shape, aggregation });
    expect(sequencesOf(microBatches)).toBe(segments.length);
    expect(microBatches.length).toBeGreaterThan(3);
    expect(total(microBatches, ({ weight }) => weight)).toBeCloseTo(expected, 5);
  });

  test('a segment without trained tokens is not a sequence and takes no room', () => {
    const silent = creditedSegments(
      trajectory(9, 0, [step([1, 2, 3], [])]),
      99,
      { advantage: 0, actions: [new Float64Array(0)], environment: [] },
      true,
    );
    expect(pack([...segments, ...silent], shape)).toEqual(pack(segments, shape));
    expect(pack(silent, shape)).toEqual({ microBatches: [], sites: 0 });
  });
});

describe('sequences', () => {
  const segments = randomSegments(40);

  test.each(['segment', 'step'] as const)(
    'a %s is a sequence: its sites stand together in one micro-batch',
    (sequence) => {
      const nameOf = (segment: number, step: number) => (sequence === 'step' ? `${segment} ${step}` : `${segment}`);
      const sizes = new Map<string, number>();
      segments.forEach(({ inLoss, step }, i) =>
        inLoss.forEach(
          (flag, t) => flag === 1 && sizes.set(nameOf(i, step[t]), (sizes.get(nameOf(i, step[t])) ?? 0) + 1),
        ),
      );
      const packed = pack(segments, { ...shape, sequence, aggregation: 'seq-mean-token-mean' });
      expect(sequencesOf(packed.microBatches)).toBe(sizes.size);
      expect(packed.microBatches.length).toBeGreaterThan(3);
      for (const batch of packed.microBatches) {
        const name = (n: number) => {
          const { step } = segments[batch.segment[n]];
          return nameOf(batch.segment[n], step[batch.positions[batch.site[n]] + 1]);
        };
        batch.site.forEach((_, n) => {
          const [first, end] = batch.sequence.subarray(n * 2, n * 2 + 2);
          expect(first <= n && n < end).toBe(true);
          expect(end - first, 'the whole sequence').toBe(sizes.get(name(n)));
          for (let other = first; other < end; other++) expect(name(other)).toBe(name(n));
          expect(batch.weight[n]).toBe(Math.fround(1 / (sizes.size * (end - first))));
        });
      }
    },
  );

  test('an appended conversation is one sequence, or one a step', () => {
    const [steps, whole] = (['step', 'segment'] as const).map((sequence) => pack(segments, { ...shape, sequence }));
    expect(sequencesOf(steps.microBatches)).toBeGreaterThan(sequencesOf(whole.microBatches));
  });
});

test('tokens that no policy sampled get their log-probability from a score, the others keep theirs', () => {
  const segments = randomSegments(20);
  const before = segments.map(({ oldLogProb }) => oldLogProb.slice());
  const batch = pack(segments, shape);
  const scores = batch.microBatches.map(({ target, site }) =>
    Float32Array.from(target, (token, n) => -token - site[n] / 1024),
  );
  fillUnsampled(segments, batch, scores);
  const repacked = pack(segments, shape);
  let filled = 0;
  repacked.microBatches.forEach(({ oldLogProb, segment, positions, site }, i) => {
    oldLogProb.forEach((value, n) => {
      if (segments[segment[n]].sampled[positions[site[n]] + 1] === 1) return;
      expect(value).toBe(scores[i][n]);
      filled++;
    });
  });
  expect(filled).toBeGreaterThan(5);
  segments.forEach(({ sampled, oldLogProb }, i) =>
    sampled.forEach((flag, t) => flag === 1 && expect(oldLogProb[t]).toBe(before[i][t])),
  );
});

test('a segment that no row can hold is a programmer error', () => {
  const long = step(Array(16).fill(1), [2, 3]);
  const segments = creditedSegments(
    trajectory(0, 1, [long]),
    0,
    { advantage: 0, actions: [new Float64Array(2)], environment: [] },
    true,
  );
  expect(() => pack(segments, shape)).toThrow(/needs 17 positions, but rows have 16/);
});

test('mini-batches keep the order and differ by at most one trajectory', () => {
  expect(splitMiniBatches([4, 2, 0, 1, 3], 2)).toEqual([
    [4, 2],
    [0, 1, 3],
  ]);
  expect(splitMiniBatches(Int32Array.of(1, 0), 5)).toEqual([[1], [0]]);
});
