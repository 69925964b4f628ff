/** Adapters in PEFT's layout: what is written is read back, and what is not done is refused by name. */
import { describe, expect, test } from 'vitest';
import { bytesInMemory } from '../../../src/lib/byte-source';
import { readJson } from '../../../src/lib/stored-tensors';
import { loraTargets } from '../../../src/model/llama/layers';
import { parseAdapterConfig, readAdapter, writeAdapter } from '../../../src/model/llama/peft';
import { shapeOf } from '../../helpers/llama';
import { pretrainedVectors } from '../../helpers/pretrained';

const models = pretrainedVectors();

describe.each(models)('$name', (vectors) => {
  test('round trip', async () => {
    const shape = await shapeOf(vectors);
    const adapter = await readAdapter(vectors.adapterFiles, shape);
    const { r, lora_alpha, target_modules } = (await readJson(vectors.adapterFiles, 'adapter_config.json')) as Record<
      string,
      unknown
    >;
    const { rank, alpha, targets } = adapter.settings;
    expect([rank, alpha, [...targets].sort()]).toEqual([r, lora_alpha, [...(target_modules as string[])].sort()]);
    const files = writeAdapter(shape, adapter, 'base');
    const sources = new Map([...files].map(([name, bytes]) => [name, bytesInMemory(bytes)] as const));
    expect(await readAdapter(sources, shape)).toEqual(adapter);
  });

  test('files that do not fit the model or each other', async () => {
    const shape = await shapeOf(vectors);
    const weights = vectors.adapterFiles.get('adapter_model.safetensors')!;
    const config = (await readJson(vectors.adapterFiles, 'adapter_config.json')) as { target_modules: string[] };
    const read = (changes: object, of = shape) => {
      const text = new TextEncoder().encode(JSON.stringify({ ...config, ...changes }));
      const files = [
        ['adapter_config.json', bytesInMemory(text)] as const,
        ['adapter_model.safetensors', weights] as const,
      ];
      return readAdapter(new Map(files), of);
    };
    await expect(read({ target_modules: config.target_modules.slice(0, 1) })).rejects.toThrow(
      'which no module of adapter_config.json has.',
    );
    await expect(read({ r: 7 })).rejects.toThrow(
      /does not fit: ".*lora_A.weight" is \[\d+, \d+\], and should be \[7, /,
    );
    await expect(read({}, { ...shape, layers: shape.layers + 1 })).rejects.toThrow('adapter_model.safetensors lacks "');
    await expect(readAdapter(new Map(), shape)).rejects.toThrow('The model has no file "adapter_config.json".');
  });
});

const plain = { peft_type: 'LORA', r: 8, lora_alpha: 16, target_modules: ['q_proj'], bias: 'none' };

test('all linear layers', () => {
  const all = parseAdapterConfig({ ...plain, target_modules: 'all-linear', modules_to_save: null, rank_pattern: {} });
  expect(all).toEqual({ rank: 8, alpha: 16, targets: loraTargets });
});

test.each<[unknown, string]>([
  [null, 'Invalid type'],
  [{ ...plain, peft_type: 'IA3' }, 'peft_type: '],
  [{ ...plain, r: 0 }, 'r: Invalid value'],
  [{ ...plain, lora_alpha: '16' }, 'lora_alpha: Invalid type'],
  [{ ...plain, target_modules: '.*q_proj' }, 'target_modules: '],
  [{ ...plain, target_modules: ['lm_head'] }, 'target_modules: '],
  [{ ...plain, bias: 'all' }, 'bias is not supported'],
  [{ ...plain, rank_pattern: { q_proj: 4 } }, 'rank_pattern is not supported'],
  [{ ...plain, alpha_pattern: { q_proj: 4 } }, 'alpha_pattern is not supported'],
  [{ ...plain, use_rslora: true }, 'use_rslora is not supported'],
  [{ ...plain, use_dora: true }, 'use_dora is not supported'],
  [{ ...plain, modules_to_save: ['lm_head'] }, 'modules_to_save is not supported'],
  [{ ...plain, layers_to_transform: [0] }, 'layers_to_transform is not supported'],
  [{ ...plain, layers_to_transform: 1 }, 'layers_to_transform is not supported'],
  [{ ...plain, fan_in_fan_out: true }, 'fan_in_fan_out is not supported'],
])('%j is refused', (config, sentence) => {
  expect(() => parseAdapterConfig(config)).toThrow('adapter_config.json cannot be used: ');
  expect(() => parseAdapterConfig(config)).toThrow(sentence);
});
