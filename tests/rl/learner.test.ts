/** The learner: packing, micro-batches and scores may not change what is learned. */
import { expect, test } from 'vitest';
import { writeTensor } from '../../src/device/tensor';
import { llama } from '../../src/model/llama/network';
import { ParameterStore } from '../../src/model/parameters';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs } from '../../src/model/transformer/shape';
import type { LossTerms } from '../../src/ops/policy-loss';
import { needsSlices } from '../../src/ops/vocabulary-slices';
import { Learner } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import { expectClose } from '../helpers/check-op';
import { testDevice, onBothDevices } from '../helpers/devices';
import { tinyShape } from '../helpers/tiny-model';

/** Rows of pseudo-random tokens of different lengths, two thirds of them in the loss. */
const segments = Array.from({ length: 9 }, (_, trajectory): Segment => {
  const n = 5 + ((trajectory * 7) % 23);
  const tokens = Uint32Array.from({ length: n }, (_, i) => 1 + ((i * i * 3 + trajectory * 11 + i) % 28));
  const inLoss = Uint8Array.from(tokens, (_, i) => (i > 0 && i % 3 !== 0 ? 1 : 0));
  return {
    trajectory,
    tokens,
    inLoss,
    sampled: inLoss,
    oldLogProb: Float64Array.from(tokens, (_, i) => -3 - (i % 5) / 10),
    advantage: new Float64Array(n).fill(trajectory % 2 === 0 ? 1 : -0.5),
    step: new Uint32Array(n),
    index: new Uint32Array(n),
  };
});

interface Learnt {
  weights: Map<string, Float32Array>;
  loss: number;
  logProbs: number[];
}

/** Weights after one step of each loss, with micro-batches of so many positions. */
async function learn(
  capacity: number,
  terms: LossTerms,
  network = transformer(tinyShape),
  entropyCoefficient = 0.01,
): Promise<Learnt> {
  const device = await testDevice();
  const store = new ParameterStore(device, network.specs);
  store.initialise(3);
  for (const { name, shape, frozen } of network.specs) {
    const count = shape.reduce((product, size) => product * size, 1);
    if (frozen)
      writeTensor(
        device,
        store.get(name),
        Float32Array.from({ length: count }, (_, i) => Math.sin(1.3 * i)),
      );
  }
  const learner = new Learner(device, store, network, { capacity, terms });
  await device.compiled();
  const batch = pack(segments, { capacity, aggregation: 'token-mean', lengthNorm: 32 });
  const scores = await learner.score(batch, 1, 'current');
  const bySite = new Map<string, number>();
  batch.microBatches.forEach((micro, m) =>
    micro.site.forEach((at, n) => bySite.set(`${micro.segment[n]}.${micro.positions[at]}`, scores[m].logProbs[n])),
  );
  // Plain steps in the direction of the gradient's sign would hide errors, so epsilon is large: the step is nearly
  // the gradient.
  const optimizer = { rate: 1, beta1: 0, beta2: 0, epsilon: 100, weightDecay: 0, clip: 1e9 };
  learner.imitationStep(batch, optimizer);
  learner.policyStep(
    batch,
    { temperature: 1, clipLow: 0.2, clipHigh: 0.28, dualClip: 3, klCoefficient: 0, entropyCoefficient },
    optimizer,
  );
  const { loss, sites } = await learner.report();
  expect(sites).toBe(2 * batch.sites);
  const weights = await store.read(store.value);
  learner.destroy();
  store.destroy();
  expect(device.uncapturedError).toBeNull();
  return { weights, loss, logProbs: [...bySite].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) };
}

/** What was learned is alike, whatever the micro-batches. */
function expectAlike(other: Learnt, one: Learnt): void {
  expectClose('log-probs', other.logProbs, one.logProbs, { absolute: 1e-5, relative: 1e-5 });
  expect(other.loss).toBeCloseTo(one.loss, 5);
  for (const [name, weights] of one.weights)
    expectClose(name, other.weights.get(name)!, weights, { absolute: 2e-6, relative: 1e-5 });
}

test('logits in slices, and stored ones of small micro-batches, learn the same', async () => {
  const vocabulary = 60_000;
  expect([needsSlices(288, vocabulary), needsSlices(64, vocabulary)]).toEqual([true, false]);
  const network = transformer({ ...tinyShape, vocabulary });
  const terms = { kind: 'clip', kl: 'k3' } as const;
  expectAlike(await learn(288, terms, network), await learn(64, terms, network));
});

