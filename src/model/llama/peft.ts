/**
 * Adapters in the layout of PEFT: `adapter_config.json` and `adapter_model.safetensors`. What a config asks beyond
 * plain LoRA on linear layers is refused by name. Dropout acts in training only, and here there is none.
 */
import * as v from 'valibot';
import { firstIssue } from '../../lib/first-issue';
import { quoted } from '../../lib/plain-text';
import { writeSafetensors } from '../../lib/safetensors';
import { openSafetensors, readJson, type Files, type StoredTensor } from '../../lib/stored-tensors';
import { allFinite } from '../not-finite';
import { adaptedModules, blockName, linearLayers, loraTargets, type LoraSettings } from './layers';
import type { LlamaShape } from './shape';

const configName = 'adapter_config.json';
const weightsName = 'adapter_model.safetensors';

const ConfigSchema = v.object({
  peft_type: v.literal('LORA'),
  r: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(256)),
  lora_alpha: v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e6)),
  target_modules: v.union([v.literal('all-linear'), v.pipe(v.array(v.picklist(loraTargets)), v.minLength(1))]),
});

/** Fields that make another adapter of it, unless they are absent, empty or false. */
const unsupported = [
  'rank_pattern',
  'alpha_pattern',
  'use_rslora',
  'use_dora',
  'use_qalora',
  'use_bdlora',
  'lora_bias',
  'modules_to_save',
  'fan_in_fan_out',
  'layers_to_transform',
  'layers_pattern',
  'layer_replication',
  'exclude_modules',
  'target_parameters',
  'trainable_token_indices',
  'alora_invocation_tokens',
  'arrow_config',
  'kasa_config',
  'monteclora_config',
  'velora_config',
  'megatron_config',
];

/** An adapter's numbers by the names of a model's parameters. */
export interface Adapter {
  readonly settings: LoraSettings;
  readonly numbers: ReadonlyMap<string, Float32Array>;
}

/** @param config JSON of adapter_config.json @throws a sentence if it is no adapter that can be used */
export function parseAdapterConfig(config: unknown): LoraSettings {
  const json = Object(config) as Readonly<Record<string, unknown>>;
  const feature = unsupported.find((name) => !isEmpty(json[name]));
  if (feature !== undefined) throw wrong(`${feature} is not supported`);
  if ((json.bias ?? 'none') !== 'none') throw wrong('bias is not supported: it must be "none"');
  const parsed = v.safeParse(ConfigSchema, config, { abortEarly: true });
  if (!parsed.success) throw wrong(firstIssue(parsed.issues));
  const { r: rank, lora_alpha: alpha, target_modules: chosen } = parsed.output;
  const targets = loraTargets.filter((target) => chosen === 'all-linear' || chosen.includes(target));
  return { rank, alpha, targets };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const wrong = (what: string) => new Error(`${configName} cannot be used: ${what}.`);

/** @throws a sentence if a file is missing or does not fit the model */
export async function readAdapter(files: Files, shape: LlamaShape): Promise<Adapter> {
  const settings = parseAdapterConfig(await readJson(files, configName));
  const source = files.get(weightsName);
  if (!source) throw new Error(`The adapter has no file ${weightsName}.`);
  const tensors = await openSafetensors(weightsName, source);
  const numbers = new Map<string, Float32Array>();
  const left = new Set(tensors.keys());
  for (const { name, parts } of adapterParts(shape, settings)) {
    const pieces: Float32Array[] = [];
    for (const part of parts) {
      pieces.push(await numbersOf(tensors.get(part.name), part));
      left.delete(part.name);
    }
    numbers.set(name, joined(pieces));
  }
  const [unknown] = left;
  if (unknown === undefined) return { settings, numbers };
  throw new Error(`${weightsName} has ${quoted(unknown, 100)}, which no module of ${configName} has.`);
}

async function numbersOf(tensor: StoredTensor | undefined, part: AdapterPart): Promise<Float32Array> {
  const { name, shape } = part;
  if (!tensor) throw new Error(`${weightsName} lacks ${quoted(name, 100)}.`);
  if (tensor.shape.join() !== shape.join())
    throw new Error(
      `${weightsName} does not fit: ${quoted(name, 100)} is [${tensor.shape.join(', ')}], and should be ` +
        `[${shape.join(', ')}].`,
    );
  const numbers = await tensor.numbers();
  if (!allFinite(numbers)) throw new Error(`${weightsName} cannot be used: ${quoted(name, 100)} is not finite.`);
  return numbers;
}

/** @param baseModel name of the model that it belongs to @returns the files' bytes by their names */
export function writeAdapter(
  shape: LlamaShape,
  { settings, numbers }: Adapter,
  baseModel: string,
): Map<string, Uint8Array<ArrayBuffer>> {
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const { name, parts } of adapterParts(shape, settings)) {
    let at = 0;
    for (const part of parts) {
      const count = part.shape[0] * part.shape[1];
      tensors.set(part.name, { shape: part.shape, data: numbers.get(name)!.slice(at, at + count) });
      at += count;
    }
  }
  const config = {
    base_model_name_or_path: baseModel,
    bias: 'none',
    fan_in_fan_out: false,
    inference_mode: true,
    lora_alpha: settings.alpha,
    lora_dropout: 0,
    modules_to_save: null,
    peft_type: 'LORA',
    r: settings.rank,
    target_modules: settings.targets,
    task_type: 'CAUSAL_LM',
  };
  return new Map([
    [configName, new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`)],
    [weightsName, writeSafetensors({ tensors, metadata: { format: 'pt' } })],
  ]);
}

interface AdapterPart {
  /** PEFT's name of the tensor. */
  readonly name: string;
  readonly shape: readonly [number, number];
}

/** Each trained parameter, and the tensors of the file that stand in it one behind the other. */
function adapterParts(shape: LlamaShape, lora: LoraSettings): { name: string; parts: AdapterPart[] }[] {
  return Array.from({ length: shape.layers }, (_, i) => blockName(i)).flatMap((block) =>
    linearLayers(shape).flatMap((layer) => {
      const modules = adaptedModules(layer, lora);
      if (modules.length === 0) return [];
      const path = (target: string) => `base_model.model.${block}${layer.block}.${target}`;
      return [
        {
          name: `${block}${layer.name}.lora_A`,
          parts: modules.map(({ target }): AdapterPart => {
            return { name: `${path(target)}.lora_A.weight`, shape: [lora.rank, layer.into] };
          }),
        },
        {
          name: `${block}${layer.name}.lora_B`,
          parts: modules.map(({ target, width }): AdapterPart => {
            return { name: `${path(target)}.lora_B.weight`, shape: [width, lora.rank] };
          }),
        },
      ];
    }),
  );
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
