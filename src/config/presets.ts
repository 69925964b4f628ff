/**
 * Presets: configs that were run and found to learn, which stand beside their environments, and model sizes to choose
 * from. Their numbers are the product.
 */
import * as v from 'valibot';
import { fuelLimits } from '../agent/sandbox';
import { didYouMean } from '../lib/nearest';
import { parseConfig, type RunConfig, type RunConfigInput } from './config';
import { merged } from './edit';

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly config: RunConfig;
}

const usualModel = { mlp: 'swiglu', tied: true, context: 128 } as const;

/** Model sizes from about 100 k to 10 M parameters. */
export const modelPresets: readonly { readonly name: string; readonly model: RunConfig['model'] }[] = [
  { name: 'nano', model: { ...usualModel, layers: 2, width: 64, heads: 4, kvHeads: 4, mlpWidth: 192 } },
  { name: 'micro', model: { ...usualModel, layers: 4, width: 96, heads: 4, kvHeads: 4, mlpWidth: 256 } },
  { name: 'small', model: { ...usualModel, layers: 4, width: 128, heads: 4, kvHeads: 2, mlpWidth: 384 } },
  { name: 'medium', model: { ...usualModel, layers: 6, width: 192, heads: 6, kvHeads: 2, mlpWidth: 512 } },
  { name: 'large', model: { ...usualModel, layers: 8, width: 320, heads: 8, kvHeads: 4, mlpWidth: 896 } },
];

const plainSampling = { temperature: 1, topK: 0, topP: 1 };
const adam = { beta1: 0.9, beta2: 0.95, weightDecay: 0, gradientClip: 1 };

/** What presets have in common; a preset's file says what differs. */
const base: Omit<RunConfigInput, 'environment' | 'rewards'> = {
  seed: 1,
  iterations: 40,
  model: modelPresets[0].model,
  text: { tokenizer: 'character', vocabulary: 512, toolFormat: 'compact' },
  warmStart: { demonstrations: 4000, steps: 900, batch: 36, learningRate: 4e-3, recorded: true },
  algorithm: {
    name: 'grpo',
    clipLow: 0.2,
    clipHigh: 0.28,
    dualClip: 3,
    normalizeStd: true,
    klCoefficient: 0,
    entropyCoefficient: 0,
    aggregation: 'token-mean',
    epochs: 1,
    miniBatches: 2,
    lossMask: true,
    advantageMask: true,
  },
  rollout: { ...plainSampling, tasks: 16, group: 16, maxTurns: 4, maxTokens: 12, callFuel: fuelLimits.call },
  optimizer: { ...adam, learningRate: 4e-4, schedule: 'linear', warmup: 5, fresh: true },
  evaluation: { tasks: 256, every: 8 },
};

/** A file `NAME.preset.json` in the folder of an environment. Fields of `config` that are objects are merged. */
const presetSchema = v.strictObject({
  title: v.pipe(v.string(), v.maxLength(80)),
  config: v.record(v.string(), v.unknown()),
});

function readPreset(path: string, file: unknown): Preset {
  const [environment, name] = path.replace('.preset.json', '').split('/').slice(-2);
  const { title, config } = v.parse(presetSchema, file);
  const whole: Record<string, unknown> = { rewards: {}, ...merged(base, config) };
  return {
    name,
    title,
    config: parseConfig({ ...whole, environment: { name: environment, options: {}, ...Object(whole.environment) } }),
  };
}

/** The preset that stands for any other: of a link that names none, of an environment of one's own. */
const standard = 'calculator';

const found = Object.entries(
  import.meta.glob<unknown>('../environments/*/*.preset.json', { import: 'default', eager: true }),
).map(([path, file]) => readPreset(path, file));

/** Every preset, the standard one first. */
export const presets: readonly Preset[] = [
  ...found.filter(({ name }) => name === standard),
  ...found.filter(({ name }) => name !== standard),
];

/** The preset of a name, or an Error that lists them. */
export function presetByName(name: string): Preset {
  const preset = presets.find((each) => each.name === name);
  if (preset) return preset;
  const names = presets.map((each) => each.name);
  throw new Error(
    `There is no preset called ${JSON.stringify(name.slice(0, 32))}; ` +
      `there is ${names.join(', ')}.${didYouMean(name, names)}`,
  );
}