test.each([0, 0.01])('so does an adapter under a frozen head, with a bonus for entropy of %f', async (bonus) => {
  const sizes = { layers: 2, width: 24, heads: 2, kvHeads: 1, headSize: 12, mlpWidth: 32, vocabulary: 60_000 };
  const shape = { ...sizes, tied: true, qkvBias: false, qkNorm: false, normEpsilon: 1e-6, ropeBase: 100, context: 64 };
  const network = llama(shape, { lora: { rank: 4, alpha: 8, targets: ['q_proj', 'v_proj', 'down_proj'] } });
  const terms = { kind: 'gspo', kl: 'k3' } as const;
  const [sliced, stored] = [await learn(288, terms, network, bonus), await learn(64, terms, network, bonus)];
  expectAlike(sliced, stored);
});

onBothDevices(() => {
  test.each([
    { kind: 'clip', kl: 'k3' },
    { kind: 'gspo', kl: 'k2' },
    { kind: 'gmpo', kl: 'k1' },
  ] as const)('$kind: one micro-batch and many learn the same', async (terms) => {
    const alone = await learn(288, terms);
    const packed = await learn(64, terms);
    const oneByOne = await learn(32, terms);
    for (const other of [packed, oneByOne]) expectAlike(other, alone);
  });

  test.each([
    ['an infinite advantage', { advantage: Infinity }],
    ['a log-probability that is not a number', { oldLogProb: NaN }],
    ['a gradient that is not a number', { gradient: NaN }],
  ])('%s skips the update it is in, is counted, and leaves weights and totals as they were', async (_, broken) => {
    const device = await testDevice();
    const store = new ParameterStore(device, parameterSpecs(tinyShape));
    store.initialise(3);
    const learner = new Learner(device, store, transformer(tinyShape), { capacity: 192 });
    await device.compiled();
    const shape = { capacity: 192, aggregation: 'token-mean', lengthNorm: 32 } as const;
    const { advantage, oldLogProb, gradient }: { advantage?: number; oldLogProb?: number; gradient?: number } = broken;
    const spoilt = segments.map((segment, i) => {
      if (i !== 4) return segment;
      const spoil = (numbers: Float64Array, value: number | undefined) =>
        value === undefined ? numbers : numbers.map(() => value);
      return {
        ...segment,
        advantage: spoil(segment.advantage, advantage),
        oldLogProb: spoil(segment.oldLogProb, oldLogProb),
      };
    });
    const loss = {
      temperature: 1,
      clipLow: 0.2,
      clipHigh: 0.28,
      dualClip: 3,
      klCoefficient: 0,
      entropyCoefficient: 0.01,
    };
    const optimizer = { rate: 0.1, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };
    const before = await store.read(store.value);
    if (gradient !== undefined) writeTensor(device, store.gradient, Float32Array.of(gradient));
    learner.policyStep(pack(spoilt, shape), loss, optimizer);
    const report = await learner.report();
    expect(report.skipped).toBe(1);
    expect(report.gradientNorm, 'no update was made').toBeNull();
    for (const value of Object.values(report)) if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
    expect(await store.read(store.value)).toEqual(before);
    learner.policyStep(pack(segments, shape), loss, optimizer);
    expect(await learner.report()).toMatchObject({ skipped: 0, sites: pack(segments, shape).sites });
    expect(await store.read(store.value), 'training goes on').not.toEqual(before);
    learner.destroy();
    store.destroy();
  });

  test('the KL to the start is 0 before the policy moves, then what it is to the unrounded start', async () => {
    const device = await testDevice();
    const store = new ParameterStore(device, parameterSpecs(tinyShape));
    store.initialise(3);
    const learner = new Learner(device, store, transformer(tinyShape), { capacity: 192 });
    await device.compiled();
    const batch = pack(segments, { capacity: 192, aggregation: 'token-mean', lengthNorm: 32 });
    const logProbs = async (weights: 'current' | 'reference') =>
      (await learner.score(batch, 1, weights)).flatMap((score) => Array.from(score.logProbs));
    /** k3, at tokens that neither policy chose. */
    const kl = (policy: number[], reference: number[]) =>
      policy.reduce((sum, logProb, n) => sum + Math.exp(reference[n] - logProb) - (reference[n] - logProb) - 1, 0) /
      policy.length;
    const unrounded = await logProbs('current');
    await learner.setReference();
    const start = await logProbs('reference');
    expect(await logProbs('reference'), 'the same bits').toEqual(start);
    expect(await logProbs('current'), 'the policy was rounded, too, and is back').toEqual(start);
    expect(kl(unrounded, start)).toBeLessThan(1e-6);
    expect(kl(unrounded, start), 'what rounding moved').toBeGreaterThan(0);
    const optimizer = { rate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };
    for (let step = 0; step < 3; step++) learner.imitationStep(batch, optimizer);
    const policy = await logProbs('current');
    const [toStart, toUnrounded] = [kl(policy, start), kl(policy, unrounded)];
    expect(toUnrounded).toBeGreaterThan(1e-3);
    expect(Math.abs(toStart / toUnrounded - 1)).toBeLessThan(1e-3);
    learner.destroy();
    store.destroy();
  });
});
