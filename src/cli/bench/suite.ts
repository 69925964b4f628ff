/**
 * The benchmark itself, the same in Node and in a browser: training steps and sampling of two model shapes, matmul,
 * and the draw of a token alone.
 * Every timed result is checked first or after; a wrong one throws. It prints nothing and opens no device.
 */
import type { Device, KernelTime } from '../../device/device';
import { mean } from '../../lib/mean';
import { median } from '../../lib/median';
import { ParameterStore } from '../../model/parameters';
import { Sampler } from '../../model/sampler';
import { Learner } from '../../rl/learner/learner';
import { eachSite, pack } from '../../rl/learner/packing';
import type { Segment } from '../../rl/learner/segments';
import { benchDraw, type DrawTimes } from './draw';
import { benchMatmul, type MatmulTimes } from './matmul';
import { benchModels, type BenchModel } from './models';
import type { SandboxTimes } from './sandbox';

export interface TrainTimes {
  readonly tokensPerSecond: number;
  /** Per step, after the first. */
  readonly dispatches: number;
  readonly passes: number;
  readonly submits: number;
  readonly newBindGroups: number;
  readonly newBuffers: number;
  /** GPU time of each kernel in a step, where it was asked for. */
  readonly kernels?: readonly KernelTime[];
}

/** What is measured on a device; the sandbox needs none. */
export interface DeviceReport {
  readonly adapter: string;
  /** GFLOP/s by shape. */
  readonly matmul: MatmulTimes;
  readonly train: Readonly<Record<'S' | 'M', TrainTimes>>;
  readonly sample: Readonly<Record<'S' | 'M', { readonly tokensPerSecond: number }>>;
  readonly draw: readonly DrawTimes[];
}

export interface BenchReport extends DeviceReport {
  readonly sandbox: SandboxTimes;
}

const steps = 5;
const conversations = 16;
const newTokens = 64;
export const optimizer = { rate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };

/** @param withKernels also time every kernel of a training step; needs timestamp queries */
export async function runBench(
  device: Device,
  withKernels: boolean,
  onProgress: (what: string) => void,
): Promise<DeviceReport> {
  if (withKernels && !device.canProfile)
    throw new Error(`${device.adapter.name} cannot time its kernels: it lacks timestamp queries.`);
  onProgress('matmul');
  const matmul = await benchMatmul(device);
  const train = {} as Record<'S' | 'M', TrainTimes>;
  const sample = {} as Record<'S' | 'M', { tokensPerSecond: number }>;
  for (const name of ['S', 'M'] as const) {
    onProgress(`training ${name}`);
    train[name] = await benchTraining(device, benchModels[name], withKernels);
    onProgress(`sampling ${name}`);
    sample[name] = await benchSampling(device, benchModels[name]);
  }
  onProgress('the draw of a token');
  const draw = await benchDraw(device);
  if (device.uncapturedError !== null) throw new Error(`The GPU reported an error: ${device.uncapturedError}`);
  return { adapter: device.adapter.name, matmul, train, sample, draw };
}

async function benchTraining(
  device: Device,
  { network, batch, length }: BenchModel,
  withKernels: boolean,
): Promise<TrainTimes> {
  const store = new ParameterStore(device, network.specs);
  store.initialise(1);
  const learner = new Learner(device, store, network, { capacity: batch * length });
  await device.compiled();
  const rows = Array.from({ length: batch }, (_, row) => textSegment(network.vocabulary, length + 1, row));
  const packed = pack(rows, { capacity: batch * length, aggregation: 'token-mean', lengthNorm: length });
  const before = -mean((await learner.score(packed, 1, 'current')).flatMap((score) => [...score.logProbs]));
  learner.imitationStep(packed, optimizer);
  const first = await learner.report();
  if (Math.abs(first.loss - before) > 1e-3)
    throw new Error(`The training loss is ${first.loss}, but the scored log-probs say ${before}.`);
  device.resetCounters();
  const milliseconds: number[] = [];
  for (let step = 0; step < steps; step++) {
    const start = performance.now();
    learner.imitationStep(packed, optimizer);
    await device.idle();
    milliseconds.push(performance.now() - start);
  }
  const { dispatches, passes, submits, bindGroups, buffers } = device.counters;
  const last = await learner.report();
  if (!(last.loss < first.loss))
    throw new Error(`${steps} steps on one batch did not lower the loss: ${first.loss} → ${last.loss}.`);
  const kernels = withKernels ? await learner.profile(packed) : undefined;
  learner.destroy();
  store.destroy();
  const perStep = (count: number) => count / steps;
  return {
    tokensPerSecond: Math.round((1000 * batch * length) / median(milliseconds)),
    dispatches: perStep(dispatches),
    passes: perStep(passes),
    submits: perStep(submits),
    newBindGroups: perStep(bindGroups),
    newBuffers: perStep(buffers),
    ...(kernels && { kernels }),
  };
}

