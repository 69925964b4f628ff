/** Weights of a model's files into a parameter store, piece by piece. */
import type { Device } from '../../device/device';
import { elementCount, writeTensor } from '../../device/tensor';
import { quoted } from '../../lib/plain-text';
import type { StoredTensor } from '../../lib/stored-tensors';
import { allFinite } from '../not-finite';
import type { ParameterStore } from '../parameters';
import { blockName, linearLayers, llamaSpecs } from './layers';
import type { LlamaShape } from './shape';

/** Numbers that are decoded at once. */
const pieceSize = 1 << 21;

/** Where the numbers of a parameter are: in these tensors, one behind the other. */
export interface ParameterSource {
  readonly name: string;
  readonly tensors: readonly StoredTensor[];
}

/**
 * The tensors of each base parameter. Nothing is read.
 * @throws a sentence if one is missing, has another shape, or belongs to no such model
 */
export function sourcesOf(shape: LlamaShape, tensors: ReadonlyMap<string, StoredTensor>): ParameterSource[] {
  const left = new Set(tensors.keys());
  const take = (name: string, expected: readonly number[]): StoredTensor => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`The model’s files lack ${quoted(name, 80)}.`);
    if (tensor.shape.join() !== expected.join())
      throw new Error(
        `${quoted(tensor.file, 80)} does not fit config.json: ${quoted(name, 80)} is [${tensor.shape.join(', ')}], ` +
          `and should be [${expected.join(', ')}].`,
      );
    left.delete(name);
    return tensor;
  };
  const fused = modulesByParameter(shape);
  const sources = llamaSpecs(shape).map(({ name, shape: size }) => {
    const modules = fused.get(name) ?? [{ name, rows: size[0] }];
    return { name, tensors: modules.map((module) => take(module.name, [module.rows, ...size.slice(1)])) };
  });
  const unknown = [...left].find((name) => !isUnused(name, shape));
  if (unknown === undefined) return sources;
  throw new Error(`${quoted(tensors.get(unknown)!.file, 80)} has ${quoted(unknown, 80)}, which such a model has not.`);
}

/** A tied head is stored by some files though nobody reads it; so are frequencies that follow from the config. */
function isUnused(name: string, { tied }: LlamaShape): boolean {
  return (tied && name === 'lm_head.weight') || name.endsWith('.rotary_emb.inv_freq');
}

/** The modules whose tensors stand one behind the other in a fused parameter. */
function modulesByParameter(shape: LlamaShape): Map<string, { readonly name: string; readonly rows: number }[]> {
  const entries = Array.from({ length: shape.layers }, (_, i) =>
    linearLayers(shape).flatMap(({ name, block, modules, bias }) =>
      (bias ? ['weight', 'bias'] : ['weight']).map((kind) => {
        const parts = modules.map(({ target, width }) => {
          return { name: `${blockName(i)}${block}.${target}.${kind}`, rows: width };
        });
        return [`${blockName(i)}${name}.${kind}`, parts] as const;
      }),
    ),
  );
  return new Map(entries.flat());
}

/** Matrices that the files hold in 16 bits. */
export function storedHalves(sources: readonly ParameterSource[]): ReadonlySet<string> {
  const isHalf = ({ tensors }: ParameterSource) => tensors.every((each) => each.isHalf && each.shape.length === 2);
  return new Set(sources.filter(isHalf).map(({ name }) => name));
}

/**
 * Fills the base of a store. Of a matrix that has fewer rows there, the first ones are read.
 * @param onProgress is given the share of the numbers that is there
 * @throws a sentence if a file ends early or holds a number that cannot be used
 */
export async function loadWeights(
  device: Device,
  store: ParameterStore,
  sources: readonly ParameterSource[],
  onProgress?: (share: number) => void,
): Promise<void> {
  const total = sources.reduce((sum, { name }) => sum + elementCount(store.get(name).shape), 0);
  let loaded = 0;
  for (const { name, tensors } of sources) {
    const target = store.get(name);
    let left = elementCount(target.shape);
    let written = 0;
    for (const tensor of tensors) {
      const width = tensor.shape.at(-1)!;
      const most = Math.max(1, Math.floor(pieceSize / width)) * width;
      const wanted = Math.min(tensor.count, left);
      left -= wanted;
      for (let first = 0; first < wanted; first += most) {
        const count = Math.min(most, wanted - first);
        const piece =
          target.type === 'f16' ? await tensor.halves(first, count, width) : await finiteNumbers(tensor, first, count);
        writeTensor(device, target, piece, written);
        written += piece.length;
        onProgress?.((loaded += count) / total);
      }
    }
  }
}

async function finiteNumbers(tensor: StoredTensor, first: number, count: number): Promise<Float32Array> {
  const numbers = await tensor.numbers(first, count);
  if (allFinite(numbers)) return numbers;
  const { file, name } = tensor;
  throw new Error(`${quoted(file, 80)} cannot be used: ${quoted(name, 80)} holds a number that is not finite.`);
}
