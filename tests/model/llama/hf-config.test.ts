/** config.json as a shape: the vectors' own, and a sentence for each feature and size that is not supported. */
import { describe, expect, test } from 'vitest';
import { bytesInMemory } from '../../../src/lib/byte-source';
import { readJson } from '../../../src/lib/stored-tensors';
import { shapeOfConfig } from '../../../src/model/llama/hf-config';
import { pretrainedVectors } from '../../helpers/pretrained';

/** As in the file of Qwen3-0.6B. */
const qwen3 = {
  architectures: ['Qwen3ForCausalLM'],
  attention_bias: false,
  head_dim: 128,
  hidden_act: 'silu',
  hidden_size: 1024,
  intermediate_size: 3072,
  max_position_embeddings: 40960,
  max_window_layers: 28,
  model_type: 'qwen3',
  num_attention_heads: 16,
  num_hidden_layers: 28,
  num_key_value_heads: 8,
  rms_norm_eps: 1e-6,
  rope_scaling: null,
  rope_theta: 1000000,
  sliding_window: null,
  tie_word_embeddings: true,
  torch_dtype: 'bfloat16',
  use_sliding_window: false,
  vocab_size: 151936,
};

test('Qwen3-0.6B', () => {
  expect(shapeOfConfig(qwen3)).toEqual({
    vocabulary: 151936,
    layers: 28,
    width: 1024,
    heads: 16,
    kvHeads: 8,
    headSize: 128,
    mlpWidth: 3072,
    tied: true,
    qkvBias: false,
    qkNorm: true,
    normEpsilon: 1e-6,
    ropeBase: 1e6,
    context: 40960,
  });
});

describe.each(pretrainedVectors())('$name', ({ files, expected }) => {
  test('its shape fits its tensors', async () => {
    const shape = shapeOfConfig(await readJson(files, 'config.json'));
    const shapeOf = (name: string) => expected.tensors[`model.layers.0.${name}`]?.shape;
    const { heads, kvHeads, headSize, width, mlpWidth } = shape;
    expect(shapeOf('self_attn.q_proj.weight')).toEqual([heads * headSize, width]);
    expect(shapeOf('self_attn.k_proj.weight')).toEqual([kvHeads * headSize, width]);
    expect(shapeOf('mlp.down_proj.weight')).toEqual([width, mlpWidth]);
    expect(shapeOf('self_attn.q_norm.weight') !== undefined).toBe(shape.qkNorm);
    expect(shapeOf('self_attn.q_proj.bias') !== undefined).toBe(shape.qkvBias);
    expect(expected.tensors['model.embed_tokens.weight'].shape).toEqual([shape.vocabulary, width]);
  });
});

test('a default rotation is none, wherever it stands, and the parameters of transformers 5 count', () => {
  const base = (changes: object) => shapeOfConfig({ ...qwen3, ...changes }).ropeBase;
  expect(base({ rope_scaling: { rope_type: 'default' } })).toBe(1e6);
  expect(base({ rope_theta: undefined, rope_parameters: { rope_theta: 5e5, rope_type: 'default' } })).toBe(5e5);
});

test('fields that mean nothing while a feature is off', () => {
  const config = { ...qwen3, sliding_window: 8, layer_types: ['full_attention'], mlp_bias: false, head_dim: null };
  expect(shapeOfConfig(config).headSize).toBe(64);
});

test.each<[object | null, string]>([
  [null, 'it is not an object'],
  [{ model_type: 'gpt2' }, 'model_type is "gpt2", and llama, qwen2, qwen3 are supported'],
  [{ model_type: 'toString' }, 'model_type is "toString"'],
  [{ model_type: undefined }, 'model_type is not given'],
  [{ use_sliding_window: true }, 'use_sliding_window "true" is not supported'],
  [{ attention_bias: true }, 'attention_bias "true" is not supported'],
  [{ model_type: 'llama', mlp_bias: true }, 'mlp_bias "true" is not supported'],
  [{ hidden_act: 'gelu' }, 'hidden_act "gelu" is not supported'],
  [{ rope_scaling: { type: 'linear', factor: 2 } }, 'rope_scaling "linear" is not supported'],
  [{ rope_scaling: { rope_type: 'llama3' } }, 'rope_scaling "llama3" is not supported'],
  [{ rope_parameters: { rope_type: 'yarn' } }, 'rope_parameters.rope_type "yarn" is not supported'],
  [{ quantization_config: { bits: 4 } }, 'quantization_config "{\\"bits\\":4}" is not supported'],
  [{ layer_types: ['full_attention', 'sliding_attention'] }, 'is not supported'],
  [{ hidden_size: 1e9 }, 'hidden_size: Invalid value'],
  [{ num_hidden_layers: 1.5 }, 'num_hidden_layers: Invalid integer'],
  [{ vocab_size: 0 }, 'vocab_size: Invalid value'],
  [{ rms_norm_eps: '1e-6' }, 'rms_norm_eps: Invalid type'],
  [{ rope_theta: undefined }, 'rope_theta: Invalid type'],
  [{ num_key_value_heads: 3 }, '16 does not divide by 3 key/value heads'],
  [{ head_dim: 5 }, 'the head size is 5'],
  [{ hidden_size: 16384, intermediate_size: 131072, num_hidden_layers: 256 }, 'and at most 4294967296 are supported'],
])('%j is refused', (changes, sentence) => {
  const config = changes && { ...qwen3, ...changes };
  expect(() => shapeOfConfig(config)).toThrow(sentence);
  expect(() => shapeOfConfig(config)).toThrow(/^config\.json cannot be used: .*\.$/);
});

test.each(['rope_scaling', 'layer_types', 'quantization_config', 'hidden_act', 'unknown'])(
  'one that nests without end in %s is refused by a sentence',
  async (field) => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = JSON.stringify({ ...qwen3, [field]: 'deep' }).replace('"deep"', deep);
    const files = new Map([['config.json', bytesInMemory(new TextEncoder().encode(text))]]);
    const config = await readJson(files, 'config.json');
    expect(() => shapeOfConfig(config)).toThrow(/^config\.json cannot be used: it nests deeper than 16 levels\.$/);
  },
);
