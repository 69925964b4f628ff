/** Merged weights in Hugging Face's layout: loaded again, the model computes what it computed with its adapter. */
import { describe, expect, test } from 'vitest';
import { bytesInMemory } from '../../../src/lib/byte-source';
import { openTensors, readJson } from '../../../src/lib/stored-tensors';
import { mergedConfig, mergedWeights } from '../../../src/model/llama/export';
import type { LoraSettings } from '../../../src/model/llama/layers';
import { sourcesOf } from '../../../src/model/llama/load';
import { readAdapter } from '../../../src/model/llama/peft';
import { expectClose } from '../../helpers/check-op';
import { testDevice } from '../../helpers/devices';
import { loadedModel, shapeOf, VectorBatch } from '../../helpers/llama';
import { pretrainedVectors, type PretrainedVectors } from '../../helpers/pretrained';

/** The vectors with the files of an export in place of their own. */
async function exported(vectors: PretrainedVectors, dtype: 'F32' | 'F16', lora?: LoraSettings) {
  const device = await testDevice();
  const { store, shape } = await loadedModel(device, vectors, lora);
  if (lora) store.write(store.value, (await readAdapter(vectors.adapterFiles, shape)).numbers);
  const pieces: Uint8Array[] = [];
  const sources = sourcesOf(shape, await openTensors(vectors.files));
  for await (const piece of mergedWeights(device, store, shape, lora ?? null, dtype, sources)) pieces.push(piece);
  store.destroy();
  const config = mergedConfig((await readJson(vectors.files, 'config.json')) as object, dtype);
  const files = new Map([
    ['config.json', bytesInMemory(new TextEncoder().encode(config))],
    ['model.safetensors', bytesInMemory(Buffer.concat(pieces))],
  ]);
  return { ...vectors, files };
}

describe.each(pretrainedVectors())('$name', (vectors) => {
  test('without an adapter, every tensor has the bits that it was loaded with', async () => {
    const { files } = await exported(vectors, 'F32');
    const [written, stored] = [await openTensors(files), await openTensors(vectors.files)];
    const names = [...stored.keys()].filter((name) => written.has(name) || name !== 'lm_head.weight');
    expect([...written.keys()].sort()).toEqual(names.sort());
    for (const [name, tensor] of written) {
      const numbers = await stored.get(name)!.numbers();
      // Of BF16, halves lose what is below 2⁻¹⁷.
      expectClose(name, await tensor.numbers(), numbers, {
        absolute: tensor.dtype === 'F32' ? 2 ** -25 : 0,
        relative: 0,
      });
    }
  });

  test.each(['F32', 'F16'] as const)('merged in %s, the logits are those with the adapter', async (dtype) => {
    const shape = await shapeOf(vectors);
    const { settings } = await readAdapter(vectors.adapterFiles, shape);
    const merged = await exported(vectors, dtype, settings);
    expect(await shapeOf(merged)).toEqual(shape);
    const device = await testDevice();
    const { network, store } = await loadedModel(device, merged);
    const batch = new VectorBatch(device, network, store, merged);
    await device.compiled();
    const { logProbs } = await batch.run();
    const { log_probs, loss } = vectors.expected.adapter;
    const absolute = dtype === 'F32' ? vectors.expected.tolerance.log_probs : 0.05;
    const known = (all: readonly (number | null)[]) => all.filter((each) => each !== null);
    expectClose('log_probs', known(logProbs), known(log_probs.flat()), { absolute, relative: 0 });
    expect(Math.abs((await batch.run()).loss - loss)).toBeLessThan(absolute);
    batch.destroy();
    store.destroy();
  });
});
