/** Layers whose activations are not kept: the same bits forward and backward, on less memory. */
import { describe, expect, test } from 'vitest';
import { textSegment } from '../../../src/cli/bench/suite';
import { readTensor } from '../../../src/device/commands';
import type { Device } from '../../../src/device/device';
import { DryDevice } from '../../../src/device/dry-device';
import { elementCount, writeTensor, type Tensor } from '../../../src/device/tensor';
import { llama } from '../../../src/model/llama/network';
import { ParameterStore } from '../../../src/model/parameters';
import { Sampler } from '../../../src/model/sampler';
import { Learner } from '../../../src/rl/learner/learner';
import { pack } from '../../../src/rl/learner/packing';
import { onBothDevices, testDevice } from '../../helpers/devices';

const tiny = {
  vocabulary: 64,
  layers: 3,
  width: 24,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  mlpWidth: 40,
  tied: true,
  qkvBias: true,
  qkNorm: false,
  normEpsilon: 1e-6,
  ropeBase: 100,
  context: 256,
};
const targets = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;
const lora = { rank: 4, alpha: 8, targets };
const optimizer = { rate: 0.02, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 };
const [kept, again] = [Infinity, 0];

const numbersOf = ({ shape }: Tensor) =>
  Float32Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(1.3 * i));

/** Scores, then weights after some steps on two micro-batches, of which the last is not full. */
async function learned(device: Device, shape: typeof tiny, maxKeptBytes: number, isWhole: boolean) {
  const network = llama(shape, isWhole ? { fromNothing: true, maxKeptBytes } : { lora, maxKeptBytes });
  const store = new ParameterStore(device, network.specs);
  store.initialise(3);
  for (const { name, frozen } of network.specs)
    if (frozen) writeTensor(device, store.get(name), numbersOf(store.get(name)));
  const learner = new Learner(device, store, network, { capacity: 64 });
  await device.compiled();
  const segments = [40, 30, 20].map((length, row) => textSegment(shape.vocabulary, length, row));
  const batch = pack(segments, { capacity: 64, aggregation: 'token-mean', lengthNorm: 16 });
  expect(batch.microBatches.length).toBe(2);
  const scores = await learner.score(batch, 1, 'current');
  for (let step = 0; step < 4; step++) learner.imitationStep(batch, optimizer);
  const report = await learner.report();
  const weights = [...(await readTensor(device, store.value))];
  for (const part of [learner, store]) part.destroy();
  return { scores, report, weights };
}

onBothDevices(() => {
  test.each([
    ['an adapter', tiny, false],
    ['an adapter on normed heads', { ...tiny, qkvBias: false, qkNorm: true }, false],
    ['a model from nothing', tiny, true],
  ] as const)('%s has the same bits whether layers are kept or computed again', async (_, shape, isWhole) => {
    const device = await testDevice();
    const reference = await learned(device, shape, kept, isWhole);
    expect(reference.report.gradientNorm).toBeGreaterThan(0);
    expect(await learned(device, shape, again, isWhole)).toEqual(reference);
  });
});

describe('memory, counted dry', () => {
  const bytes = (layers: number, maxKeptBytes: number, what: 'train' | 'sample') => {
    const device = new DryDevice();
    const network = llama({ ...tiny, layers }, { lora, maxKeptBytes });
    const store = new ParameterStore(device, network.specs);
    const before = device.buffers.length;
    if (what === 'train') new Learner(device, store, network, { capacity: 256 });
    else new Sampler(device, store, network, { slots: 4, contextLength: 32 });
    return device.buffers.slice(before).reduce((sum, each) => sum + each.bytes, 0);
  };

  test('a layer more costs its output and gradient, beside statistics of its rows', () => {
    const ofLayer = (maxKeptBytes: number) => bytes(9, maxKeptBytes, 'train') - bytes(8, maxKeptBytes, 'train');
    const output = 2 * 4 * 256 * tiny.width;
    expect(ofLayer(again)).toBeGreaterThan(output);
    expect(ofLayer(again)).toBeLessThan(2 * output);
    expect(ofLayer(kept)).toBeGreaterThan(8 * output);
  });

  test('sampling keeps a layer’s output alone', () => {
    const cache = 4 * 32 * 2 * tiny.kvHeads * tiny.headSize * 4;
    const prefilled = 1024 * tiny.width * 4;
    const ofLayer = bytes(9, kept, 'sample') - bytes(8, kept, 'sample');
    expect(ofLayer).toBeLessThan(cache + 1.4 * prefilled);
  });
});
