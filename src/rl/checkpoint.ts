/**
 * A run between two updates as one safetensors file: weights, both moments, the reference weights (always float32), the
 * learner's state, config, tokenizer and progress. Random numbers are counter-based, so they need no state. A run that
 * is saved, loaded and continued is bit-equal to one that never stopped.
 */
import * as v from 'valibot';
import { readTensors } from '../device/commands';
import type { Device } from '../device/device';
import type { Tensor } from '../device/tensor';
import { assert } from '../lib/assert';
import { firstIssue } from '../lib/first-issue';
import { quoted } from '../lib/plain-text';
import { allFinite, NotFinite } from '../model/not-finite';
import type { ReferenceCopy } from '../model/model';
import type { ParameterStore } from '../model/parameters';
import { readMetadata, readSafetensors, writeSafetensors, type SafetensorsFile } from '../lib/safetensors';
import type { Tokenizer } from '../text/tokenizer';
import { parseConfig } from '../config/config';
import { engineVersion } from '../config/run-link';
import type { Trainer } from './trainer';

const formatVersion = '2';
/** Of the entries of weights. */
const weightPrefix = 'model.';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());

const ProgressSchema = v.pipe(
  v.object({
    warmSteps: count,
    warm: v.boolean(),
    iteration: count,
    fingerprint: v.array(v.string()),
    sampledTokens: count,
    klCoefficient: v.pipe(finite, v.minValue(0)),
    /** Absent in files of engines before 0.9. */
    criticAlone: v.optional(count),
    echo: v.object({ first: v.array(v.tuple([finite, finite])), low: count }),
  }),
  v.check(
    ({ criticAlone = 0, iteration }) => criticAlone <= iteration,
    'The critic learned alone in more iterations than there were',
  ),
);

/** The metadata of a file whose format and version are right. */
const MetadataSchema = v.object({
  engineVersion: v.string(),
  config: v.pipe(v.string(), v.parseJson()),
  tokenizer: v.string(),
  progress: v.pipe(v.string(), v.parseJson(), ProgressSchema),
  updates: v.pipe(v.string(), v.digits(), v.transform(Number), count),
  source: v.string(),
});

/**
 * The current state; training may continue while it is read back.
 * @throws NotFinite if a number in it is NaN or infinite; OutOfDeviceMemory if it cannot be read back
 */
export async function saveCheckpoint(
  device: Device,
  trainer: Trainer,
  source: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = [...flatTensors(trainer), ...stateTensors(trainer)];
  const [metadata, read] = await device.guarded('a checkpoint', async () => {
    assert(trainer.isBetweenUpdates, 'a checkpoint was to be taken within an update');
    const tensors = parts.map(({ tensor }) => tensor);
    return [metadataOf(trainer, source), await readTensors(device, tensors)];
  });
  const decoded = parts.map(({ decode = (numbers) => numbers }, i) => decode(read[i]));
  const wrong = parts.find((_, i) => !allFinite(decoded[i]));
  if (wrong) throw new NotFinite(`The ${wrong.title} hold numbers that are not finite.`);
  return writeSafetensors({ tensors: new Map(parts.flatMap((part, i) => part.entries(decoded[i]))), metadata });
}

function metadataOf({ setup, learner, progress }: Trainer, source: string): Record<string, string> {
  return {
    format: 'agentlet',
    version: formatVersion,
    engineVersion,
    config: JSON.stringify(setup.savedConfig),
    tokenizer: JSON.stringify(setup.model.tokenizer.toJson()),
    progress: JSON.stringify(progress),
    updates: String(learner.unreported),
    source,
  };
}

/**
 * A checkpoint's metadata: enough to build the trainer that the numbers are then written into. `engineVersion` wrote
 * it; another one may continue with other bits. @throws a sentence if the file is no checkpoint of this version
 */
export function readCheckpointHead(file: Uint8Array) {
  const { config, source, progress, engineVersion } = checkMetadata(readMetadata(file));
  return { config: parseConfig(config), source, progress, engineVersion };
}

function checkMetadata(metadata: SafetensorsFile['metadata']): v.InferOutput<typeof MetadataSchema> {
  if (metadata.format !== 'agentlet')
    throw new Error('This safetensors file is not an Agentlet checkpoint: its metadata lacks format=agentlet.');
  if (metadata.version !== formatVersion)
    throw new Error(
      `This checkpoint has format ${quoted(metadata.version ?? 'none')} and this version of Agentlet reads format ` +
        `${formatVersion}: train it again from its link, or continue it with the version that wrote it.`,
    );
  const result = v.safeParse(MetadataSchema, metadata);
  if (!result.success)
    throw new Error(`This is not a checkpoint that can be read: in its metadata, ${firstIssue(result.issues)}.`);
  return result.output;
}

/**
 * Writes a checkpoint's numbers and progress into a trainer made from its head, or from a config that differs in
 * nothing that the numbers depend on.
 */
