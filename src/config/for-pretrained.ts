/** Configs for a pretrained model. Light: the first screen loads it. */
import { standardAdapter } from '../model/adapter';
import type { RunConfig } from './config';
import type { Pretrained } from './pretrained-schema';

/** A model as it is found: what tells it from others, and the longest text that it was made for. */
export interface FoundModel extends Pick<Pretrained, 'name' | 'revision' | 'digest'> {
  readonly context: number;
}

/** The config with this model instead of its own; null: without one. */
export function withPretrained(config: RunConfig, pretrained: Pretrained | null): RunConfig {
  const { pretrained: _before, ...model } = config.model;
  return { ...config, model: pretrained ? { ...model, pretrained } : model };
}

/**
 * A preset's config for a pretrained model, with an adapter and what one wants otherwise than a model from nothing:
 * room for its longer prompts and calls, fewer rollouts, lower rates.
 */
export function forPretrained(preset: RunConfig, { name, revision, digest, context }: FoundModel): RunConfig {
  const found = { name, digest, ...(revision !== undefined && { revision }) };
  const config = withPretrained(preset, { ...found, ...standardAdapter });
  const { model, warmStart, rollout, optimizer, evaluation } = config;
  const demonstrations = Math.min(512, warmStart.demonstrations);
  return {
    ...config,
    model: { ...model, context: Math.min(1024, context) },
    warmStart: { demonstrations, steps: 60, batch: 8, learningRate: 2e-4, recorded: false },
    rollout: { ...rollout, tasks: Math.min(8, rollout.tasks), group: Math.min(8, rollout.group), maxTokens: 96 },
    optimizer: { ...optimizer, learningRate: 5e-5 },
    evaluation: { ...evaluation, tasks: Math.min(64, evaluation.tasks) },
  };
}

/** Whether a field of a config means something for its model: one that is pretrained has its sizes and its text. */
export const isMeant = (path: string, { model }: RunConfig): boolean =>
  model.pretrained
    ? path === 'model.context' || !/^(model\.(?!pretrained\.)|text\.|warmStart\.recorded$)/.test(path)
    : !path.startsWith('model.pretrained.');
