/**
 * Hashes of what the CPU device computes: of every kernel, and of 20 training steps. They are the same in Node,
 * Chromium and Firefox and for any number of threads, so this file runs in all of them.
 */
import { Commands, readTensors } from '../../src/device/commands';
import type { BufferRange, Dispatch } from '../../src/device/device';
import { Tape } from '../../src/device/tape';
import { writeTensor, type Tensor } from '../../src/device/tensor';
import type { WasmDevice } from '../../src/device/wasm/wasm-device';
import { packHalfRows } from '../../src/lib/half';
import { sha256 } from '../../src/lib/sha256';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs, type TransformerShape } from '../../src/model/transformer/shape';
import { crossEntropy } from '../../src/ops/cross-entropy';
import { embedding } from '../../src/ops/embedding';
import { headNorm } from '../../src/ops/head-norm';
import { lora } from '../../src/ops/lora';
import { matmul } from '../../src/ops/matmul';
import { statsPerSite } from '../../src/ops/policy-loss';
import { Rows } from '../../src/ops/rows';
import { sliceLogits } from '../../src/ops/vocabulary-slices';
import { Learner, type LearnerOptions } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import { imageOf, patchLength, type PlacedImage } from '../../src/text/image';
import { tinyShape } from '../helpers/tiny-model';

export interface Bits {
  /** Of everything that a kernel has read and written, by `shader.entry`. */
  readonly kernels: Readonly<Record<string, string>>;
  /** Of the weights after 20 steps. */
  readonly steps: string;
  /** Of a product with frozen halves, its softmax in slices, and the gradient behind them. */
  readonly halves: string;
}

export async function bitsOf(device: WasmDevice): Promise<Bits> {
  const seen = watch(device);
  // Two shapes and two losses use every kernel.
  await train(device, tinyShape, { capacity: 1088, critic: { network: 'separate', clip: 0.5 } }, 1);
  const gelu: TransformerShape = { ...tinyShape, mlp: 'gelu', qkvBias: true, tied: false, ropeStyle: 'interleaved' };
  await train(device, gelu, { capacity: 300, terms: { kind: 'gspo', kl: 'k2' } }, 1);
  const kernels = await seen.end();
  const seenOfImages = watch(device);
  await train(device, { ...tinyShape, patchLength }, { capacity: 300 }, 1);
  const ofImages = Object.entries(await seenOfImages.end()).filter(([kernel]) => !(kernel in kernels));
  const seenOfPretrained = watch(device);
  const product = await multiplyHalves(device);
  adaptHeads(device);
  const ofPretrained = Object.entries(await seenOfPretrained.end()).filter(([kernel]) => !(kernel in kernels));
  const seenOfBlocks = watch(device);
  shareActivations(device);
  const ofBlocks = Object.entries(await seenOfBlocks.end()).filter(([kernel]) => kernel === 'zero.forward');
  const seenOfHead = watch(device);
  trainThroughHead(device);
  const ofHead = Object.entries(await seenOfHead.end()).filter(([kernel]) =>
    /^softmax-slices\.(weigh|pull)$/.test(kernel),
  );
  const weights = await train(device, { ...tinyShape, width: 64, headSize: 16, vocabulary: 61 }, { capacity: 512 }, 10);
  return {
    kernels: sorted([...Object.entries(kernels), ...ofImages, ...ofPretrained, ...ofBlocks, ...ofHead]),
    steps: await sha256(weights),
    halves: await sha256(product),
  };
}

/** Trains on pseudo-random segments, then samples. @returns the weights */
async function train(device: WasmDevice, shape: TransformerShape, options: LearnerOptions, rounds: number) {
  const store = new ParameterStore(device, parameterSpecs(shape));
  store.initialise(3);
  const learner = new Learner(device, store, transformer(shape), options);
  await learner.setReference();
  const batch = pack(segmentsOf(shape), { capacity: options.capacity, aggregation: 'token-mean', lengthNorm: 32 });
  const optimizer = { rate: 3e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1, clip: 1 };
  const loss = {
    temperature: 0.9,
    clipLow: 0.2,
    clipHigh: 0.28,
    dualClip: 3,
    klCoefficient: 0.1,
    entropyCoefficient: 0.01,
  };
  const critic = options.critic && { coefficient: 0.5, optimizer };
  for (let round = 0; round < rounds; round++) {
    learner.imitationStep(batch, optimizer);
    learner.policyStep(batch, loss, optimizer, critic);
  }
  await learner.score(batch, 1, 'reference');
  await learner.report();
  const sampler = new Sampler(device, store, transformer(shape), { slots: 6, contextLength: 64 });
  const prompt = [1, 5, 9, 2, 8, 3];
  const images = imagesOf(shape, 3);
  const prompts = Array.from({ length: 6 }, (_, slot) => ({
    slot,
    tokens: slot < 3 ? prompt : [...prompt, slot],
    ...(images && { images }),
  }));
  const sampling = { temperature: 0.8, topK: 20, topP: 0.9, maxTokens: 12, stopTokens: [0], seed: 7, iteration: 2 };
  await sampler.sample(prompts, sampling);
  await sampler.sample(prompts, { ...sampling, topK: 0, topP: 1 });
  const weights = new Float32Array([...(await store.read(store.value)).values()].flatMap((part) => [...part]));
  for (const part of [sampler, learner, store]) part.destroy();
  return weights;
}

