/**
 * A tiny random model in the layout of Hugging Face, on disk: Qwen3's kind, halves in two shards, a token for each
 * byte, and a template that tells of no tools. Its vocabulary is padded, as real ones are.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normal, Purpose } from '../../src/lib/rng';
import { writeSafetensors } from '../../src/lib/safetensors';
import { tinyTokenizer } from './tiny-tokenizer';

export const tinyConfig = {
  architectures: ['Qwen3ForCausalLM'],
  model_type: 'qwen3',
  vocab_size: 264,
  hidden_size: 24,
  intermediate_size: 40,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 8,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-6,
  rope_theta: 10000,
  tie_word_embeddings: true,
  hidden_act: 'silu',
  torch_dtype: 'float16',
};

const template =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const { vocab_size: V, hidden_size: D, intermediate_size: F, head_dim: E } = tinyConfig;
const { num_attention_heads: H, num_key_value_heads: Hk } = tinyConfig;

const layer = (i: number): [string, number[]][] =>
  (
    [
      ['input_layernorm', [D]],
      ['self_attn.q_proj', [H * E, D]],
      ['self_attn.k_proj', [Hk * E, D]],
      ['self_attn.v_proj', [Hk * E, D]],
      ['self_attn.o_proj', [D, H * E]],
      ['self_attn.q_norm', [E]],
      ['self_attn.k_norm', [E]],
      ['post_attention_layernorm', [D]],
      ['mlp.gate_proj', [F, D]],
      ['mlp.up_proj', [F, D]],
      ['mlp.down_proj', [D, F]],
    ] as const
  ).map(([name, shape]) => [`model.layers.${i}.${name}.weight`, [...shape]]);

/** @param seed of its weights */
export function writeTinyPretrained(folder: string, seed = 1): string {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const json = (name: string, value: object) => write(name, JSON.stringify(value));
  const shards = [
    [['model.embed_tokens.weight', [V, D]] as [string, number[]], ...layer(0)],
    [...layer(1), ['model.norm.weight', [D]] as [string, number[]]],
  ];
  const places: Record<string, string> = {};
  shards.forEach((tensors, i) => {
    const file = `model-0000${i + 1}-of-00002.safetensors`;
    const drawn = tensors.map(([name, shape], j) => {
      const data = new Float32Array(shape.reduce((product, length) => product * length, 1));
      const mean = shape.length === 1 ? 1 : 0;
      for (let k = 0; k < data.length; k++) data[k] = mean + 0.1 * normal(seed, Purpose.init, 100 * i + j, k);
      places[name] = file;
      return [name, { shape, data }] as const;
    });
    write(file, writeSafetensors({ tensors: new Map(drawn), metadata: { format: 'pt' } }, 'F16'));
  });
  json('model.safetensors.index.json', { metadata: {}, weight_map: places });
  json('config.json', tinyConfig);
  json('generation_config.json', { eos_token_id: [258, 256] });
  json('tokenizer.json', tinyTokenizer);
  json('tokenizer_config.json', { chat_template: template });
  write('README.md', '---\nlicense: apache-2.0\n---\nRandom weights.\n');
  return folder;
}
