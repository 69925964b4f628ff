/**
 * The linear layers of a block: which modules of Hugging Face's files each holds side by side, and the parameters of a
 * model in their order. Names are those of the files; what is fused gets a name of its own.
 */
import type { ModelPart, ParameterSpec } from '../parameters';
import type { LlamaShape } from './shape';

/** Modules that an adapter may change, by PEFT's names. */
export const loraTargets = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;

export type LoraTarget = (typeof loraTargets)[number];

export interface LoraSettings {
  /** r */
  readonly rank: number;
  /** α: changes are scaled by α/r. */
  readonly alpha: number;
  readonly targets: readonly LoraTarget[];
}

/** A module of a file, and its rows in the layer's weight. */
export interface Module {
  readonly target: LoraTarget;
  readonly first: number;
  readonly width: number;
}

export interface LinearLayer {
  /** Behind `model.layers.0.`, without `.weight`. */
  readonly name: string;
  /** The path of its modules without their own names. */
  readonly block: 'self_attn' | 'mlp';
  readonly into: number;
  readonly out: number;
  readonly modules: readonly Module[];
  readonly bias: boolean;
}

/** The linear layers of a block in the order in which they are computed. */
export function linearLayers(shape: LlamaShape): LinearLayer[] {
  const { width: D, heads: H, kvHeads: Hk, headSize: E, mlpWidth: F, qkvBias } = shape;
  const layer = (
    block: LinearLayer['block'],
    name: string,
    into: number,
    parts: readonly (readonly [LoraTarget, number])[],
    bias = false,
  ): LinearLayer => {
    let out = 0;
    const modules = parts.map(([target, width]) => ({ target, first: (out += width) - width, width }));
    return { name: `${block}.${name}`, block, into, out, modules, bias };
  };
  const qkv = [
    ['q_proj', H * E],
    ['k_proj', Hk * E],
    ['v_proj', Hk * E],
  ] as const;
  const gateUp = [
    ['gate_proj', F],
    ['up_proj', F],
  ] as const;
  return [
    layer('self_attn', 'qkv_proj', D, qkv, qkvBias),
    layer('self_attn', 'o_proj', H * E, [['o_proj', D]]),
    layer('mlp', 'gate_up_proj', D, gateUp),
    layer('mlp', 'down_proj', F, [['down_proj', D]]),
  ];
}

/** The modules of a layer that an adapter changes. */
export function adaptedModules({ modules }: LinearLayer, lora?: LoraSettings): readonly Module[] {
  return modules.filter(({ target }) => lora?.targets.includes(target));
}

/** `model.layers.3.` */
export const blockName = (layer: number): string => `model.layers.${layer}.`;

/** What a model is made with, beside its shape. */
export interface LlamaOptions {
  /** What is trained; nothing if not given. */
  readonly lora?: LoraSettings;
  /** Base parameters that are held in half precision. */
  readonly halves?: ReadonlySet<string>;
  /** The base itself is trained, from random numbers. */
  readonly fromNothing?: true;
  /** See `Recording`. */
  readonly maxKeptBytes?: number;
}

/** All parameters: the base, which is frozen and has its numbers from files, and the adapters. */
export function llamaSpecs(shape: LlamaShape, { lora, halves, fromNothing }: LlamaOptions = {}): ParameterSpec[] {
  const { vocabulary, layers, width: D, headSize: E, tied, qkNorm } = shape;
  const specs: ParameterSpec[] = [];
  const base = (name: string, part: ModelPart, ...size: number[]) => {
    if (fromNothing) specs.push({ name, part, shape: size, init: initOf(name, size, layers) });
    else
      specs.push({ name, part, shape: size, init: 'loaded', frozen: true, ...(halves?.has(name) && { halves: true }) });
  };
  base('model.embed_tokens.weight', 'embedding', vocabulary, D);
  for (let i = 0; i < layers; i++) {
    const block = blockName(i);
    base(`${block}input_layernorm.weight`, 'norms', D);
    if (qkNorm) base(`${block}self_attn.q_norm.weight`, 'norms', E);
    if (qkNorm) base(`${block}self_attn.k_norm.weight`, 'norms', E);
    base(`${block}post_attention_layernorm.weight`, 'norms', D);
    for (const layer of linearLayers(shape)) {
      const part = layer.block === 'mlp' ? 'mlp' : 'attention';
      base(`${block}${layer.name}.weight`, part, layer.out, layer.into);
      if (layer.bias) base(`${block}${layer.name}.bias`, part, layer.out);
      if (lora) specs.push(...adapterSpecs(`${block}${layer.name}`, part, layer, lora));
    }
  }
  base('model.norm.weight', 'norms', D);
  if (!tied) base('lm_head.weight', 'head', vocabulary, D);
  return specs;
}

/** What a block writes to the residual stream is scaled down, so that its variance does not grow with depth (GPT-2). */
function initOf(name: string, size: readonly number[], layers: number): ParameterSpec['init'] {
  if (size.length === 1) return { constant: name.endsWith('.bias') ? 0 : 1 };
  const scale = /\.(o_proj|down_proj)\./.test(name) ? 1 / Math.sqrt(2 * layers) : 1;
  return { std: scale / Math.sqrt(size[1]) };
}

/**
 * The As of the layer's modules one behind the other, [parts · r, in], and their Bs, [out of all parts, r]. A has the
 * variance of PEFT's initial numbers; B is 0, so that a new adapter changes nothing.
 */
function adapterSpecs(name: string, part: ModelPart, layer: LinearLayer, lora: LoraSettings): ParameterSpec[] {
  const modules = adaptedModules(layer, lora);
  if (modules.length === 0) return [];
  const out = modules.reduce((sum, { width }) => sum + width, 0);
  const std = 1 / Math.sqrt(3 * layer.into);
  return [
    { name: `${name}.lora_A`, part, shape: [modules.length * lora.rank, layer.into], init: { std } },
    { name: `${name}.lora_B`, part, shape: [out, lora.rank], init: { constant: 0 } },
  ];
}