/**
 * Rows of a table of halves by another one, and cross-entropy of that product in slices, which backward computes again.
 *
 * @returns the product, the statistics and the gradient of the rows
 */
async function multiplyHalves(device: WasmDevice): Promise<Float32Array<ArrayBuffer>> {
  const [V, D, N] = [150, 601, 19];
  const tape = new Tape(device, true);
  const [table, weight] = [tape.constant('table', [V, D], 'f16'), tape.constant('weight', [V, D], 'f16')];
  const numbers = Float32Array.from({ length: V * D }, (_, i) => ((i * 7919) % 2003) / 2003 - 0.5);
  writeTensor(device, table, packHalfRows(numbers, D));
  writeTensor(device, weight, packHalfRows(numbers.toReversed(), D));
  const tokens = tape.constant('tokens', [N], 'u32');
  writeTensor(
    device,
    tokens,
    Uint32Array.from({ length: N }, (_, i) => (i * 17) % V),
  );
  const x = embedding(tape, table, tokens);
  const y = matmul(tape, x, weight, { name: 'y', transposeB: true });
  const rows = new Rows(tape, N - 2);
  const sites = tape.constant('sites', [N, 4]);
  writeTensor(
    device,
    sites,
    Float32Array.from({ length: 4 * (N - 2) }, (_, i) => (i % 5) / 5),
  );
  const stats = tape.constant('stats', [N, statsPerSite]);
  const again = { ...sliceLogits(tape, x, weight, rows, 1), pull: null };
  crossEntropy(tape, again, { targets: tokens, sites, stats }, rows);
  const plan = tape.seal();
  new Commands(device).run(plan.forward).copy(y, y.grad!).run(plan.backward).submit();
  const parts = await readTensors(device, [y, stats, x.grad!]);
  plan.destroy();
  return new Float32Array(parts.flatMap((part) => [...part]));
}

/** Cross-entropy of a frozen head in slices of 64 tokens, and the gradient of the hidden states. */
function trainThroughHead(device: WasmDevice): void {
  const [V, D, M] = [150, 603, 19];
  const tape = new Tape(device, true);
  const numbers = (count: number) => Float32Array.from({ length: count }, (_, i) => ((i * 7919) % 2003) / 2003 - 0.5);
  const weight = tape.constant('weight', [V, D], 'f16');
  writeTensor(device, weight, packHalfRows(numbers(V * D), D));
  const hidden = tape.activation('hidden', [M, D]);
  writeTensor(device, hidden, numbers(M * D));
  const targets = tape.constant('targets', [M], 'u32');
  writeTensor(
    device,
    targets,
    Uint32Array.from({ length: M }, (_, i) => (i * 17) % V),
  );
  const sites = tape.constant('sites', [M, 4]);
  writeTensor(
    device,
    sites,
    Float32Array.from({ length: 4 * M }, (_, i) => (i % 5) / 5),
  );
  const rows = new Rows(tape, M - 2);
  const stats = tape.constant('stats', [M, statsPerSite]);
  crossEntropy(tape, sliceLogits(tape, hidden, weight, rows, 1), { targets, sites, stats }, rows);
  const plan = tape.seal();
  new Commands(device).run(plan.forward).run(plan.backward).submit();
  plan.destroy();
}

/** An adapter of normalised heads, forwards and backwards. */
function adaptHeads(device: WasmDevice): void {
  const [N, rank, layout] = [19, 3, { heads: 2, kvHeads: 1, headSize: 6 }];
  const width = 24;
  const tape = new Tape(device, true);
  const filled = (tensor: Tensor) => {
    const numbers = Float32Array.from({ length: tensor.sizeBytes / 4 }, (_, i) => ((i * 7919) % 2003) / 2003 - 0.5);
    writeTensor(device, tensor, numbers);
    return tensor;
  };
  const weight = filled(tape.constant('norm', [layout.headSize]));
  const x = filled(tape.activation('qkv', [N, width]));
  const y = headNorm(tape, x, { query: weight, key: weight }, 1e-6, layout);
  const parts = [
    { first: 0, width: 12 },
    { first: 18, width: 6 },
  ];
  const hidden = filled(tape.activation('low rank', [N, parts.length * rank]));
  lora(tape, y, hidden, filled(tape.activation('lora_B', [18, rank])), { scale: 2, parts, isOn: () => true });
  const plan = tape.seal();
  new Commands(device).run(plan.forward).copy(y, y.grad!).run(plan.backward).submit();
  plan.destroy();
}

