/** `bench --model SHAPE --iteration`: one iteration of GRPO with a pretrained model’s shape, and what it takes. */
import type { Device } from '../../device/device';
import { environmentSource } from '../../config/environment-source';
import { Trainer } from '../../rl/trainer';
import { openSandbox } from '../engine';
import { quietHooks } from '../recorded-start';
import { HeldBytes } from './held-bytes';
import type { ModelConfig, ModelShape } from './model-shapes';
import { runConfig, withRollouts } from './pretrained';
import { randomModel } from './random-model';

const rollouts = 4;

export interface ModelIteration {
  readonly model: string;
  readonly adapter: string;
  readonly layers: number;
  readonly allLayers: number;
  readonly rollouts: number;
  /** Of all rollouts; the validation samples beside them. */
  readonly sampledTokens: number;
  readonly seconds: Readonly<Record<'loading' | 'sampling' | 'environment' | 'training' | 'validation', number>>;
  readonly heldBytes: number;
}

/** A model with random weights hardly ever stops, so every turn is as long as a turn may be. */
export async function benchModelIteration(device: Device, shape: ModelShape, layers: number): Promise<ModelIteration> {
  const held = new HeldBytes(device);
  const modelConfig: ModelConfig = { ...shape.config, num_hidden_layers: layers };
  const base = withRollouts(runConfig(shape.config), rollouts);
  const config = { ...base, warmStart: { ...base.warmStart, demonstrations: 0 } };
  const hooks = { ...quietHooks, openModel: async () => randomModel(modelConfig) };
  const start = performance.now();
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks);
  await trainer.warmStart();
  const loadingMs = performance.now() - start;
  const { metrics } = await trainer.iterate();
  const { sampleMs, environmentMs, trainMs, evaluateMs } = metrics;
  const milliseconds = { sampling: sampleMs, environment: environmentMs, training: trainMs, validation: evaluateMs };
  const seconds = Object.entries({ loading: loadingMs, ...milliseconds }).map(([name, ms]) => [name, ms / 1000]);
  const { sampledTokens } = trainer.progress;
  trainer.destroy();
  return {
    model: shape.name,
    adapter: device.adapter.name,
    layers,
    allLayers: shape.config.num_hidden_layers,
    rollouts,
    sampledTokens,
    seconds: Object.fromEntries(seconds) as ModelIteration['seconds'],
    heldBytes: held.peak,
  };
}
