/** A model of Llama's kinds from its files: its text, its frozen base, and an adapter that is trained. */
import { openTensors, readJson, type Files } from '../../lib/stored-tensors';
import { pretrainedText } from '../../text/pretrained/pretrained-text';
import type { ToolSignature } from '../../text/tool-formats/tool-format';
import type { AdapterSettings, AdapterTargets, PretrainedSettings } from '../adapter';
import type { Model, Network } from '../model';
import { mergedConfig, mergedWeights, storedShapes } from './export';
import { architectureOf, hasHalves, shapeOfConfig } from './hf-config';
import { llamaSpecs, loraTargets, type LoraSettings, type LoraTarget } from './layers';
import { loadWeights, sourcesOf, storedHalves } from './load';
import { llama } from './network';
import { writeAdapter } from './peft';
import type { LlamaShape } from './shape';

const targetsOf: Readonly<Record<AdapterTargets, readonly LoraTarget[]>> = {
  'all-linear': loraTargets,
  attention: ['q_proj', 'k_proj', 'v_proj', 'o_proj'],
  'query-value': ['q_proj', 'v_proj'],
};

/**
 * Reads the config and the headers, no weight.
 * @throws a sentence if the files are no such model
 */
export async function openLlama(files: Files) {
  const shape = shapeOfConfig(await readJson(files, 'config.json'));
  return { shape, sources: sourcesOf(shape, await openTensors(files)) };
}

/**
 * The network that a config.json promises, before there is another file. It has rows for the whole vocabulary of the
 * config, of which a tokenizer may use fewer. @throws a sentence if it is no such model
 */
export function promisedLlama(config: unknown, adapter: AdapterSettings): Network {
  const shape = shapeOfConfig(config);
  const matrices = llamaSpecs(shape).filter((spec) => spec.shape.length === 2);
  const halves = new Set(hasHalves(config) ? matrices.map(({ name }) => name) : []);
  return llama(shape, { lora: loraOf(adapter), halves });
}

/** Names and shapes of the tensors that files with this config.json have. @throws a sentence if it is no such model */
export const promisedTensors = (config: unknown) => storedShapes(shapeOfConfig(config));

/** What the files say before a weight is read. @throws a sentence if they are no such model */
export async function llamaFacts(files: Files) {
  const { shape, sources } = await openLlama(files);
  const counts = sources.flatMap(({ tensors }) => tensors.map(({ count }) => count));
  return {
    architecture: architectureOf(await readJson(files, 'config.json')),
    context: shape.context,
    parameters: counts.reduce((sum, count) => sum + count, 0),
  };
}

/** The network alone, with all rows of the files' vocabulary. No text is read. */
export async function llamaNetwork(files: Files, settings: PretrainedSettings): Promise<Network> {
  const { shape, sources } = await openLlama(files);
  requireContext(shape, settings);
  return llama(shape, { lora: loraOf(settings), halves: storedHalves(sources) });
}

function requireContext(shape: LlamaShape, { context }: PretrainedSettings): void {
  if (context > shape.context)
    throw new Error(`model.context: ${context} tokens are more than the ${shape.context} that the model was made for.`);
}

const loraOf = ({ rank, alpha, targets }: AdapterSettings): LoraSettings => ({
  rank,
  alpha,
  targets: targetsOf[targets],
});

/** @throws a sentence if the model cannot be used so */
export async function pretrainedLlama(
  files: Files,
  given: PretrainedSettings,
  tools: readonly ToolSignature[],
): Promise<Model> {
  const { shape, sources } = await openLlama(files);
  requireContext(shape, given);
  const text = await pretrainedText(files);
  const { tokenizer } = text;
  if (tokenizer.size > shape.vocabulary)
    throw new Error(
      `tokenizer.json has ${tokenizer.size} tokens, and the model of config.json knows ${shape.vocabulary}: ` +
        'they are of different models.',
    );
  const settings = loraOf(given);
  // Rows behind the tokenizer's last token pad the files' vocabulary. Nothing could be said with them.
  const network = llama({ ...shape, vocabulary: tokenizer.size }, { lora: settings, halves: storedHalves(sources) });
  return {
    ...network,
    tokenizer,
    chatFormat: text.chatFormat(tools),
    loadBase: (device, store) => loadWeights(device, store, sources),
    adapterFiles: (numbers) => writeAdapter(shape, { settings, numbers }, given.name),
    merged: async (device, store, dtype) => ({
      config: mergedConfig((await readJson(files, 'config.json')) as object, dtype),
      weights: mergedWeights(device, store, shape, settings, dtype, sources),
    }),
  };
}
