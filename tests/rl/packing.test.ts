import { describe, expect, test } from 'vitest';
import { Purpose, uniform } from '../../src/lib/rng';
import { fillUnsampled, pack, splitMiniBatches, type MicroBatch, type PackShape } from '../../src/rl/learner/packing';
import { trajectorySegments, type Segment } from '../../src/rl/learner/segments';
import { patchesOf, patchLength } from '../../src/text/image';
import { picture } from '../helpers/images';
import { appended, creditedSegments, rewritten, step, trajectory } from '../helpers/trajectories';

const shape: PackShape = { capacity: 32, aggregation: 'token-mean', lengthNorm: 32 };

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

const usedPositions = (batches: readonly MicroBatch[]): number => total(batches, ({ used }) => [used]);
/** The positions that a position sees. */
function visible({ ranges }: MicroBatch, at: number): number[] {
  const [prefix, prefixEnd, start] = ranges.subarray(at * 4);
  const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  return [...upTo(prefix, prefixEnd), ...upTo(start, at + 1)];
}
const seenBy = (batch: MicroBatch, at: number): number[] => visible(batch, at).map((each) => batch.tokens[each]);

/** Sequences with at least one site. */
const sequencesOf = (batches: readonly MicroBatch[]): number =>
  total(batches, ({ sequence }) =>
    Array.from(sequence)
      .filter((first, n) => n % 2 === 0 && first === n / 2)
      .map(() => 1),
  );

describe('micro-batches', () => {
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
        expect(seenBy(batch, site)).toEqual([...source.tokens.slice(0, position + 1)]);
        expect(batch.target[n]).toBe(source.tokens[position + 1]);
        expect(source.inLoss[position + 1]).toBe(1);
        expect(batch.advantage[n]).toBe(source.advantage[position + 1]);
        expect(batch.oldLogProb[n]).toBe(Math.fround(source.oldLogProb[position + 1]));
        seen.add(`${batch.segment[n]} ${position}`);
      });
    }
    expect(seen.size).toBe(packed.sites);
  });

  test('a position sees what it continues, and knows who sees it', () => {
    for (const batch of packed.microBatches) {
      expect(batch.tokens).toHaveLength(shape.capacity);
      const sees = Array.from(batch.tokens, (_, at) => visible(batch, at));
      sees.forEach((own, at) => {
        expect(own.at(-1)).toBe(at);
        if (at < batch.used) expect(batch.positions[at]).toBe(own.length - 1);
        else expect(own).toEqual([at]);
        const seenUntil = sees.findLastIndex((other) => other.includes(at)) + 1;
        expect(batch.ranges[at * 4 + 3]).toBe(at < batch.used ? seenUntil : 0);
      });
    }
  });

  test('a micro-batch is full but for its tail, and fewer are used than there are segments', () => {
    expect(packed.microBatches.length).toBeLessThan(segments.length / 2);
    const used = usedPositions(packed.microBatches);
    expect(used).toBeLessThanOrEqual(segments.reduce((sum, { inLoss }) => sum + inLoss.lastIndexOf(1), 0));
    expect(used / (packed.microBatches.length * shape.capacity)).toBeGreaterThan(0.85);
    for (const batch of packed.microBatches) expect([...batch.site]).toEqual([...batch.site].sort((a, b) => a - b));
  });

  test('packing is a function of its input', () => {
    expect(pack(randomSegments(40), shape)).toEqual(packed);
  });
});

/** Segments of one step each, with this prompt and this action. */
const oneStep = (...all: readonly (readonly [prompt: number[], action: number[]])[]): Segment[] =>
  all.flatMap(([prompt, action], i) =>
    creditedSegments(
      trajectory(i, 1, [step(prompt, action)]),
      i,
      { advantage: 1, actions: [new Float64Array(action.length).fill(1)], environment: [] },
      true,
    ),
  );

test('a padding position sees itself alone', () => {
  const [batch] = pack(oneStep([[7, 8], [9]]), { ...shape, capacity: 4 }).microBatches;
  expect(batch.used).toBe(2);
  expect([...batch.tokens]).toEqual([7, 8, 0, 0]);
  expect([...batch.positions]).toEqual([0, 1, 0, 0]);
  expect(batch.tokens.length).toBe(4);
  expect(Array.from(batch.tokens, (_, at) => visible(batch, at))).toEqual([[0], [0, 1], [2], [3]]);
  expect([...batch.site]).toEqual([1]);
  expect([...batch.target]).toEqual([9]);
});

