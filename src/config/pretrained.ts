/**
 * A config's pretrained model: files and links name it and never carry it. Whoever trains it has its files from
 * elsewhere.
 */
import * as v from 'valibot';
import { firstIssue } from '../lib/first-issue';
import { quoted } from '../lib/plain-text';
import type { RunConfig } from './config';
import { maxModelName, pretrainedSchema, type Pretrained } from './pretrained-schema';

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
  const config = withPretrained(preset, v.parse(pretrainedSchema, found));
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

/** @throws a sentence if the model that was found is not the config's */
export function requireModel({ model: { pretrained } }: RunConfig, { name, digest }: FoundModel): void {
  if (!pretrained)
    throw new Error('These settings are of a model from nothing, not of a pretrained one: leave --model out.');
  if (pretrained.digest === digest) return;
  throw new Error(
    `This run was made with the model ${quoted(pretrained.name, maxModelName)} (SHA-256 ${pretrained.digest}), ` +
      `and the files of ${quoted(name, maxModelName)} are others (SHA-256 ${digest}).`,
  );
}

/** A sentence: why a run of this model cannot begin. */
export const missingModel = ({ name }: Pick<Pretrained, 'name'>): string =>
  `This run trains an adapter of the pretrained model ${quoted(name, maxModelName)}, whose files do not come ` +
  'with it: give their folder with --model DIR to a command of the terminal. The page cannot train it yet.';

/** Links carry it as one text. */
export const pretrainedAsText = (pretrained: Pretrained): string => JSON.stringify(pretrained);

/** The inverse. @returns a sentence if it is no model */
export function readPretrained(text: string): Pretrained | string {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), pretrainedSchema), text, { abortEarly: true });
  return read.success ? read.output : `Its pretrained model cannot be used: ${firstIssue(read.issues)}.`;
}