async function benchSampling(device: Device, { network }: BenchModel): Promise<{ tokensPerSecond: number }> {
  const store = new ParameterStore(device, network.specs);
  store.initialise(2);
  const sampler = new Sampler(device, store, network, { slots: conversations, contextLength: 128 });
  await device.compiled();
  const prompts = Array.from({ length: conversations }, (_, slot) => ({ slot, tokens: [1, 2 + slot] }));
  const sampling = { temperature: 1, topK: 0, topP: 1, maxTokens: newTokens, stopTokens: [], seed: 3, iteration: 1 };
  const actions = await sampler.sample(prompts, sampling);
  await checkLogProbs(device, store, prompts, actions);
  const milliseconds: number[] = [];
  for (let round = 0; round < steps; round++) {
    sampler.clearCache();
    const start = performance.now();
    const again = await sampler.sample(prompts, sampling);
    milliseconds.push(performance.now() - start);
    if (JSON.stringify(again) !== JSON.stringify(actions))
      throw new Error('Sampling twice with one seed gave different tokens.');
  }
  sampler.destroy();
  store.destroy();
  return { tokensPerSecond: Math.round((1000 * conversations * newTokens) / median(milliseconds)) };

  /** The sampler's log-probs against a training forward pass over the same tokens. */
  async function checkLogProbs(
    gpu: Device,
    weights: ParameterStore,
    given: typeof prompts,
    drawn: typeof actions,
  ): Promise<void> {
    const learner = new Learner(gpu, weights, network, { capacity: conversations * 128 });
    await gpu.compiled();
    const segments = drawn.map((action, i) =>
      segmentOf([...given[i].tokens, ...action.tokens], given[i].tokens.length, i),
    );
    const packed = pack(segments, { capacity: conversations * 128, aggregation: 'token-mean', lengthNorm: 128 });
    const scores = (await learner.score(packed, 1, 'current')).map(({ logProbs }) => logProbs);
    eachSite(packed, scores, (i, token, logProb) => {
      const error = Math.abs(logProb - drawn[i].logProbs[segments[i].index[token]]);
      if (!(error <= 1e-4)) throw new Error(`The sampler's log-prob differs from the trainer's by ${error}.`);
    });
    learner.destroy();
  }
}

/** A row of text with a pattern to learn: every token follows from the one before. */
export function textSegment(vocabulary: number, length: number, row: number): Segment {
  const tokens = Array.from({ length }, (_, i) => (row + 3 * i) % vocabulary);
  return segmentOf(tokens, 1, row);
}

/** All tokens after the first `prompt` are in the loss. */
function segmentOf(tokens: readonly number[], prompt: number, trajectory: number): Segment {
  const n = tokens.length;
  const inLoss = Uint8Array.from(tokens, (_, i) => (i >= prompt ? 1 : 0));
  const index = Uint32Array.from(tokens, (_, i) => Math.max(0, i - prompt));
  const zeros = () => new Float64Array(n);
  return {
    trajectory,
    tokens: Uint32Array.from(tokens),
    inLoss,
    sampled: inLoss,
    oldLogProb: zeros(),
    advantage: zeros(),
    step: new Uint32Array(n),
    index,
  };
}
