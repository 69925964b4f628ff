/** The pretrained model that comes with the page and with a clone, in `public/models`. It was made by `make-model`. */

export const recordedModel = {
  name: 'agentlet-1.3m',
  /** From the root of the page. */
  folder: 'models/agentlet-1.3m',
  files: [
    'README.md',
    'config.json',
    'generation_config.json',
    'model.safetensors',
    'tokenizer.json',
    'tokenizer_config.json',
  ],
  bytes: 2_656_984,
  /** Presets for which it has settings, each in a file `PRESET.json`, with which its adapter learns. */
  tuned: ['bandit', 'calculator'],
} as const;

/** Settings of a config, by their places in it; objects are merged. */
export type PartialSettings = Readonly<Record<string, unknown>>;
