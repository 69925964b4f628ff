/** A model with its adapter merged into its weights, W + (α/r) B A, as the files of a Hugging Face folder. */
import { readTensor } from '../../device/commands';
import type { Device } from '../../device/device';
import { rowStride, type Tensor } from '../../device/tensor';
import { fitHalves, unpackHalves } from '../../lib/half';
import { quoted } from '../../lib/plain-text';
import { writeHeader, writeNumbers, type WrittenType } from '../../lib/safetensors';
import type { ParameterStore } from '../parameters';
import { adaptedModules, blockName, linearLayers, llamaSpecs, type LinearLayer, type LoraSettings } from './layers';
import type { ParameterSource } from './load';
import type { LlamaShape } from './shape';

/** A tensor of the file: some rows of a parameter, with the change of an adapter. */
interface Written {
  readonly name: string;
  readonly shape: readonly number[];
  readonly parameter: string;
  /** First row in the parameter. */
  readonly first: number;
  readonly layer?: LinearLayer;
}

/** The model's config.json with the type of the new weights. @param config JSON of the one that it was loaded from */
export function mergedConfig(config: object, dtype: WrittenType): string {
  const name = dtype === 'F16' ? 'float16' : 'float32';
  const isNew = 'dtype' in config;
  return `${JSON.stringify({ ...config, [isNew ? 'dtype' : 'torch_dtype']: name }, null, 2)}\n`;
}

/**
 * The bytes of model.safetensors, piece by piece.
 * @param sources of a model that was loaded: rows that its store leaves out are read from them
 * @throws a sentence if a merged weight is beyond half precision, and F16 was asked for
 */
export async function* mergedWeights(
  device: Device,
  store: ParameterStore,
  shape: LlamaShape,
  lora: LoraSettings | null,
  dtype: WrittenType,
  sources: readonly ParameterSource[] = [],
): AsyncGenerator<Uint8Array> {
  const tensors = writtenTensors(shape);
  yield writeHeader(storedShapes(shape), { format: 'pt' }, dtype);
  const adapter = lora && (await store.read(store.value));
  let parameter = '';
  let numbers = new Float32Array(0);
  for (const tensor of tensors) {
    if (tensor.parameter !== parameter) numbers = await readParameter(device, store, tensor.parameter, sources);
    parameter = tensor.parameter;
    const width = tensor.shape.slice(1).reduce((product, length) => product * length, 1);
    const rows = numbers.slice(tensor.first * width, (tensor.first + tensor.shape[0]) * width);
    if (lora && adapter && tensor.layer && width > 1) addAdapter(rows, tensor, tensor.layer, lora, adapter);
    if (dtype === 'F16' && !fitHalves(rows))
      throw new Error(`${quoted(tensor.name, 80)} has a number beyond ±65504: export the model in float32.`);
    yield writeNumbers(rows, dtype);
  }
}

/** Names and shapes of the tensors in the files of such a model. */
export function storedShapes(shape: LlamaShape): (readonly [name: string, shape: readonly number[]])[] {
  return writtenTensors(shape).map((each) => [each.name, each.shape]);
}

/** Every tensor of such a model in the file's order. */
function writtenTensors(shape: LlamaShape): Written[] {
  const layers = Array.from({ length: shape.layers }, (_, i) => blockName(i)).flatMap((block) =>
    linearLayers(shape).map((layer) => [`${block}${layer.name}`, { block, layer }] as const),
  );
  const fused = new Map(layers);
  return llamaSpecs(shape).flatMap(({ name, shape: size }): Written[] => {
    const kind = name.slice(name.lastIndexOf('.'));
    const found = fused.get(name.slice(0, -kind.length));
    if (!found) return [{ name, shape: size, parameter: name, first: 0 }];
    const { block, layer } = found;
    return layer.modules.map(({ target, first, width }) => {
      const path = `${block}${layer.block}.${target}${kind}`;
      return { name: path, shape: [width, ...size.slice(1)], parameter: name, first, layer };
    });
  });
}

/** All rows of a parameter: those of the store, and behind them those that only its files have. */
async function readParameter(
  device: Device,
  store: ParameterStore,
  name: string,
  sources: readonly ParameterSource[],
): Promise<Float32Array<ArrayBuffer>> {
  const stored = await readStored(device, store.get(name));
  const { tensors } = sources.find((source) => source.name === name) ?? { tensors: [] };
  const count = tensors.reduce((sum, each) => sum + each.count, 0);
  if (count <= stored.length) return stored;
  // Only what is by token has fewer rows, and that is one tensor.
  const numbers = await tensors[0].numbers();
  numbers.set(stored);
  return numbers;
}

async function readStored(device: Device, tensor: Tensor): Promise<Float32Array<ArrayBuffer>> {
  const read = await readTensor(device, tensor);
  if (tensor.type !== 'f16') return read;
  const halves = unpackHalves(new Uint32Array(read.buffer));
  const [width, stride] = [tensor.shape.at(-1)!, rowStride(tensor)];
  return width === stride ? halves : halves.filter((_, i) => i % stride < width);
}

/** rows += (α/r) B A of their module, if the adapter has one. */
function addAdapter(
  rows: Float32Array,
  { parameter, first, shape: [, into] }: Written,
  layer: LinearLayer,
  lora: LoraSettings,
  adapter: ReadonlyMap<string, Float32Array>,
): void {
  const modules = adaptedModules(layer, lora);
  const index = modules.findIndex((module) => module.first === first);
  if (index < 0) return;
  const path = parameter.slice(0, parameter.lastIndexOf('.'));
  const [a, b] = [adapter.get(`${path}.lora_A`)!, adapter.get(`${path}.lora_B`)!];
  const before = modules.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  const { rank, alpha } = lora;
  const change = new Float64Array(into);
  for (let row = 0; row < modules[index].width; row++) {
    change.fill(0);
    for (let j = 0; j < rank; j++) {
      const factor = (alpha / rank) * b[(before + row) * rank + j];
      const from = (index * rank + j) * into;
      for (let i = 0; i < into; i++) change[i] += factor * a[from + i];
    }
    for (let i = 0; i < into; i++) rows[row * into + i] += change[i];
  }
}