describe('segments that begin alike', () => {
  const alike = oneStep(
    [[5, 6, 7, 8], [9]],
    [
      [5, 6, 7, 8],
      [1, 2],
    ],
    [[5, 6, 7, 8], [3]],
    [[5, 6], [4]],
  );

  test('stand behind one copy of what no loss looks at', () => {
    const [batch] = pack(alike, { ...shape, capacity: 16 }).microBatches;
    expect([...batch.tokens.subarray(0, batch.used)]).toEqual([5, 6, 7, 8, 8, 1, 8, 5, 6]);
    expect([...batch.positions.subarray(0, batch.used)]).toEqual([0, 1, 2, 3, 3, 4, 3, 0, 1]);
    expect(Array.from(batch.site, (at) => seenBy(batch, at))).toEqual([
      [5, 6, 7, 8],
      [5, 6, 7, 8],
      [5, 6, 7, 8, 1],
      [5, 6, 7, 8],
      [5, 6],
    ]);
    expect([...batch.target]).toEqual([9, 1, 2, 3, 4]);
  });

  test('get several copies if one micro-batch cannot hold them all', () => {
    const { microBatches, sites } = pack(alike, { ...shape, capacity: 6 });
    expect(sites).toBe(5);
    expect(microBatches.map(({ tokens, used }) => [...tokens.subarray(0, used)])).toEqual([
      [5, 6, 7, 8, 8, 1],
      [5, 6, 7, 8, 5, 6],
    ]);
  });
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

test('a segment that no micro-batch can hold is a programmer error', () => {
  const long = step(Array(32).fill(1), [2, 3]);
  const segments = creditedSegments(
    trajectory(0, 1, [long]),
    0,
    { advantage: 0, actions: [new Float64Array(2)], environment: [] },
    true,
  );
  expect(() => pack(segments, shape)).toThrow(/needs 33 positions, but micro-batches have 32/);
});

test('mini-batches keep the order and differ by at most one trajectory', () => {
  expect(splitMiniBatches([4, 2, 0, 1, 3], 2)).toEqual([
    [4, 2],
    [0, 1, 3],
  ]);
  expect(splitMiniBatches(Int32Array.of(1, 0), 5)).toEqual([[1], [0]]);
});

describe('images', () => {
  const token = 77;
  const told = (key: number, action: number) => {
    const seen = step([5, token, token, 6], [action, action + 1], { images: [{ at: 1, image: picture(key) }] });
    return trajectory(0, 1, [seen]);
  };
  const packedOf = (keys: readonly number[]) => {
    const segments = keys.flatMap((key, i) => trajectorySegments(told(key, 20 + i), i, true));
    return pack(segments, shape).microBatches[0];
  };

  test('of one question are laid down once', () => {
    const micro = packedOf([1, 1, 1]);
    expect(micro.used).toBe(3 + 3 * 2);
    expect([...micro.patchPlaces]).toEqual([1, 2]);
    expect([...micro.patches]).toEqual([...patchesOf(picture(1))]);
  });

  test('that differ under equal tokens are shared by nobody', () => {
    const micro = packedOf([1, 2, 1]);
    expect(micro.used).toBe(2 * 3 + 3 * 2);
    expect(micro.patchPlaces).toHaveLength(4);
    micro.site.forEach((site, n) => {
      const patchOf = visible(micro, site).filter((at) => micro.tokens[at] === token);
      const seen = patchOf.flatMap((at) => {
        const p = micro.patchPlaces.indexOf(at);
        return [...micro.patches.subarray(p * patchLength, (p + 1) * patchLength)];
      });
      expect(seen).toEqual([...patchesOf(picture([1, 2, 1][micro.segment[n]]))]);
    });
  });

  test('a step joins its segment only if it shows the same images before it', () => {
    const first = step([5, token, token, 6], [20], { images: [{ at: 1, image: picture(1) }] });
    const then = (key: number) =>
      step([5, token, token, 6, 20, token, token, 6], [21], {
        images: [
          { at: 1, image: picture(key) },
          { at: 5, image: picture(9) },
        ],
      });
    const segmentsOf = (key: number) => trajectorySegments(trajectory(0, 1, [first, then(key)]), 0, true);
    expect(segmentsOf(1)).toHaveLength(1);
    expect(segmentsOf(2)).toHaveLength(2);
    expect(segmentsOf(1)[0].images).toEqual(then(1).images);
    expect([...pack(segmentsOf(1), shape).microBatches[0].patchPlaces]).toEqual([1, 2, 5, 6]);
  });
});
