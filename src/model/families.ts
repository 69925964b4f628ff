/** Families of models by their names in a config. A new one is a folder, a name in family-names.ts and a line here. */
import type { Files } from '../lib/stored-tensors';
import type { ToolSignature } from '../text/tool-formats/tool-format';
import type { AdapterSettings, PretrainedSettings } from './adapter';
import { familyNames, type FamilyName } from './family-names';
import { smallLlama } from './llama/from-nothing';
import { shapeOfConfig } from './llama/hf-config';
import { llamaFacts, llamaNetwork, pretrainedLlama, promisedLlama, promisedTensors } from './llama/pretrained';
import type { Model, ModelFamily, Network } from './model';
import type { SmallModel, SmallSizes } from './small-model';
import { transformerFamily } from './transformer/family';

const families: Readonly<Record<FamilyName, ModelFamily>> = { transformer: transformerFamily };

/** The family that a config's model belongs to. */
export function familyOf({ family = familyNames[0] }: { readonly family?: FamilyName }): ModelFamily {
  return families[family];
}

/** A model from its files, whose kind these say. @throws a sentence if it cannot be used so */
export function pretrainedModel(
  files: Files,
  settings: PretrainedSettings,
  tools: readonly ToolSignature[],
): Promise<Model> {
  return pretrainedLlama(files, settings, tools);
}

/** The network that a model's config.json promises. @throws a sentence if it cannot be used */
export function promisedNetwork(config: unknown, adapter: AdapterSettings): Network {
  return promisedLlama(config, adapter);
}

/** Names and shapes of the tensors that files with this config.json have. @throws a sentence if it cannot be used */
export function tensorsOfConfig(config: unknown): (readonly [name: string, shape: readonly number[]])[] {
  return promisedTensors(config);
}

/** The longest text that a config.json's model was made for. @throws a sentence if it cannot be used */
export function pretrainedContext(config: unknown): number {
  return shapeOfConfig(config).context;
}

/** Its network, without its text. @throws a sentence if it cannot be used so */
export function pretrainedNetwork(files: Files, settings: PretrainedSettings): Promise<Network> {
  return llamaNetwork(files, settings);
}

export interface PretrainedFacts {
  /** As people call its kind. */
  readonly architecture: string;
  /** Longest text that it was made for. */
  readonly context: number;
  readonly parameters: number;
}

/** What a model's files say before a weight is read. @throws a sentence if they are no model that can be used */
export function pretrainedFacts(files: Files): Promise<PretrainedFacts> {
  return llamaFacts(files);
}

/** A model that is trained whole here, and has files like a pretrained one. @param end id of what ends a turn */
export function smallModel(sizes: SmallSizes, vocabulary: number, end: number): SmallModel {
  return smallLlama(sizes, vocabulary, end);
}
