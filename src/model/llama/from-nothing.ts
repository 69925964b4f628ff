/** A small model of Llama's kind that is trained whole here, as its files will have it. */
import type { SmallModel, SmallSizes } from '../small-model';
import { mergedWeights } from './export';
import { shapeOfConfig } from './hf-config';
import { llama } from './network';

/** With the usual 10000 most pairs hardly turn within short episodes, and copying by position is learned slowly. */
const ropeBase = 100;

/** @param vocabulary V @param end id of the token that ends a turn */
export function smallLlama(sizes: SmallSizes, vocabulary: number, end: number): SmallModel {
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: vocabulary,
    num_hidden_layers: sizes.layers,
    hidden_size: sizes.width,
    intermediate_size: sizes.mlpWidth,
    num_attention_heads: sizes.heads,
    num_key_value_heads: sizes.kvHeads,
    max_position_embeddings: sizes.context,
    rms_norm_eps: 1e-5,
    rope_theta: ropeBase,
    tie_word_embeddings: true,
    hidden_act: 'silu',
    attention_bias: false,
    mlp_bias: false,
    bos_token_id: null,
    eos_token_id: end,
    torch_dtype: 'float16',
  };
  const shape = shapeOfConfig(config);
  return {
    network: llama(shape, { fromNothing: true }),
    config: `${JSON.stringify(config, null, 2)}\n`,
    weights: (device, store) => mergedWeights(device, store, shape, null, 'F16'),
  };
}