/** Two norms in a block: the gradient between them is cleared before each backward pass. */
function shareActivations(device: WasmDevice): void {
  const layout = { heads: 2, kvHeads: 1, headSize: 6 };
  const tape = new Tape(device, true);
  const weight = tape.constant('norm', [layout.headSize]);
  writeTensor(
    device,
    weight,
    Float32Array.from({ length: layout.headSize }, (_, i) => 1 + i / 8),
  );
  const norm = (x: Tensor) => headNorm(tape, x, { query: weight, key: weight }, 1e-6, layout);
  const x = tape.activation('qkv', [19, 24]);
  writeTensor(
    device,
    x,
    Float32Array.from({ length: 19 * 24 }, (_, i) => ((i * 7919) % 2003) / 2003 - 0.5),
  );
  const y = tape.block(() => norm(norm(x)));
  const plan = tape.seal();
  new Commands(device).run(plan.forward).copy(y, y.grad!).run(plan.backward).submit();
  plan.destroy();
}

/** A model that sees images sees one at the second and third token. */
function imagesOf({ patchLength: seen }: TransformerShape, key: number): PlacedImage[] | undefined {
  if (seen === undefined) return undefined;
  const bytes = Array.from({ length: 2 * patchLength }, (_, i) => (i * i * 7 + key * 31 + i) % 256);
  return [{ at: 1, image: imageOf(8, 16, bytes) }];
}

function segmentsOf(shape: TransformerShape): Segment[] {
  const { vocabulary } = shape;
  return Array.from({ length: 40 }, (_, trajectory): Segment => {
    const n = 5 + ((trajectory * 7) % 23);
    // Pairs of segments begin alike.
    const row = trajectory >> 1;
    const tokens = Uint32Array.from(
      { length: n },
      (_, i) => (i * i * 3 + (i < 4 ? row : trajectory) * 11) % vocabulary,
    );
    const inLoss = Uint8Array.from(tokens, (_, i) => (i > 3 && i % 3 !== 0 ? 1 : 0));
    const images = imagesOf(shape, row);
    return {
      trajectory,
      tokens,
      ...(images && { images }),
      inLoss,
      sampled: inLoss,
      oldLogProb: Float64Array.from(tokens, (_, i) => -3 - (i % 5) / 10),
      advantage: new Float64Array(n).fill(trajectory % 2 === 0 ? 1 : -0.5),
      critic: {
        value: new Float64Array(n),
        target: Float64Array.from(tokens, (token) => (token % 5) / 5),
        trained: Uint8Array.from(tokens, (_, i) => i % 2),
      },
      step: new Uint32Array(n),
      index: new Uint32Array(n),
    };
  });
}

/** Looks at the tensors of each dispatch after it has run. `end` ends it. @returns hashes by kernel */
function watch(device: WasmDevice): { end(): Promise<Record<string, string>> } {
  const tensors = new Map<Dispatch, readonly BufferRange[]>();
  const seen = new Map<string, Uint8Array[]>();
  const bind = device.bind.bind(device);
  const encoder = device.encoder.bind(device);
  device.bind = (shader, entry, constants, bound, grid) => {
    const dispatch = bind(shader, entry, constants, bound, grid);
    tensors.set(dispatch, Object.values(bound));
    return dispatch;
  };
  device.encoder = () => {
    let inner = encoder();
    const runEach = (dispatches: readonly Dispatch[]) => {
      for (const dispatch of dispatches) {
        inner.run([dispatch]);
        inner.submit();
        inner = encoder();
        const copies = seen.get(dispatch.label) ?? [];
        copies.push(...tensors.get(dispatch)!.map((range) => Uint8Array.from(device.bytesOf(range))));
        seen.set(dispatch.label, copies);
      }
    };
    return {
      clear: (range) => inner.clear(range),
      copy: (from, to) => inner.copy(from, to),
      run: runEach,
      stage: (range, staging) => inner.stage(range, staging),
      submit: () => inner.submit(),
    };
  };
  return {
    async end() {
      Object.assign(device, { bind, encoder });
      const hashes: Record<string, string> = {};
      for (const [label, copies] of seen) hashes[label] = await sha256(joined(copies));
      return sorted(Object.entries(hashes));
    },
  };
}

const sorted = (hashes: readonly [string, string][]): Record<string, string> =>
  Object.fromEntries(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
