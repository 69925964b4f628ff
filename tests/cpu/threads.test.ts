/** Threads of the CPU device that come late or never change no bit, and hold up only the part they have taken. */
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Walker } from '../../src/device/wasm/program.js';
import { WasmDevice, type ThreadPool } from '../../src/device/wasm/wasm-device';
import { sha256 } from '../../src/lib/sha256';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { Learner } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import { tinyShape } from '../helpers/tiny-model';
import { delay } from './delays.js';

const shape = { ...tinyShape, width: 64, headSize: 16 };
const optimizer = { rate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1, clip: 1 };

/** Of the weights after three steps, and of what is sampled with them. */
async function bitsOf(device: WasmDevice): Promise<string> {
  const store = new ParameterStore(device, parameterSpecs(shape));
  store.initialise(3);
  const learner = new Learner(device, store, transformer(shape), { capacity: 256 });
  const segments = Array.from({ length: 12 }, (_, row) => segmentOf(row, 9 + row));
  const batch = pack(segments, { capacity: 256, aggregation: 'token-mean', lengthNorm: 32 });
  for (let step = 0; step < 3; step++) learner.imitationStep(batch, optimizer);
  const sampler = new Sampler(device, store, transformer(shape), { slots: 6, contextLength: 64 });
  const prompts = Array.from({ length: 6 }, (_, slot) => ({ slot, tokens: [1, 5, 2 + slot] }));
  const sampling = { temperature: 1, topK: 0, topP: 0.9, maxTokens: 12, stopTokens: [0], seed: 7, iteration: 2 };
  const actions = await sampler.sample(prompts, sampling);
  const weights = new Float32Array([...(await store.read(store.value)).values()].flatMap((part) => [...part]));
  for (const part of [sampler, learner, store]) part.destroy();
  return `${await sha256(weights)} ${JSON.stringify(actions.map(({ tokens }) => [...tokens]))}`;
}

function segmentOf(row: number, n: number): Segment {
  const tokens = Uint32Array.from({ length: n }, (_, i) => (i * i * 3 + row * 11) % shape.vocabulary);
  const inLoss = Uint8Array.from(tokens, (_, i) => (i > 1 ? 1 : 0));
  return {
    trajectory: row,
    tokens,
    inLoss,
    sampled: inLoss,
    oldLogProb: new Float64Array(n),
    advantage: new Float64Array(n),
    step: new Uint32Array(n),
    index: new Uint32Array(n),
  };
}

async function bitsWith(pool?: ThreadPool): Promise<string> {
  const device = await WasmDevice.open(pool);
  try {
    return await bitsOf(device);
  } finally {
    device.destroy();
  }
}

/** Threads that sleep now and then. */
const delayedThreads = (count: number, seed: number): ThreadPool => ({
  count,
  async start(start) {
    const worker = new Worker(new URL('./delayed-thread.mjs', import.meta.url), { workerData: { start, seed } });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    worker.unref();
  },
});

test('threads that never come hold up nothing', async () => {
  expect(await bitsWith({ count: 3, start: async () => undefined })).toBe(await bitsWith());
});

test.each([2, 3, 4])('%i threads with delays at the worst places give the bits of one', async (threads) => {
  const expected = await bitsWith();
  for (const seed of [10, 20, 30]) {
    const end = delay(Walker.prototype, seed);
    const bits = await bitsWith(delayedThreads(threads - 1, seed)).finally(end);
    expect(bits).toBe(expected);
  }
});
