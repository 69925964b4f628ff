/**
 * The `config.json` of Hugging Face's Llama, Qwen2 and Qwen3 models as a shape. What a config asks for beyond it is
 * another model, so it is refused by name. Names of files from transformers 4 and 5.
 */
import * as v from 'valibot';
import { firstIssue } from '../../lib/first-issue';
import { nestsDeeperThan, type Json as JsonValue } from '../../lib/json';
import { quoted } from '../../lib/plain-text';
import type { LlamaShape } from './shape';

/** Kinds of models, and what sets them apart. */
const kinds = {
  llama: { title: 'Llama', qkvBias: false, qkNorm: false },
  qwen2: { title: 'Qwen2', qkvBias: true, qkNorm: false },
  qwen3: { title: 'Qwen3', qkvBias: false, qkNorm: true },
} as const;

type Kind = keyof typeof kinds;

/** Numbers that a model may have: four billion, of which halves take 8 GB. */
const maxParameters = 0x100000000;

/** Lists and objects within each other: what a sentence quotes is written as JSON again. */
const maxLevels = 16;

const size = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));
const heads = size(256);

const SizesSchema = v.object({
  vocab_size: size(1 << 20),
  num_hidden_layers: size(256),
  hidden_size: size(1 << 14),
  intermediate_size: size(1 << 17),
  num_attention_heads: heads,
  num_key_value_heads: v.nullish(heads),
  head_dim: v.nullish(size(256)),
  max_position_embeddings: size(1 << 24),
  rms_norm_eps: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  tie_word_embeddings: v.optional(v.boolean(), false),
});

const RopeBase = v.pipe(v.number(), v.minValue(1), v.maxValue(1e12));

type Json = Readonly<Record<string, unknown>>;

/** @param config JSON of config.json @throws a sentence if it is not a model of these kinds, or asks for more */
export function shapeOfConfig(config: unknown): LlamaShape {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) throw wrong('it is not an object');
  const json = config as Json;
  if (nestsDeeperThan(config as JsonValue, maxLevels)) throw wrong(`it nests deeper than ${maxLevels} levels`);
  const kind = kindOf(json);
  const feature = unsupported(json, kind);
  if (feature !== null) throw wrong(`${feature} is not supported`);
  const sizes = v.safeParse(SizesSchema, json, { abortEarly: true });
  if (!sizes.success) throw wrong(firstIssue(sizes.issues));
  const { num_attention_heads: H, hidden_size: width, num_key_value_heads, head_dim } = sizes.output;
  const kvHeads = num_key_value_heads ?? H;
  if (H % kvHeads !== 0) throw wrong(`num_attention_heads: ${H} does not divide by ${kvHeads} key/value heads`);
  const headSize = head_dim ?? width / H;
  if (headSize % 2 !== 0) throw wrong(`the head size is ${headSize}, and rotary positions need an even one`);
  const shape = {
    vocabulary: sizes.output.vocab_size,
    layers: sizes.output.num_hidden_layers,
    width,
    heads: H,
    kvHeads,
    headSize,
    mlpWidth: sizes.output.intermediate_size,
    tied: sizes.output.tie_word_embeddings,
    qkvBias: kinds[kind].qkvBias,
    qkNorm: kinds[kind].qkNorm,
    normEpsilon: sizes.output.rms_norm_eps,
    ropeBase: ropeBaseOf(json),
    context: sizes.output.max_position_embeddings,
  };
  requireCount(shape);
  return shape;
}

/** Whether the files say that weights have 16 bits. Named otherwise by transformers 5. */
export function hasHalves(config: unknown): boolean {
  const { dtype, torch_dtype: before = dtype } = config as Json;
  return before === 'float16' || before === 'bfloat16';
}

/** What people call such models. @param config JSON of a config.json that is a shape */
export const architectureOf = (config: unknown): string => kinds[kindOf(config as Json)].title;

function kindOf({ model_type: kind }: Json): Kind {
  if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kind as Kind;
  const given = typeof kind === 'string' ? quoted(kind) : 'not given';
  throw wrong(`model_type is ${given}, and ${Object.keys(kinds).join(', ')} are supported`);
}

/** The first feature of the config that no kind here has, with its value; null if there is none. */
function unsupported(json: Json, kind: Kind): string | null {
  const rope = (json.rope_parameters ?? {}) as Json;
  const scaling = (json.rope_scaling ?? {}) as Json;
  const layerTypes = json.layer_types ?? [];
  const plain: readonly (readonly [string, unknown, ...unknown[]])[] = [
    ['quantization_config', json.quantization_config, null],
    ['hidden_act', json.hidden_act, 'silu'],
    // Qwen2 has these biases in any case, and no field for them.
    ['attention_bias', kind === 'qwen2' ? false : json.attention_bias, false],
    ['mlp_bias', json.mlp_bias, false],
    ['use_sliding_window', json.use_sliding_window, false],
    [
      'rope_scaling',
      scaling.rope_type ?? scaling.type ?? (json.rope_scaling ? json.rope_scaling : 'default'),
      'default',
    ],
    ['rope_parameters.rope_type', rope.rope_type, 'default'],
    ['partial_rotary_factor', json.partial_rotary_factor ?? rope.partial_rotary_factor, 1],
    ['rope_interleaved', json.rope_interleaved, false],
  ];
  for (const [name, value, allowed] of plain)
    if (value !== undefined && value !== null && value !== allowed) return `${name} ${shown(value)}`;
  const isFull = Array.isArray(layerTypes) && layerTypes.every((type) => type === 'full_attention');
  return isFull ? null : `layer_types ${shown(layerTypes)}`;
}

/** In files of transformers 5 it is among the parameters of the rotation. */
function ropeBaseOf(json: Json): number {
  const { rope_theta: theta = json.rope_theta } = (json.rope_parameters ?? {}) as Json;
  const base = v.safeParse(RopeBase, theta);
  if (base.success) return base.output;
  throw wrong(`rope_theta: ${firstIssue(base.issues)}`);
}

function requireCount({ vocabulary, layers, width, heads: H, kvHeads, headSize, mlpWidth, tied }: LlamaShape): void {
  const layer = width * (2 * (H + kvHeads) * headSize + 3 * mlpWidth);
  const count = vocabulary * width * (tied ? 1 : 2) + layers * layer;
  if (count <= maxParameters) return;
  throw wrong(`a model of this size has ${count} parameters, and at most ${maxParameters} are supported`);
}

const shown = (value: unknown): string => quoted(typeof value === 'string' ? value : JSON.stringify(value), 60);

const wrong = (what: string) => new Error(`config.json cannot be used: ${what}.`);
