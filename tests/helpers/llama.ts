/** A model of the vectors on a device: sequences in one packed batch, with the vectors' own targets. */
import { Commands, readTensor, readTensors } from '../../src/device/commands';
import type { Device } from '../../src/device/device';
import { Tape } from '../../src/device/tape';
import { writeTensor, type Tensor } from '../../src/device/tensor';
import { openTensors, readJson } from '../../src/lib/stored-tensors';
import type { LlamaShape } from '../../src/model/llama/shape';
import { shapeOfConfig } from '../../src/model/llama/hf-config';
import type { LoraSettings } from '../../src/model/llama/layers';
import { loadWeights, sourcesOf, storedHalves } from '../../src/model/llama/load';
import { llama } from '../../src/model/llama/network';
import type { Network } from '../../src/model/model';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { crossEntropy } from '../../src/ops/cross-entropy';
import { Rows } from '../../src/ops/rows';
import { alone } from './ranges';
import type { PretrainedVectors } from './pretrained';

/** Keeps every activation by its name; names come again, in the order of the ops. */
export class TracingTape extends Tape {
  readonly activations: Tensor[] = [];

  override activation(name: string, shape: readonly number[]): Tensor {
    const tensor = super.activation(name, shape);
    this.activations.push(tensor);
    return tensor;
  }
}

export async function shapeOf({ files }: PretrainedVectors): Promise<LlamaShape> {
  return shapeOfConfig(await readJson(files, 'config.json'));
}

/**
 * The network, and a store with the base's weights from the files: matrices of 16 bits as halves, unless all are to be
 * in full precision.
 */
export async function loadedModel(
  device: Device,
  vectors: PretrainedVectors,
  lora?: LoraSettings,
  precision: 'as stored' | 'full' = 'as stored',
) {
  const shape = await shapeOf(vectors);
  const sources = sourcesOf(shape, await openTensors(vectors.files));
  const halves = precision === 'full' ? undefined : storedHalves(sources);
  const network = llama(shape, { lora, halves });
  const store = new ParameterStore(device, network.specs);
  await loadWeights(device, store, sources);
  return { shape, network, store };
}

/** Forward, loss and backward of the vectors' sequences as one batch without padding. */
export class VectorBatch {
  readonly tape: TracingTape;
  private readonly logits: Tensor;
  private readonly stats: Tensor;
  private readonly plan;
  private readonly lossPlan;

  constructor(
    readonly device: Device,
    network: Network,
    store: ParameterStore,
    private readonly vectors: PretrainedVectors,
  ) {
    const { sequences, targets, counted } = vectors.expected;
    const tape = (this.tape = new TracingTape(device, true));
    const flat: number[] = sequences.flat();
    const N = flat.length;
    const integers = (name: string, values: readonly number[], width = 1) => {
      const tensor = tape.constant(name, width === 1 ? [N] : [N, width], 'u32');
      writeTensor(device, tensor, Uint32Array.from(values));
      return tensor;
    };
    const rows = new Rows(tape, N);
    const network_ = network.build(tape, store);
    const hidden = network_.atSites({
      tokens: integers('tokens', flat),
      positions: integers(
        'positions',
        sequences.flatMap((sequence: number[]) => sequence.map((_, t) => t)),
      ),
      ranges: integers('ranges', alone(sequences.map((sequence: number[]) => sequence.length)), 4),
      site: integers(
        'site',
        flat.map((_, n) => n),
      ),
      patches: null,
      usedPositions: rows,
      usedSites: rows,
    });
    this.logits = network_.logits(hidden, rows);
    const wanted: number[] = targets.flat();
    const sites = tape.constant('sites', [N, 4]);
    const weights = wanted.flatMap((target) => [0, 0, 0, target < 0 ? 0 : 1 / counted]);
    writeTensor(device, sites, Float32Array.from(weights));
    this.stats = tape.constant('stats', [N, 8]);
    const loss = new Tape(device, false);
    const labels = integers(
      'targets',
      wanted.map((target) => Math.max(0, target)),
    );
    crossEntropy(loss, this.logits, { targets: labels, sites, stats: this.stats }, rows);
    this.plan = tape.seal();
    this.lossPlan = loss.seal();
  }

  get forward() {
    return this.plan.forward;
  }

  /** Runs forward and loss. @returns logits, the log-probs of all targets, and the loss */
  async run(encode: (commands: Commands) => void = (commands) => void commands.run(this.forward)) {
    const commands = new Commands(this.device).clear(this.plan.gradients);
    encode(commands);
    commands.run(this.lossPlan.forward).submit();
    const [logits, stats] = await readTensors(this.device, [this.logits, this.stats]);
    const targets: number[] = this.vectors.expected.targets.flat();
    const logProbs = targets.map((target, n) => (target < 0 ? null : stats[8 * n]));
    const sum = logProbs.reduce<number>((total, logProb) => total - (logProb ?? 0), 0);
    return { logits, logProbs, loss: sum / this.vectors.expected.counted };
  }

  /** Adds the gradients of the last run to those of the store. */
  backward(): void {
    new Commands(this.device).run(this.plan.backward).submit();
  }

  /** Numbers of the first activation of that name, at a row; of the `index`-th if there are more. */
  async traced(name: string, row: number, index = 0): Promise<Float32Array> {
    const tensor = this.tape.activations.filter((each) => each.name === name)[index];
    const [, width] = tensor.shape;
    return (await readTensor(this.device, tensor)).slice(row * width, (row + 1) * width);
  }

  destroy(): void {
    this.plan.destroy();
    this.lossPlan.destroy();
  }
}

/** Greedy continuations, all at once, from a cache. */
export async function greedy(
  device: Device,
  network: Network,
  store: ParameterStore,
  cases: readonly { readonly prompt: readonly number[]; readonly tokens: readonly number[] }[],
) {
  const lengths = cases.map(({ prompt, tokens }) => prompt.length + tokens.length + 1);
  const sampler = new Sampler(device, store, network, { slots: cases.length, contextLength: Math.max(...lengths) });
  await device.compiled();
  const maxTokens = Math.max(...cases.map(({ tokens }) => tokens.length));
  const settings = { temperature: 0, topK: 0, topP: 1, maxTokens, stopTokens: [], seed: 1, iteration: 1 };
  const prompts = cases.map(({ prompt }, slot) => ({ slot, tokens: prompt }));
  const actions = await sampler.sample(prompts, settings);
  sampler.destroy();
  return actions.map(({ tokens }) => [...tokens]);
}
