/**
 * `bench --model`: steps of a pretrained model's shape with random weights, as a run takes them: a training micro-batch
 * of a LoRA adapter and a decode step, beside eager PyTorch where there is one. Both are timed in turn, so that a busy
 * machine slows both.
 */
import type { Device } from '../../device/device';
import { assert } from '../../lib/assert';
import { mean } from '../../lib/mean';
import { median } from '../../lib/median';
import { parseConfig, type RunConfig } from '../../config/config';
import { forPretrained } from '../../config/for-pretrained';
import { presetByName } from '../../config/presets';
import { pretrainedModel, promisedNetwork } from '../../model/families';
import { parameterCount } from '../../model/parameters';
import { buildRun } from '../../rl/learner/shapes';
import { pack } from '../../rl/learner/packing';
import { memoryParts, type MemoryParts } from '../../rl/memory-parts';
import { HeldBytes } from './held-bytes';
import type { ModelConfig, ModelShape } from './model-shapes';
import { peakLoop } from './peak';
import { randomModel } from './random-model';
import { optimizer, textSegment } from './suite';
import type { Torch, TorchSettings } from './torch';

/** Of a training step: 512 tokens, each but the first of a row in the loss. */
export const trainBatch = { rows: 2, length: 256 };
export const decoding = { prompt: 128, steps: 8 };
const decodeRows = [1, 8] as const;
const rounds = { least: 3, most: 9, ms: 20_000 };

export interface StepTimes {
  readonly step: string;
  /** Of the matrix products that cannot be left out: forward, and the gradient of what is passed on. */
  readonly gflop: number;
  readonly ms: number;
  /** Of what the threads can do, by the speed of one core; null for a GPU. */
  readonly share: number | null;
  readonly torchMs: number | null;
}

export interface ModelTimes {
  readonly model: string;
  readonly adapter: string;
  readonly layers: number;
  readonly allLayers: number;
  readonly threads: number;
  readonly coreGflops: number;
  readonly torch: string | null;
  readonly steps: readonly StepTimes[];
  /** Bytes at most while these steps ran, and what was planned for them. */
  readonly heldBytes: number;
  readonly plannedBytes: number;
  /** Of a run at full depth: 64 rollouts of up to 1,024 tokens. */
  readonly run: MemoryParts;
}

/** @param openTorch starts the same in PyTorch; null: there is none */
export async function benchModel(
  device: Device,
  shape: ModelShape,
  layers: number,
  threads: number,
  openTorch: ((settings: TorchSettings) => Promise<Torch>) | null,
): Promise<ModelTimes> {
  const held = new HeldBytes(device);
  const config = { ...shape.config, num_hidden_layers: layers };
  const run = runConfig(shape.config);
  const { rank, alpha } = run.model.pretrained!;
  const torch = openTorch && (await openTorch({ config, rank, alpha, threads, ...trainBatch, ...decoding }));
  try {
    const small = withRollouts(run, decodeRows.at(-1)!);
    const steps = await openSteps(device, config, small);
    const trained = parameterCount(steps.network.specs.filter(({ frozen }) => !frozen));
    assert(!torch || torch.trained === trained, () => `PyTorch trains ${torch!.trained} numbers, and this ${trained}`);
    const peak = await peakLoop();
    const cores: number[] = [];
    const times: Omit<StepTimes, 'share'>[] = [];
    for (const { step, name, flop, run: time } of steps.list) {
      const pairs = await inTurn(time, torch && (() => torch.time(step)), () => cores.push(peak()));
      const torchMs = torch && median(pairs.map(([, its]) => its));
      times.push({ step: name, gflop: flop / 1e9, ms: median(pairs.map(([own]) => own)), torchMs });
    }
    const coreGflops = median(cores);
    const share = ({ gflop, ms }: { gflop: number; ms: number }) =>
      device.adapter.kind === 'cpu' ? (1000 * gflop) / ms / (coreGflops * threads) : null;
    return {
      model: shape.name,
      adapter: device.adapter.name,
      layers,
      allLayers: shape.config.num_hidden_layers,
      threads,
      coreGflops,
      torch: torch && torch.version,
      steps: times.map((each) => ({ ...each, share: share(each) })),
      heldBytes: held.peak,
      plannedBytes: memoryParts(small, steps.network).total,
      run: memoryParts(run, promisedNetwork(shape.config, run.model.pretrained!)),
    };
  } finally {
    torch?.stop();
  }
}

