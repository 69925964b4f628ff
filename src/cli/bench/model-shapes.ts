/** Shapes of models that `bench --model` knows, as their config.json, and others from such a file. */
import { basename, dirname, resolve } from 'node:path';
import { didYouMean } from '../../lib/nearest';
import { plainText } from '../../lib/plain-text';
import { readJson } from '../read-file';

/** JSON of a config.json whose layers may be counted anew. */
export type ModelConfig = Readonly<Record<string, unknown>> & { readonly num_hidden_layers: number };

export interface ModelShape {
  readonly name: string;
  readonly config: ModelConfig;
  /** Layers that two cores time in less than four minutes. */
  readonly layers: number;
}

const common = { hidden_act: 'silu', tie_word_embeddings: true, torch_dtype: 'bfloat16' };

const shapes: Readonly<Record<string, Omit<ModelShape, 'name'>>> = {
  'smollm2-135m': {
    layers: 6,
    config: {
      ...common,
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      vocab_size: 49152,
      num_hidden_layers: 30,
      hidden_size: 576,
      intermediate_size: 1536,
      num_attention_heads: 9,
      num_key_value_heads: 3,
      max_position_embeddings: 8192,
      rms_norm_eps: 1e-5,
      rope_theta: 100000,
    },
  },
  'qwen2.5-0.5b': {
    layers: 2,
    config: {
      ...common,
      architectures: ['Qwen2ForCausalLM'],
      model_type: 'qwen2',
      vocab_size: 151936,
      num_hidden_layers: 24,
      hidden_size: 896,
      intermediate_size: 4864,
      num_attention_heads: 14,
      num_key_value_heads: 2,
      max_position_embeddings: 32768,
      rms_norm_eps: 1e-6,
      rope_theta: 1000000,
    },
  },
  'qwen3-0.6b': {
    layers: 2,
    config: {
      ...common,
      architectures: ['Qwen3ForCausalLM'],
      model_type: 'qwen3',
      vocab_size: 151936,
      num_hidden_layers: 28,
      hidden_size: 1024,
      intermediate_size: 3072,
      num_attention_heads: 16,
      num_key_value_heads: 8,
      head_dim: 128,
      max_position_embeddings: 40960,
      rms_norm_eps: 1e-6,
      rope_theta: 1000000,
    },
  },
};

/** @param given a name, or the path of a config.json @throws a sentence if it is neither */
export function modelShape(given: string): ModelShape {
  if (Object.hasOwn(shapes, given)) return { name: given, ...shapes[given] };
  const names = Object.keys(shapes);
  if (!given.endsWith('.json'))
    throw new Error(
      `--model: there is no shape called "${plainText(given, 64)}"; it takes ${names.join(', ')}, ` +
        `or the path of a config.json.${didYouMean(given, names)}`,
    );
  const config = readJson(given) as ModelConfig;
  return { name: plainText(basename(dirname(resolve(given))), 64), config, layers: 2 };
}