export function restoreCheckpoint(trainer: Trainer, file: Uint8Array): void {
  const { tensors, metadata } = readFinite(file);
  const { config, tokenizer, progress, updates } = metadata;
  requireTokenizer(tokenizer, trainer.setup.model.tokenizer);
  for (const { prefix, write } of flatTensors(trainer)) write(withoutPrefix(tensors, prefix));
  const [optimizer, totals, critic] = stateTensors(trainer).map(({ title, tensor: { shape } }) => {
    const data = tensors.get(title)?.data;
    if (data?.length !== shape[0]) throw new Error(`The checkpoint lacks ${title}: ${shape[0]} numbers.`);
    return data;
  });
  trainer.learner.restore({ optimizer, totals, critic, updates });
  // The coefficient of the run so far counts, unless the config has another one than that run's.
  const { klCoefficient } = trainer.setup.config.algorithm;
  const changed = parseConfig(config).algorithm.klCoefficient !== klCoefficient;
  Object.assign(trainer.progress, { criticAlone: 0 }, progress, changed && { klCoefficient });
}

/** Writes a checkpoint's weights alone into a store of its model. @throws a sentence if it cannot be used */
export function loadCheckpointWeights(store: ParameterStore, tokenizer: Tokenizer, file: Uint8Array): void {
  const { tensors, metadata } = readFinite(file);
  requireTokenizer(metadata.tokenizer, tokenizer);
  store.write(store.value, withoutPrefix(tensors, weightPrefix));
}

/** A checkpoint's weights by the names of the trained parameters. @throws a sentence if it cannot be read */
export function checkpointWeights(file: Uint8Array): ReadonlyMap<string, Float32Array> {
  return withoutPrefix(readFinite(file).tensors, weightPrefix);
}

function readFinite(file: Uint8Array) {
  const { tensors, metadata } = readSafetensors(file);
  const checked = checkMetadata(metadata);
  for (const [name, { data }] of tensors)
    if (!allFinite(data))
      throw new Error(`This checkpoint cannot be used: ${quoted(name)} holds numbers that are not finite.`);
  return { tensors, metadata: checked };
}

function requireTokenizer(saved: string, tokenizer: Tokenizer): void {
  if (saved === JSON.stringify(tokenizer.toJson())) return;
  throw new Error(
    'The checkpoint was made with another tokenizer than its environment gives in this version, ' +
      'so its tokens would mean something else.',
  );
}

function withoutPrefix(tensors: SafetensorsFile['tensors'], prefix: string): ReadonlyMap<string, Float32Array> {
  const own = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, { data }]) => [name.slice(prefix.length), data]));
}

type Entry = [name: string, { readonly shape: readonly number[]; readonly data: Float32Array }];

/** A tensor of the run and its entries in the file. */
interface SavedTensor {
  /** In messages. */
  readonly title: string;
  readonly tensor: Tensor;
  /** Turns what was read of the tensor into its numbers, where the two differ. */
  decode?(read: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>;
  entries(numbers: Float32Array): Entry[];
}

/** A flat tensor of a parameter store: an entry for each parameter. */
interface FlatTensor extends SavedTensor {
  /** Of its entries' names. */
  readonly prefix: string;
  /** Writes numbers by the names of the store's parameters. */
  write(numbers: ReadonlyMap<string, Float32Array>): void;
}

function flatTensors({ store, learner: { critic, reference } }: Trainer): FlatTensor[] {
  const { copy } = reference;
  return [
    ...learnt('', '', store),
    ...(copy ? [referenceTensor(copy, store)] : []),
    ...(critic ? learnt('critic.', 'critic’s ', critic.store) : []),
  ];
}

function referenceTensor(copy: ReferenceCopy, store: ParameterStore): FlatTensor {
  return {
    ...flatTensor('start.', 'reference weights', store, copy.tensor),
    decode: (read) => copy.decode(read),
    write: (numbers) => copy.write(store.join(numbers)),
  };
}

/** The weights and both moments of a store. */
function learnt(prefix: string, owner: string, store: ParameterStore): FlatTensor[] {
  return [
    flatTensor(prefix + weightPrefix, `${owner}weights`, store, store.value),
    flatTensor(`${prefix}adam.m.`, `${owner}first moments`, store, store.first),
    flatTensor(`${prefix}adam.v.`, `${owner}second moments`, store, store.second),
  ];
}

function flatTensor(prefix: string, title: string, store: ParameterStore, tensor: Tensor): FlatTensor {
  return {
    prefix,
    title,
    tensor,
    entries: (numbers) => {
      const data = store.split(numbers);
      return store.specs.map(({ name, shape }) => [prefix + name, { shape, data: data.get(name)! }]);
    },
    write: (numbers) => store.write(tensor, numbers),
  };
}

/** The optimizers' states and the totals, each an entry of its title. */
function stateTensors({ learner: { optimizer, totals, critic } }: Trainer): SavedTensor[] {
  const states = { 'optimizer.state': optimizer.state, 'loss.totals': totals };
  const all = critic ? { ...states, 'critic.optimizer.state': critic.optimizer.state } : states;
  return Object.entries(all).map(([title, tensor]) => {
    return { title, tensor, entries: (data) => [[title, { shape: tensor.shape, data }]] };
  });
}
