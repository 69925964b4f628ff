/** Presets: configs that were run and found to learn, and model sizes to choose from. Their numbers are the product. */
import { fuelLimits } from '../../agent/sandbox';
import { didYouMean } from '../../lib/nearest';
import { parseConfig, type RunConfig, type RunConfigInput } from './config';

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

const calculator: RunConfigInput = {
  environment: { name: 'calculator', options: { operations: 2, max: 99 } },
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
  rewards: { correct: 1, calls: 0, wasted: 0 },
  evaluation: { tasks: 256, every: 8 },
};

/** The smallest run that shows everything: one operation on small numbers. */
const calculatorMini: RunConfigInput = {
  ...calculator,
  environment: { name: 'calculator', options: { operations: 1, max: 20 } },
  iterations: 14,
  warmStart: { demonstrations: 1000, steps: 240, batch: 64, learningRate: 5e-3, recorded: true },
  rollout: { ...calculator.rollout, tasks: 16, group: 8, maxTurns: 3 },
  optimizer: { ...calculator.optimizer, learningRate: 6e-4 },
  evaluation: { tasks: 64, every: 7 },
};

/** Two arms and one step: seconds of learning, for the algorithms themselves. */
const bandit: RunConfigInput = {
  ...calculator,
  environment: { name: 'bandit', options: { odds: 80 } },
  iterations: 20,
  model: { ...usualModel, layers: 1, width: 32, heads: 2, kvHeads: 2, mlpWidth: 64, context: 32 },
  text: { ...calculator.text, tokenizer: 'word' },
  warmStart: { demonstrations: 500, steps: 60, batch: 32, learningRate: 1e-2, recorded: true },
  rollout: { ...calculator.rollout, tasks: 8, group: 8, maxTurns: 1, maxTokens: 4 },
  optimizer: { ...calculator.optimizer, learningRate: 2e-3, warmup: 2 },
  rewards: { best: 0, pay: 1 },
  evaluation: { tasks: 64, every: 4 },
};

/** Tool results much longer than what the agent writes, and a second search to discover: where credit is hard. */
const multiHop: RunConfigInput = {
  ...calculator,
  environment: { name: 'multi-hop', options: { questions: 'both', passages: 4 } },
  iterations: 30,
  model: { ...usualModel, layers: 3, width: 64, heads: 4, kvHeads: 4, mlpWidth: 192 },
  text: { ...calculator.text, tokenizer: 'word' },
  warmStart: { demonstrations: 10000, steps: 500, batch: 36, learningRate: 4e-3, recorded: true },
  rollout: { ...calculator.rollout, tasks: 12, group: 8, maxTurns: 5, maxTokens: 12 },
  rewards: { correct: 1, searches: 0, wasted: 0 },
  evaluation: { tasks: 192, every: 10 },
};

const preset = (name: string, title: string, config: RunConfigInput): Preset => ({
  name,
  title,
  config: parseConfig(config),
});

export const presets: readonly Preset[] = [
  preset('calculator', 'Calculator', calculator),
  preset('calculator-mini', 'Calculator, mini', calculatorMini),
  preset('multi-hop', 'Multi-hop questions', multiHop),
  preset('bandit', 'Two-armed bandit', bandit),
];

/** The preset of a name, or an Error that lists them. */
export function presetByName(name: string): Preset {
  const found = presets.find((each) => each.name === name);
  if (found) return found;
  const names = presets.map((each) => each.name);
  throw new Error(
    `There is no preset called ${JSON.stringify(name.slice(0, 32))}; ` +
      `there is ${names.join(', ')}.${didYouMean(name, names)}`,
  );
}
