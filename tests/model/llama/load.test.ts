/** Which tensors a model takes, how they are held, and a sentence for each that does not fit. */
import { describe, expect, test } from 'vitest';
import { readTensors } from '../../../src/device/commands';
import { DryDevice } from '../../../src/device/dry-device';
import { openTensors, type StoredTensor } from '../../../src/lib/stored-tensors';
import { loadWeights, sourcesOf, storedHalves } from '../../../src/model/llama/load';
import { llama } from '../../../src/model/llama/network';
import { ParameterStore } from '../../../src/model/parameters';
import { testDevice } from '../../helpers/devices';
import { shapeOf } from '../../helpers/llama';
import { pretrainedVectors } from '../../helpers/pretrained';

describe.each(pretrainedVectors())('$name', (vectors) => {
  const prepared = async () => [await shapeOf(vectors), await openTensors(vectors.files)] as const;

  test('a base buffer for each tensor, of as many bytes as the files have', async () => {
    const [shape, tensors] = await prepared();
    const sources = sourcesOf(shape, tensors);
    const halves = storedHalves(sources);
    const device = new DryDevice();
    const store = new ParameterStore(device, llama(shape, { halves }).specs);
    const shares: number[] = [];
    await loadWeights(device, store, sources, (share) => shares.push(share));
    expect(shares.at(-1)).toBe(1);
    for (const { name, tensors: parts } of sources) {
      const isHalf = parts.every(({ dtype, shape: size }) => dtype !== 'F32' && size.length === 2);
      expect(store.get(name).type, name).toBe(isHalf ? 'f16' : 'f32');
      expect(store.get(name).grad, name).toBeNull();
      const bytes = parts.reduce((sum, { count }) => sum + count, 0) * (isHalf ? 2 : 4);
      expect(device.buffers.find(({ label }) => label === name)?.bytes, name).toBe(Math.ceil(bytes / 16) * 16);
    }
  });

  test('of a smaller vocabulary the first rows are loaded', async () => {
    const [shape, tensors] = await prepared();
    const sources = sourcesOf(shape, tensors);
    const device = await testDevice();
    const [whole, part] = [shape.vocabulary, shape.vocabulary - 5].map((vocabulary) => {
      const { specs } = llama({ ...shape, vocabulary }, { halves: storedHalves(sources) });
      return new ParameterStore(device, specs);
    });
    const shares: number[] = [];
    for (const store of [whole, part]) await loadWeights(device, store, sources, (share) => shares.push(share));
    expect(shares.filter((share) => share === 1)).toHaveLength(2);
    for (const { name } of sources) {
      const [all, some] = await readTensors(device, [whole.get(name), part.get(name)]);
      expect(some, name).toEqual(all.subarray(0, some.length));
      expect(some.length < all.length, name).toBe(/embed_tokens|lm_head/.test(name));
    }
    for (const store of [whole, part]) store.destroy();
  });

  test('a tensor that is missing, has another shape, or belongs to no such model', async () => {
    const [shape, tensors] = await prepared();
    const without = (name: string) => new Map([...tensors].filter(([each]) => each !== name));
    for (const name of ['model.norm.weight', 'model.layers.0.self_attn.k_proj.weight'])
      expect(() => sourcesOf(shape, without(name))).toThrow(`The model’s files lack "${name}".`);
    const wide = { ...shape, mlpWidth: shape.mlpWidth + 1 };
    expect(() => sourcesOf(wide, tensors)).toThrow(/does not fit config\.json: ".*gate_proj\.weight" is \[/);
    const more = new Map<string, StoredTensor>([...tensors, ['model.extra', tensors.get('model.norm.weight')!]]);
    expect(() => sourcesOf(shape, more)).toThrow('has "model.extra", which such a model has not.');
    const rotary = 'model.layers.0.self_attn.rotary_emb.inv_freq';
    const known = new Map<string, StoredTensor>([...tensors, [rotary, tensors.get('model.norm.weight')!]]);
    expect(sourcesOf(shape, known)).toEqual(sourcesOf(shape, tensors));
  });

  test('a stored head of a tied model is skipped, and a missing one of an untied model is not made up', async () => {
    const [shape, tensors] = await prepared();
    const names = (tied: boolean, all: ReadonlyMap<string, StoredTensor>) =>
      sourcesOf({ ...shape, tied }, all).map(({ name }) => name);
    const embedding = tensors.get('model.embed_tokens.weight')!;
    const withHead = new Map<string, StoredTensor>([...tensors, ['lm_head.weight', embedding]]);
    const withoutHead = new Map([...tensors].filter(([name]) => name !== 'lm_head.weight'));
    expect(names(true, withHead)).not.toContain('lm_head.weight');
    expect(names(false, withHead)).toContain('lm_head.weight');
    expect(() => names(false, withoutHead)).toThrow('The model’s files lack "lm_head.weight".');
  });
});