/** What `--model` makes of the calculator: 64 rollouts in a context of 1,024 tokens. */
export function runConfig(config: ModelConfig): RunConfig {
  const found = { name: 'random', digest: '0'.repeat(64), context: Number(config.max_position_embeddings) };
  return parseConfig(forPretrained(presetByName('calculator').config, found));
}

/** The same for so many rollouts, and as many tasks of validation. */
export function withRollouts(config: RunConfig, count: number): RunConfig {
  return {
    ...config,
    rollout: { ...config.rollout, tasks: 1, group: count },
    evaluation: { ...config.evaluation, tasks: count },
  };
}

/** Pairs of milliseconds, after both were run once. @param between is called in each round */
async function inTurn(
  own: () => Promise<number>,
  other: (() => Promise<number>) | null,
  between: () => void,
): Promise<[number, number][]> {
  await own();
  await other?.();
  const pairs: [number, number][] = [];
  const start = performance.now();
  while (pairs.length < rounds.least || (pairs.length < rounds.most && performance.now() - start < rounds.ms)) {
    between();
    pairs.push([await own(), other ? await other() : NaN]);
  }
  return pairs;
}

/** The model on the device, and the steps that are timed. */
async function openSteps(device: Device, config: ModelConfig, run: RunConfig) {
  const { pretrained, context } = run.model;
  const network = await pretrainedModel(randomModel(config), { ...pretrained!, context }, []);
  const { store, learner, sampler } = buildRun(device, run, network);
  store.initialise(1);
  await network.loadBase!(device, store);
  await device.compiled();
  const { rows, length } = trainBatch;
  const segments = Array.from({ length: rows }, (_, row) => textSegment(network.vocabulary, length + 1, row));
  const packed = pack(segments, { capacity: learner.capacity, aggregation: 'token-mean', lengthNorm: length });
  const before = -mean((await learner.score(packed, 1, 'current')).flatMap((score) => [...score.logProbs]));
  learner.imitationStep(packed, optimizer);
  const { loss } = await learner.report();
  if (!(Math.abs(loss - before) < 1e-3 * before))
    throw new Error(`The training loss is ${loss}, but the scored log-probs say ${before}.`);

  const timed = async (count: number, work: () => void | Promise<unknown>) => {
    const start = performance.now();
    await work();
    await device.idle();
    return (performance.now() - start) / count;
  };
  const sampling = { temperature: 1, topK: 0, topP: 1, stopTokens: [], seed: 1, iteration: 1 };
  const decode = async (count: number) => {
    const prompts = Array.from({ length: count }, (_, slot) => {
      return { slot, tokens: Array.from({ length: decoding.prompt }, (_item, i) => 3 + 7 * slot + i) };
    });
    // The prompts are cached by the first, so only decode steps are timed.
    await sampler.sample(prompts, { ...sampling, maxTokens: 1 });
    return timed(decoding.steps, () => sampler.sample(prompts, { ...sampling, maxTokens: decoding.steps }));
  };
  const { trunk, head } = network.flop;
  return {
    network,
    list: [
      {
        step: 'train',
        name: `training step of ${rows} × ${length} tokens`,
        flop: 2 * (trunk + head) * rows * length,
        run: () => timed(1, () => learner.imitationStep(packed, optimizer)),
      },
      ...decodeRows.map((count) => ({
        step: `decode ${count}`,
        name: `decode step of ${count} ${count === 1 ? 'row' : 'rows'}`,
        flop: (trunk + head) * count,
        run: () => decode(count),
      })),
    ],
  };
}
